// For lines that the CLI writes again and again in one form: they are compared piece by piece, and
// what differs from the form by a single byte is left to the general decoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace claude::wire {

// Walks along the line; false as soon as it is not what was expected.
class Walk {
 public:
  explicit Walk(std::string_view line) : rest_(line) {}

  // Inlined, so that each comparison knows its length.
  [[gnu::always_inline]] bool skip(std::string_view expected) {
    if (rest_.size() < expected.size() ||
        std::memcmp(rest_.data(), expected.data(), expected.size()) != 0) {
      return false;
    }
    rest_.remove_prefix(expected.size());
    return true;
  }
  // One digit: an answer has few blocks.
  bool digit(std::int64_t& out) {
    if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') return false;
    out = rest_[0] - '0';
    rest_.remove_prefix(1);
    return true;
  }
  // Up to the closing quote, which is skipped.
  bool string(std::string_view& out) {
    std::size_t quote = rest_.find('"');
    if (quote == rest_.npos) return false;
    out = rest_.substr(0, quote);
    rest_.remove_prefix(quote + 1);
    return true;
  }
  // The same for a string with escapes in it: a quote behind a backslash that is not itself escaped
  // is no end.
  bool escaped_string(std::string_view& out) {
    for (std::size_t quote = rest_.find('"'); quote != rest_.npos;
         quote = rest_.find('"', quote + 1)) {
      out = rest_.substr(0, quote);
      const std::size_t plain = out.find_last_not_of('\\') + 1;  // npos + 1 is 0: none is plain
      if ((quote - plain) % 2 != 0) continue;
      rest_.remove_prefix(quote + 1);
      return true;
    }
    return false;
  }
  // To a place further on.
  void go_to(const char* place) {
    rest_.remove_prefix(static_cast<std::size_t>(place - rest_.data()));
  }
  bool ended() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace claude::wire
