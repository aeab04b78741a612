// Writing, and the ways to end the program with everything written.
#include "output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "world.h"

namespace claude::sim {
namespace {

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(fd, bytes.data(), bytes.size());
    if (done > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno == EAGAIN) {
      pollfd room{fd, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace

Output::Output() {
  // Only a pipe can be full for long; a terminal that others share must stay blocking.
  struct stat kind{};
  if (fstat(world().out, &kind) == 0 && (S_ISFIFO(kind.st_mode) || S_ISSOCK(kind.st_mode)))
    fcntl(world().out, F_SETFL, fcntl(world().out, F_GETFL) | O_NONBLOCK);
}

void Output::put(std::string_view bytes) {
  if (closed_ || bytes.empty()) return;
  queue_ += bytes;
  drained_.close();
}

std::size_t Output::next_cut() const {
  if (cut_ == Cut::bytes) return 1;
  const std::size_t newline = cut_ == Cut::lines ? queue_.find('\n', sent_) : queue_.npos;
  return newline == queue_.npos ? queue_.size() - sent_ : newline + 1 - sent_;
}

void Output::flush() {
  while (waiting()) {
    const ssize_t done = write(world().out, queue_.data() + sent_, next_cut());
    if (done > 0) {
      sent_ += static_cast<std::size_t>(done);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      closed_ = true;  // nobody reads any more; the CLI lives on until its stdin ends
    }
  }
  queue_.clear();
  sent_ = 0;
  if (!drained_.is_open()) drained_.open();
}

void Output::write_everything() {
  while (waiting()) {
    flush();
    if (!waiting()) break;
    pollfd room{world().out, POLLOUT, 0};
    poll(&room, 1, -1);
  }
}

void Output::exit_now(int code) {
  write_everything();
  throw Ended{.code = code};
}

void Output::die_of(int number) {
  write_everything();
  throw Ended{.code = 128 + number, .signal = number};
}

void Output::close() {
  write_everything();
  closed_ = true;
  // The number stays taken: a file opened later must not become our stdout.
  const int nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, world().out);
  ::close(nothing);
}

void complain(std::string_view text) {
  write_all(world().err, text);
}

}  // namespace claude::sim
