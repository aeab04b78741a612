// UTF-8: is it, and what to do when it is not.
//
// The wire is UTF-8, but what users hand us (file contents, tool output) may be anything.
// Overlong forms, surrogates and code points above U+10FFFF are wrong here, as in RFC 3629.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace claude::utf8 {

// The number of bytes before the first wrong one: text.size() when all is well.
std::size_t valid_prefix(std::string_view text);

inline bool is_valid(std::string_view text) {
  return valid_prefix(text) == text.size();
}

// The text with U+FFFD in place of each wrong byte.
std::string repair(std::string_view text);

// Writes a code point, of kMostBytes at most; one that UTF-8 cannot hold (surrogates too) as
// U+FFFD. Where the next one goes.
inline constexpr std::size_t kMostBytes = 4;
char* put(char* out, char32_t code_point);

}  // namespace claude::utf8
