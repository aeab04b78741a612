// Reading and writing a pipe, and writing a file.
#include "io/pipe.h"

#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

#include "io/fd.h"

namespace claude::io {
namespace {

bool is_would_block(int os_error) {
  return os_error == EAGAIN || os_error == EWOULDBLOCK;
}

bool is_pending(int signal) {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;
}

void take_pending(int signal) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
#ifdef __APPLE__
  int taken = 0;
  if (is_pending(signal)) sigwait(&only, &taken);
#else
  const timespec no_wait = {};
  while (sigtimedwait(&only, nullptr, &no_wait) < 0 && errno == EINTR) {
  }
#endif
}

// By which a write that fails so ends a host that has not said otherwise.
constexpr struct {
  int signal;
  int os_error;
} kDeadly[] = {{SIGPIPE, EPIPE}, {SIGXFSZ, EFBIG}};

// write(2) with these signals blocked for this thread and the one it raised taken away. One that
// was pending before is the host's own and stays.
ssize_t write_masked(int fd, std::string_view bytes) {
  sigset_t deadly, before;
  sigemptyset(&deadly);
  for (const auto& each : kDeadly) sigaddset(&deadly, each.signal);
  pthread_sigmask(SIG_BLOCK, &deadly, &before);
  bool is_hosts[std::size(kDeadly)] = {};
  for (std::size_t i = 0; i < std::size(kDeadly); ++i) {
    const int signal = kDeadly[i].signal;
    is_hosts[i] = sigismember(&before, signal) == 1 && is_pending(signal);
  }

  const ssize_t written = ::write(fd, bytes.data(), bytes.size());
  const int os_error = errno;

  for (std::size_t i = 0; written < 0 && i < std::size(kDeadly); ++i) {
    if (os_error == kDeadly[i].os_error && !is_hosts[i]) take_pending(kDeadly[i].signal);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = os_error;
  return written;
}

#ifdef __linux__
constexpr int kNoSignal = 0x100;  // RWF_NOSIGNAL, since Linux 6.18; headers are older

ssize_t write_no_signal(int fd, std::string_view bytes) {
  const iovec part = {const_cast<char*>(bytes.data()), bytes.size()};
  return ::pwritev2(fd, &part, 1, -1, kNoSignal);
}

bool kernel_knows_no_signal() {
  const Result<Pipe> pipe = make_pipe();
  return pipe && write_no_signal(pipe->write.get(), "?") == 1;
}

ssize_t write_without_signal(int fd, std::string_view bytes) {
  static const bool known = kernel_knows_no_signal();
  if (known) {
    const ssize_t written = write_no_signal(fd, bytes);
    // A sandbox may have been closed around us since the question was asked.
    const bool refused = written < 0 && (errno == EOPNOTSUPP || errno == ENOSYS || errno == EPERM);
    if (!refused) return written;
  }
  return write_masked(fd, bytes);
}
#else
ssize_t write_without_signal(int fd, std::string_view bytes) {
  return write_masked(fd, bytes);
}
#endif

}  // namespace

ReadOutcome read_some(int fd, std::span<char> into) {
  using enum ReadOutcome::Kind;
  for (;;) {
    const ssize_t got = ::read(fd, into.data(), into.size());
    if (got > 0) return {bytes, static_cast<std::size_t>(got)};
    if (got == 0) return {eof};
    if (is_would_block(errno)) return {would_block};
    if (errno != EINTR) return {error, 0, errno};
  }
}

WriteOutcome write_some(int fd, std::string_view bytes) {
  using Kind = WriteOutcome::Kind;
  for (;;) {
    const ssize_t written = write_without_signal(fd, bytes);
    if (written >= 0) return {Kind::bytes, static_cast<std::size_t>(written)};
    if (is_would_block(errno)) return {Kind::would_block};
    if (errno == EPIPE) return {Kind::closed, 0, EPIPE};
    if (errno != EINTR) return {Kind::error, 0, errno};
  }
}

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write_masked(fd, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace claude::io
