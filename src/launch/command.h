// The door of this room: all that is needed to start the CLI, or why it cannot be.
#pragma once

#include <claude/options.h>

#include "launch/surroundings.h"

namespace claude::launch {

// Stands in a Command for the id of `initialize`, which a session gives when it starts.
inline constexpr std::string_view kInitializeId = "req_0";

// What claude::resolve() shows for a value that is only known when a session starts.
inline constexpr std::string_view kFreshSessionId = "<fresh-uuid>";
inline constexpr std::string_view kAnyPrompt = "<prompt>";

// For a session. `session_id` is used where takes_session_id() says so.
// Errors: invalid_option, cli_not_found, not_executable, cwd_missing.
Result<Command> session_command(const Options& options, std::string_view session_id,
                                const Surroundings& around);

// For query() with Options::legacy_argv. `Command::initialize` stays empty: nothing is written.
Result<Command> legacy_command(const Options& options, std::string_view prompt,
                               const Surroundings& around);

}  // namespace claude::launch
