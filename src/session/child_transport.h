// The CLI as a child process, as a Transport.
#pragma once

#include <claude/options.h>
#include <claude/transport.h>

#include "io/child.h"
#include "io/ladder.h"
#include "io/private_files.h"
#include "session/loop.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

namespace claude {

// Of the CLI's stderr, what errors carry.
inline constexpr std::size_t kStderrTailBytes = std::size_t{64} << 10;

// What is taken from stderr at a time: a CLI may write there without end.
inline constexpr int kStderrChunks = 16;

// A CLI that has closed a pipe is about to exit; one that does not within this has only closed
// it, and is ended.
inline constexpr std::chrono::milliseconds kExitAfterClose{1'000};

// A CLI that was killed is gone at once, unless it hangs in the kernel: nobody waits longer for it.
inline constexpr std::chrono::milliseconds kExitAfterKill = io::Ladder{}.kill_grace;

// Where no descriptor tells of the exit it is asked for, again and again; less and less often when
// that lasts, which may be for hours.
inline constexpr std::chrono::milliseconds kAskAgain{10};
inline constexpr std::chrono::milliseconds kAskSeldom{200};

// What is read after the exit: more than a pipe or a socket holds of what the CLI itself has said.
// A process that it left behind, out of its group, may hold the pipe and write for ever.
inline constexpr std::size_t kAfterExitBytes = std::size_t{64} << 20;

// Of what the CLI has put beside its private files, how much is removed at its exit: others wait
// meanwhile, for the session and for the loop. The rest goes with the transport.
inline constexpr std::size_t kRemovedAtExit = 100;

class ChildTransport : public Transport {
 public:
  ChildTransport(io::Child child, io::PrivateFiles files)
      : child_(std::move(child)), files_(std::move(files)), pid_(child_.pid) {}
  // One that was given up when not even SIGKILL ended it may have ended since.
  ~ChildTransport() override { ChildTransport::exited(); }

  [[gnu::hot]] IoResult read(std::span<char> into) override;
  IoResult write(std::string_view bytes) override;
  bool writes_apart() const override { return true; }
  IoResult read_errors(std::span<char> into) override;
  [[gnu::hot]] int read_fd() const override { return child_.out.get(); }
  int write_fd() const override { return child_.in.get(); }
  [[gnu::hot]] int error_fd() const override { return child_.err.get(); }
  [[gnu::hot]] int exit_fd() const override { return child_.pidfd.get(); }
  // Also ends what the CLI left behind of its process group.
  std::optional<Exit> exited() override;
  void close_input() override { child_.in.close(); }
  void terminate() override;
  void kill() override;
  std::optional<int> pid() const override { return pid_; }

 private:
  io::Child child_;
  io::PrivateFiles files_;  // that its command line names
  int pid_;
  std::optional<Exit> exit_;
};

// Starts the CLI on the loop's thread: it lives as long as that thread does (see io/child.h).
Result<std::unique_ptr<Transport>> start_child(Runtime::Loop& loop, const Command& command);

// Blocks until a child that was killed has ended; nullopt when it has not within `patience`.
std::optional<Exit> wait_for_exit(Transport& child,
                                  std::chrono::milliseconds patience = kExitAfterKill);

// Of a runtime that could not start its loop.
[[gnu::cold]] Error no_loop();

}  // namespace claude
