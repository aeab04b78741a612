// Starting a CLI and reading its lines; see lines.h.
#include "limit/lines.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace limit {
namespace {

constexpr std::size_t kFirstCapacity = 128 << 10;
constexpr std::size_t kPadding = 64;  // no less than SIMDJSON_PADDING

}  // namespace

void fail(const char* what) {
  std::perror(what);
  std::_Exit(2);
}

Lines::Lines(const char* cli) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) fail("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  const char* arguments[] = {cli,           "--output-format", "stream-json", "--input-format",
                             "stream-json", "--verbose",       nullptr};
  if (posix_spawn(&pid_, cli, &actions, nullptr, const_cast<char**>(arguments), environ)) fail(cli);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  output_ = out[0];
}

void Lines::send(std::string_view text) {
  while (!text.empty()) {
    ssize_t written = write(input_, text.data(), text.size());
    if (written < 0 && errno != EINTR) fail("write");
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool Lines::fill() {
  // What is left moves to the front: that part of the buffer is in the cache.
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    searched_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_) {
    capacity_ = capacity_ ? 2 * capacity_ : kFirstCapacity;
    // Not make_unique: memory that is not used is not touched.
    std::unique_ptr<char[]> larger(new char[capacity_ + kPadding]);
    if (end_ > 0) std::memcpy(larger.get(), buffer_.get(), end_);
    buffer_ = std::move(larger);
  }
  ssize_t got = 0;
  do {
    got = read(output_, buffer_.get() + end_, capacity_ - end_);
  } while (got < 0 && errno == EINTR);
  if (got < 0) fail("read");
  end_ += static_cast<std::size_t>(got);
  return got > 0;
}

char* Lines::take(std::size_t& size) {
  void* found =
      searched_ < end_ ? std::memchr(buffer_.get() + searched_, '\n', end_ - searched_) : nullptr;
  if (!found) return searched_ = end_, nullptr;
  char* line = buffer_.get() + begin_;
  size = static_cast<std::size_t>(static_cast<char*>(found) - line);
  begin_ = searched_ = begin_ + size + 1;
  return line;
}

void Lines::close_input() {
  close(input_);
}

void Lines::wait_for_exit() {
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close(output_);
}

}  // namespace limit
