// A simulated CLI on a thread of this process: claude-sim without a child, as a Transport.
//
//   options.transport = start_thread_cli;
#pragma once

#include <claude/options.h>
#include <claude/transport.h>

#include <memory>

namespace claude::test {

Result<std::unique_ptr<Transport>> start_thread_cli(const Command& command);

}  // namespace claude::test
