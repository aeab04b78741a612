// A Transport of the user's own, as the session meets it: what it gets wrong goes no further.
//
// The library's own is met directly: who reads a child pays nothing for this.
#pragma once

#include <claude/transport.h>

#include "session/threads.h"

#include <atomic>
#include <memory>
#include <string>
#include <type_traits>

namespace claude {

// What throws counts as closed from then on, as gone where it is asked for the exit.
class GuardedTransport : public Transport {
 public:
  // Asks it for all that stays the same; that may throw.
  explicit GuardedTransport(std::unique_ptr<Transport> own);

  IoResult read(std::span<char> into) override;
  IoResult write(std::string_view bytes) override;
  bool writes_apart() const override { return writes_apart_; }
  IoResult read_errors(std::span<char> into) override;
  // -1 also where the system cannot wait for it, as for a file.
  int read_fd() const override { return read_fd_; }
  int write_fd() const override { return write_fd_; }
  int error_fd() const override { return error_fd_; }
  int exit_fd() const override { return exit_fd_; }
  std::optional<Exit> exited() override;
  bool carries_control() const override { return carries_control_; }
  std::optional<int> pid() const override;
  void close_input() override;
  void terminate() override;
  void kill() override;

  // What was thrown first, and where; empty: nothing.
  std::string failure() const;

 private:
  template <class F>
  std::invoke_result_t<F> tried(std::string_view member, F call,
                                std::invoke_result_t<F> if_thrown) const;
  template <class F>
  IoResult tried_unless_failed(std::string_view member, std::size_t possible, F call);
  void has_thrown(std::string_view member, const std::string& what) const;

  const std::unique_ptr<Transport> own_;
  const bool writes_apart_;
  const bool carries_control_;
  const int read_fd_;
  const int write_fd_;
  const int error_fd_;
  const int exit_fd_;
  mutable std::atomic<bool> failed_ = false;
  mutable Mutex mutex_;  // a write may be under way apart
  mutable std::string failure_;
};

}  // namespace claude
