// Small things that text needs in more than one room.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace claude::base {

// Appends the digits of a number: no locale, no allocation of its own.
void append_number(std::string& out, std::integral auto value) {
  std::array<char, 24> digits;  // -9223372036854775808 has 20
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

// Without the newlines and blanks at its end, as programs put them behind what they print.
inline std::string_view trim_end(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace claude::base
