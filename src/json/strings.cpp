// A block of bytes at a time: long texts are dense with escaped newlines and quotes.
#include "json/strings.h"

#include "base/utf8.h"
#include "json/limits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace claude::json {
namespace {

// Four hexadecimal digits, or nothing.
std::optional<unsigned> hex4(const char* at, const char* end) {
  unsigned value = 0;
  if (end - at < 4) return std::nullopt;
  auto [stop, error] = std::from_chars(at, at + 4, value, 16);
  if (error != std::errc() || stop != at + 4) return std::nullopt;
  return value;
}

constexpr unsigned kReplacement = 0xfffd;

// Reads what follows `\u`.
std::optional<unsigned> code_point(const char*& at, const char* end) {
  auto unit = hex4(at, end);
  if (!unit) return std::nullopt;
  at += 4;
  if (*unit < 0xd800 || *unit > 0xdfff) return unit;
  if (*unit > 0xdbff || end - at < 6 || at[0] != '\\' || at[1] != 'u') return kReplacement;
  auto low = hex4(at + 2, end);
  if (!low || *low < 0xdc00 || *low > 0xdfff) return kReplacement;
  at += 6;
  return 0x10000 + ((*unit - 0xd800) << 10) + (*low - 0xdc00);
}

// The character that a backslash and `c` stand for; 0 for none.
char simple_escape(char c) {
  static constexpr auto kTable = [] {
    std::array<char, 256> table{};
    table['"'] = '"', table['\\'] = '\\', table['/'] = '/';
    table['b'] = '\b', table['f'] = '\f', table['n'] = '\n', table['r'] = '\r', table['t'] = '\t';
    return table;
  }();
  return kTable[static_cast<unsigned char>(c)];
}

// Prose mixed with code has an escape in forty bytes: most blocks of this size have one, and the
// processor guesses right that they do. With half of it a long text takes a tenth longer.
constexpr std::size_t kBlock = 64;
static_assert(kBlock <= kPaddingBytes, "a block may begin at the last byte");

// Copies a block; gives the place of its first backslash, or kBlock.
std::size_t copy_block(const char* from, char* to) {
#if defined(__SSE2__)
  std::uint64_t marks = 0;  // a bit for each byte
  static_assert(kBlock == 64);
  for (std::size_t part = 0; part < kBlock; part += sizeof(__m128i)) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + part));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + part), bytes);
    const int found = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    marks |= std::uint64_t{static_cast<unsigned>(found)} << part;
  }
  return static_cast<std::size_t>(std::countr_zero(marks));
#else
  std::memmove(to, from, kBlock);
  return static_cast<std::size_t>(std::find(from, from + kBlock, '\\') - from);
#endif
}

const char* find_backslash(const char* at, const char* end) {
  return static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at)));
}

// Copies up to the next backslash, or to the end; false at the end. In whole blocks: a search and
// then a copy would cost twice as much where escapes are dense. What it writes too much is written
// over, or falls into the padding.
bool copy_to_backslash(const char*& at, const char* end, char*& out) {
  while (at < end) {
    const std::size_t found = copy_block(at, out);
    const auto left = static_cast<std::size_t>(end - at);
    const std::size_t copied = std::min(found, left);
    at += copied;
    out += copied;
    if (copied < kBlock) return copied < left;
  }
  return false;
}

}  // namespace

bool escapes_are_good(std::string_view content) {
  const char* at = content.data();
  const char* end = at + content.size();
  while ((at = find_backslash(at, end)) != nullptr) {
    char c = at[1];  // a string cannot end in a lone backslash: it would have no closing quote
    if (c == 'u' ? !hex4(at + 2, end) : simple_escape(c) == 0) return false;
    at += 2;
  }
  return true;
}

std::size_t unescape_first(std::string_view text, Arena& arena) {
  if (text.size() < 2 || text[0] != '\\') return 0;
  const char* at = text.data() + 2;
  if (text[1] == 'u') {
    const auto code = code_point(at, text.data() + text.size());
    if (!code) return 0;
    arena.at = utf8::put(arena.at, *code);
  } else {
    const char plain = simple_escape(text[1]);
    if (plain == 0) return 0;
    *arena.at++ = plain;
  }
  return static_cast<std::size_t>(at - text.data());
}

std::optional<std::string_view> unescape(std::string_view content, Arena& arena) {
  const char* at = content.data();
  const char* end = at + content.size();
  char* const begin = arena.at;
  char* out = begin;
  while (copy_to_backslash(at, end, out)) {
    const char escaped = at[1];
    at += 2;
    if (escaped == 'u') {
      auto code = code_point(at, end);
      if (!code) return std::nullopt;
      out = utf8::put(out, *code);
    } else {
      *out = simple_escape(escaped);
      if (*out++ == 0) return std::nullopt;
    }
  }
  arena.at = out;
  return std::string_view(begin, static_cast<std::size_t>(out - begin));
}

}  // namespace claude::json
