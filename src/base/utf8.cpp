// The table of RFC 3629, section 4, as code.
#include "base/utf8.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace claude::utf8 {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::uint64_t kHighBits = 0x8080808080808080;

unsigned char byte(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool between(unsigned char value, int low, int high) {
  return low <= value && value <= high;
}

// The length of the whole, right sequence that begins at `at`; 0 when there is none.
std::size_t sequence_at(std::string_view text, std::size_t at) {
  const unsigned char lead = byte(text, at);
  if (lead < 0x80) return 1;
  const std::size_t length = between(lead, 0xC2, 0xDF)   ? 2
                             : between(lead, 0xE0, 0xEF) ? 3
                             : between(lead, 0xF0, 0xF4) ? 4
                                                         : 0;
  if (length == 0 || text.size() - at < length) return 0;
  // After these four leads the second byte has a smaller range: it rules out overlong forms,
  // surrogates and what lies above U+10FFFF.
  const int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (!between(byte(text, at + 1), low, high)) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!between(byte(text, at + i), 0x80, 0xBF)) return 0;
  }
  return length;
}

}  // namespace

std::size_t valid_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    // Most text is ASCII: eight bytes a step.
    std::uint64_t word = kHighBits;
    if (text.size() - at >= sizeof word) std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) == 0) {
      at += sizeof word;
      continue;
    }
    const std::size_t length = sequence_at(text, at);
    if (length == 0) return at;
    at += length;
  }
  return at;
}

std::string repair(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  while (true) {
    const std::size_t good = valid_prefix(text);
    out.append(text.substr(0, good));
    if (good == text.size()) return out;
    std::array<char, kMostBytes> replacement;
    out.append(replacement.data(), put(replacement.data(), kReplacement));
    text.remove_prefix(good + 1);
  }
}

char* put(char* out, char32_t code_point) {
  const bool surrogate = 0xD800 <= code_point && code_point <= 0xDFFF;
  if (surrogate || code_point > 0x10FFFF) code_point = kReplacement;
  const auto add = [&](char32_t value) { *out++ = static_cast<char>(value); };
  const auto tail = [&](int shift) { add(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xC0 | code_point >> 6), tail(0);
  } else if (code_point < 0x10000) {
    add(0xE0 | code_point >> 12), tail(6), tail(0);
  } else {
    add(0xF0 | code_point >> 18), tail(12), tail(6), tail(0);
  }
  return out;
}

}  // namespace claude::utf8
