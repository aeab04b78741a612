// What comes from outside: lines of the SDK, the end of stdin, signals.
#pragma once

#include <string_view>

#include "session.h"

namespace claude::sim {

void take_line(Session& session, std::string_view line);
void take_end_of_input(Session& session);
void take_signal(Session& session, int number);

// Lines that came while `startup` was played are handled now.
void release_held_lines(Session& session);

void queue_prompt(Session& session, const Json& line);

// control.cpp
void take_control_request(Session& session, const Json& line);
void start_configured_servers(Session& session);

// config_watch.cpp: tells ConfigChange hooks of files that others change. Never ends.
Task<void> watch_settings(Session& session);

}  // namespace claude::sim
