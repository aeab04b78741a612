// For lines that the CLI writes again and again in one form: they are compared piece by piece, and
// what differs from the form by a single byte is left to the general decoder.
#pragma once

#include <cassert>
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
    rest_.remove_prefix(before.size());
    return string(out);
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

// Sixteen bytes, as two numbers: what a register of every 64-bit machine holds.
using Pair [[gnu::vector_size(16)]] = std::uint64_t;

// Bytes above ASCII and control characters have their top bit set in the result: for a byte below
// 0x80, subtracting 0x20 borrows into its top bit exactly if it is a control character, and a
// borrow can only come from such a byte.
inline Pair strange_in(const char* at) {
  Pair pair;
  std::memcpy(&pair, at, sizeof(pair));
  return pair | (pair - 0x2020202020202020);
}

constexpr std::size_t kBlockBytes = 4 * sizeof(Pair);
inline Pair strange_in_block(const char* at) {
  return strange_in(at) | strange_in(at + sizeof(Pair)) | strange_in(at + 2 * sizeof(Pair)) |
         strange_in(at + 3 * sizeof(Pair));
}

// No byte above ASCII, and no control character. The text is not shorter than a block.
inline bool is_plain(std::string_view text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  assert(text.size() >= kBlockBytes);
  const char* const last = text.data() + text.size() - kBlockBytes;
  Pair strange = strange_in_block(last);  // overlaps what is before it
  for (const char* at = text.data(); at < last; at += kBlockBytes) strange |= strange_in_block(at);
  return ((strange[0] | strange[1]) & kHigh) == 0;
}

}  // namespace claude::wire
