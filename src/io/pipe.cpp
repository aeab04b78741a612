// Reading and writing a pipe.
#include "io/pipe.h"

#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

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

void take_pending_sigpipe(const sigset_t& sigpipe) {
#ifdef __APPLE__
  int taken = 0;
  if (is_pending(SIGPIPE)) sigwait(&sigpipe, &taken);
#else
  const timespec no_wait = {};
  while (sigtimedwait(&sigpipe, nullptr, &no_wait) < 0 && errno == EINTR) {
  }
#endif
}

// write(2) with SIGPIPE blocked for this thread and the one it raised taken away. One that was
// pending before is the host's own and stays.
ssize_t write_masked(int fd, std::string_view bytes) {
  sigset_t sigpipe, before;
  sigemptyset(&sigpipe);
  sigaddset(&sigpipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &sigpipe, &before);
  const bool was_blocked = sigismember(&before, SIGPIPE) == 1;
  const bool was_pending = was_blocked && is_pending(SIGPIPE);

  const ssize_t written = ::write(fd, bytes.data(), bytes.size());
  const int os_error = errno;

  if (written < 0 && os_error == EPIPE && !was_pending) take_pending_sigpipe(sigpipe);
  if (!was_blocked) pthread_sigmask(SIG_SETMASK, &before, nullptr);
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

}  // namespace claude::io
