// stdout: a queue of bytes that is written as the reader takes them, so that a reader that sleeps
// never stops us from listening. How the bytes are cut into writes is a fault that can be chosen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "loop.h"

namespace claude::sim {

// Thrown through everything when the CLI ends: by itself, or as if a signal had killed it.
struct Ended {
  int code = 0;
  int signal = 0;
};

class Output {
 public:
  enum class Cut { whole, lines, bytes };

  Output();

  void put(std::string_view bytes);
  void set_cut(Cut cut) { cut_ = cut; }

  // Writes what the pipe takes now.
  void flush();
  bool waiting() const { return !closed_ && sent_ < queue_.size(); }
  Gate& drained() { return drained_; }

  // Writes all of it, waiting for the reader, and ends.
  [[noreturn]] void exit_now(int code);
  [[noreturn]] void die_of(int signal);
  void close();

 private:
  void write_everything();
  std::size_t next_cut() const;

  std::string queue_;
  std::size_t sent_ = 0;
  Cut cut_ = Cut::whole;
  bool closed_ = false;
  Gate drained_;
};

// Text on stderr, at once.
void complain(std::string_view text);

}  // namespace claude::sim
