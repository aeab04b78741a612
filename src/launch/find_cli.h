// Where the CLI is: Options::cli_path, else CLAUDE_CLI_PATH, else PATH, else the places where its
// installers put it.
#pragma once

#include <claude/options.h>

#include "launch/surroundings.h"

namespace claude::launch {

inline constexpr std::string_view kProgram = "claude";
inline constexpr std::string_view kInstallCommand = "npm install -g @anthropic-ai/claude-code";

// The absolute path of the program. A path that was named and does not work is an error: no other
// place is tried instead. A name without a slash is looked up on PATH.
// Errors: cli_not_found (lists the places looked at), not_executable.
Result<std::string> find_cli(const Options& options, const Surroundings& around);

}  // namespace claude::launch
