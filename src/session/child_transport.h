// The CLI as a child process, as a Transport.
#pragma once

#include <claude/options.h>
#include <claude/transport.h>

#include "io/child.h"

#include <memory>

namespace claude {

class ChildTransport : public Transport {
 public:
  // To be called on a thread that outlives the child (see io/child.h).
  static Result<std::unique_ptr<ChildTransport>> start(const Command& command);

  IoResult read(std::span<char> into) override;
  IoResult write(std::string_view bytes) override;
  IoResult read_errors(std::span<char> into) override;
  int read_fd() const override { return child_.out.get(); }
  int write_fd() const override { return child_.in.get(); }
  int error_fd() const override { return child_.err.get(); }
  int exit_fd() const override { return child_.pidfd.get(); }
  // Also ends what the CLI left behind of its process group.
  std::optional<Exit> exited() override;
  void close_input() override { child_.in.close(); }
  void terminate() override;
  void kill() override;
  std::optional<int> pid() const override { return pid_; }

 private:
  explicit ChildTransport(io::Child child) : child_(std::move(child)), pid_(child_.pid) {}

  io::Child child_;
  int pid_;
  std::optional<Exit> exit_;
};

}  // namespace claude
