// A CLI that was started, and the lines that it writes: one read, one search for newlines, no more.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace limit {

[[noreturn]] void fail(const char* what);

class Lines {
 public:
  explicit Lines(const char* cli);

  int output() const { return output_; }
  void send(std::string_view text);

  // Reads once and calls on_line(char*, size) for each line that is whole now, without its newline.
  // There is room behind every line for a parser to read beyond it. False: the CLI has ended.
  template <class F>
  bool read_once(F&& on_line) {
    if (!fill()) return false;
    std::size_t size = 0;
    while (char* line = take(size)) on_line(line, size);
    return true;
  }

  void close_input();
  void wait_for_exit();

 private:
  bool fill();
  char* take(std::size_t& size);

  pid_t pid_ = 0;
  int input_ = -1, output_ = -1;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0, begin_ = 0, searched_ = 0, end_ = 0;
};

}  // namespace limit
