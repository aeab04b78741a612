// A task that runs beside the turn, or that a turn waits for: a subagent, or a command.
#pragma once

#include "turn.h"

namespace claude::sim {

std::shared_ptr<BackgroundTask> make_task(Session& session, const ToolCall& call, bool agent);
// Where the CLI keeps what the task says.
std::string output_file(const Session& session, const BackgroundTask& task);

// The host hears that it began, or that it ended.
void send_started(Session& session, const BackgroundTask& task, bool background,
                  const std::string& prompt, const Agent& parent);
void send_ended(Session& session, const BackgroundTask& task, const char* state, const char* status,
                const std::string& summary);
// It ended beside the turn, and is no longer in the list.
void finish(Session& session, const std::shared_ptr<BackgroundTask>& task, const char* state,
            const char* status, const std::string& summary);
// The turn that nobody prompted: the task tells the model that it is done.
void queue_follow_up(Session& session, const BackgroundTask& task, const Json& steps,
                     const std::string& reminder = {});

}  // namespace claude::sim
