// JSON in text that is plain: printable ASCII without a backslash, as most of what the CLI asks is.
//
// A string in it ends with the next quote, and nothing has to be unescaped or checked for UTF-8. So
// a short value is passed in less code than a parser has to fetch.
#pragma once

#include "base/hot.h"
#include "json/limits.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#if defined(__SSE2__)
#include <emmintrin.h>

#include <bit>
#endif

namespace claude::json {

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
inline bool is_printable_ascii(std::string_view text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  assert(text.size() >= kBlockBytes);
  const char* const last = text.data() + text.size() - kBlockBytes;
  Pair strange = strange_in_block(last);  // overlaps what is before it
  for (const char* at = text.data(); at < last; at += kBlockBytes) strange |= strange_in_block(at);
  return ((strange[0] | strange[1]) & kHigh) == 0;
}

// The first quote; null if there is none before the end, behind which are kPaddingBytes. For short
// strings: the C library's search costs more than it finds there.
inline const char* find_quote(const char* at, const char* end) {
#if defined(__SSE2__)
  static_assert(sizeof(__m128i) <= kPaddingBytes);
  for (; at < end; at += sizeof(__m128i)) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const int quotes = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
    if (quotes == 0) continue;
    at += std::countr_zero(static_cast<unsigned>(quotes));
    return at < end ? at : nullptr;
  }
  return nullptr;
#else
  return static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
#endif
}

// Where the value that begins at `at` is over. Null if it is broken, and also if it is one for a
// parser: with blanks in it, with a number that is no short integer, or deeply nested. The text is
// plain, and the byte behind it 0.
CLAUDE_EACH_ASK const char* end_of_plain_value(const char* at, const char* end);

}  // namespace claude::json
