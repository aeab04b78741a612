// Starting a session: find the CLI, start it, wait until it is ready, or explain why not.
#pragma once

#include <claude/options.h>

#include <memory>

namespace claude {

class LiveSession;

Result<std::shared_ptr<LiveSession>> start_session(Options options);

}  // namespace claude
