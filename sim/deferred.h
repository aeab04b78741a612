// A call that a hook put off, and that --resume takes up.
#pragma once

#include "turn.h"

namespace claude::sim {

// The turn that it is taken up in begins by itself, before anybody has said anything.
void queue_deferred(Session& session);

// Plays the call. Hooks are known once the host has initialized us, or will not any more.
Task<void> take_up(Session& session, Turn& turn);

// Only here does the CLI tell of hooks that had nothing to say.
void show_hook_success(Session& session, const std::string& event, const std::string& call_id);

}  // namespace claude::sim
