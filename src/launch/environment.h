// The environment of the CLI: that of this process with Options::environment over it, without the
// marks of a CLI that we may run inside of, and with those by which the CLI knows this library.
#pragma once

#include <claude/options.h>

#include "launch/surroundings.h"

namespace claude::launch {

// Takes options that passed launch/check.h. What the user sets or unsets wins over what we do;
// in the exact mode we add nothing at all.
std::map<std::string, std::string> environment(const Options& options, const Surroundings& around);

// The variable that turns on rewind_files: the only way to do it (2.1.325).
inline constexpr const char* kCheckpointVariable = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING";

}  // namespace claude::launch
