// For lines that the CLI writes again and again in one form: they are compared piece by piece, and
// what differs from the form by a single byte is left to the general decoder.
#pragma once

#include <claude/json.h>

#include "json/plain.h"

#include <array>
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
  // The string behind `before`. Not inlined: for lines with many of them, most of whose cost is to
  // fetch the code.
  [[gnu::noinline]] bool text(std::string_view before, std::string_view& out) {
    if (!rest_.starts_with(before)) return false;
    const char* const begin = rest_.data() + before.size();
    const char* const quote = json::find_quote(begin, rest_.data() + rest_.size());
    if (quote == nullptr) return false;
    out = {begin, static_cast<std::size_t>(quote - begin)};
    go_to(quote + 1);
    return true;
  }
  // The same for several, one behind the other: in a loop, because pieces of text are fetched more
  // cheaply than code.
  template <std::size_t N>
  bool texts(const std::array<std::string_view, N>& befores, std::array<std::string_view, N>& out) {
    for (std::size_t i = 0; i < N; ++i) {
      if (!text(befores[i], out[i])) return false;
    }
    return true;
  }
  // As string(), with escapes in it: a quote behind a backslash that is not itself escaped
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
  // The value at which it stands, in a line that is plain. False also if it is one for a parser.
  bool plain_value(RawJson& out) {
    const char* const begin = rest_.data();
    const char* const end = json::end_of_plain_value(begin, begin + rest_.size());
    if (end == nullptr) return false;
    go_to(end);
    out = RawJson(since(begin));
    return true;
  }
  // To a place further on.
  void go_to(const char* place) {
    rest_.remove_prefix(static_cast<std::size_t>(place - rest_.data()));
  }
  std::string_view rest() const { return rest_; }
  // From a place that it has passed to where it is.
  std::string_view since(const char* place) const {
    return {place, static_cast<std::size_t>(rest_.data() - place)};
  }
  bool ended() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace claude::wire
