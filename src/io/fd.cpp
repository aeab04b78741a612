// Owners of file descriptors, and pipes.
#include "io/fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace claude::io {
namespace {

std::string advice_for(int os_error) {
  switch (os_error) {
    case EMFILE:
      return "This process is at its limit of open descriptors: close some, or raise the limit "
             "(ulimit -n). A session holds 7, and needs a few more to start.";
    case ENFILE:
      return "The whole system is at its limit of open files (fs.file-max).";
    case EAGAIN:
      return "The limit of processes is reached (ulimit -u, or pids.max of the container): end "
             "some, or raise it.";
    case ENOMEM:
      return "The system is out of memory.";
    case E2BIG:
      return "Arguments and environment are too long together: pass large texts in files.";
    case ETXTBSY:
      return "The program is just being written, perhaps by an update: try again.";
    default:
      return {};
  }
}

// A child gets its ends by dup2 onto 0, 1 and 2: there an end with such a number would be
// overwritten before its turn came.
bool move_above_stdio(Fd& fd) {
  if (fd.get() > 2) return true;
  Fd moved(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
  if (!moved) return false;
  fd = std::move(moved);
  return true;
}

int pipe_close_on_exec(int (&ends)[2]) {
#ifdef __APPLE__
  if (::pipe(ends) != 0) return -1;
  for (int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return 0;
#else
  return ::pipe2(ends, O_CLOEXEC);
#endif
}

}  // namespace

void Fd::close() {
  // Never repeated after EINTR: the descriptor is gone then, and its number may be another's.
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe_close_on_exec(ends) != 0) {
    return std::unexpected(refused_by_system("creating a pipe", errno));
  }
  Pipe pipe{Fd(ends[0]), Fd(ends[1])};
  if (!move_above_stdio(pipe.read) || !move_above_stdio(pipe.write)) {
    return std::unexpected(refused_by_system("creating a pipe", errno));
  }
  return pipe;
}

Result<Fd> duplicate(int fd) {
  Fd copy(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  if (!copy) return std::unexpected(refused_by_system("copying a descriptor", errno));
  return copy;
}

Result<void> set_nonblocking(const Fd& fd) {
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) != 0) {
    return std::unexpected(refused_by_system("making a descriptor non-blocking", errno));
  }
  return {};
}

Error refused_by_system(std::string_view what, int os_error) {
  Error error;
  error.code = Errc::spawn_failed;
  error.message = std::string(what) + " failed: " + std::generic_category().message(os_error);
  error.advice = advice_for(os_error);
  error.os_error = os_error;
  return error;
}

}  // namespace claude::io
