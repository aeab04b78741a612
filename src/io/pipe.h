// Reading and writing a pipe: one system call in the good case, EINTR handled, never SIGPIPE.
#pragma once

#include "base/hot.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace claude::io {

struct ReadOutcome {
  enum class Kind : std::uint8_t { bytes, would_block, eof, error } kind;
  std::size_t count = 0;  // when bytes; at least 1
  int os_error = 0;       // when error
};

struct WriteOutcome {
  enum class Kind : std::uint8_t { bytes, would_block, closed, error } kind;
  std::size_t count = 0;  // when bytes; may be less than was offered
  int os_error = 0;       // when closed (nobody reads any more: EPIPE) or error
};

// Reads what is there, up to into.size(), which must not be 0.
[[gnu::hot]] ReadOutcome read_some(int fd, std::span<char> into);

// Writes as much as fits. Leaves the host's signal mask and dispositions as they are.
CLAUDE_EACH_ASK WriteOutcome write_some(int fd, std::string_view bytes);

// Writes all of it, to a file or whatever else: 0, or why it could not. Never SIGXFSZ either.
[[gnu::cold]] int write_all(int fd, std::string_view bytes);

}  // namespace claude::io
