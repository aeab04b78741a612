// Owners of file descriptors, and pipes.
//
// Every descriptor that this room makes is close-on-exec from its first instant, so that none
// leaks into children that other threads of the host start at the same time.
#pragma once

#include <claude/error.h>

#include <string_view>
#include <utility>

namespace claude::io {

// Owns one descriptor and closes it at the end. Empty (-1) when default-made or moved from.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { close(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void close();

 private:
  int fd_ = -1;
};

struct Pipe {
  Fd read;
  Fd write;
};

// A blocking pipe. Neither end is ever 0, 1 or 2, even in a host that closed its own stdio.
Result<Pipe> make_pipe();

// Each end of a pipe has its own mode: this does not touch what the other side sees.
Result<void> set_nonblocking(const Fd& fd);

// Another descriptor of the same file.
Result<Fd> duplicate(int fd);

// "What" failed with `os_error`, as Errc::spawn_failed with advice for the usual reasons.
[[gnu::cold]] Error refused_by_system(std::string_view what, int os_error);

}  // namespace claude::io
