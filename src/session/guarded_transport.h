// A Transport of the user's own, as the session meets it: what it gets wrong goes no further.
//
// The library's own is met directly: who reads a child pays nothing for this.
#pragma once

#include <claude/transport.h>

#include <memory>
#include <utility>

namespace claude {

class GuardedTransport : public Transport {
 public:
  explicit GuardedTransport(std::unique_ptr<Transport> own) : own_(std::move(own)) {}

  IoResult read(std::span<char> into) override;
  IoResult write(std::string_view bytes) override;
  bool writes_apart() const override { return own_->writes_apart(); }
  IoResult read_errors(std::span<char> into) override;
  int read_fd() const override { return own_->read_fd(); }
  int write_fd() const override { return own_->write_fd(); }
  int error_fd() const override { return own_->error_fd(); }
  int exit_fd() const override { return own_->exit_fd(); }
  std::optional<Exit> exited() override { return own_->exited(); }
  bool carries_control() const override { return own_->carries_control(); }
  std::optional<int> pid() const override { return own_->pid(); }
  void close_input() override { own_->close_input(); }
  void terminate() override { own_->terminate(); }
  void kill() override { own_->kill(); }

 private:
  const std::unique_ptr<Transport> own_;
};

}  // namespace claude
