// Over a value without tokens.
#include "json/plain.h"

namespace claude::json {
namespace {

constexpr int kDepth = 64;   // one bit each
constexpr int kDigits = 15;  // so many fit a double: nobody has to check the range

// Behind the string that begins here; null if none does.
const char* behind_string(const char* at, const char* end) {
  if (*at != '"') return nullptr;
  const char* const quote = find_quote(at + 1, end);
  return quote == nullptr ? nullptr : quote + 1;
}

// Behind the name of a member and its colon.
const char* behind_name(const char* at, const char* end) {
  at = behind_string(at, end);
  return at != nullptr && *at == ':' ? at + 1 : nullptr;
}

const char* behind_word(const char* at) {
  if (std::memcmp(at, "true", 4) == 0 || std::memcmp(at, "null", 4) == 0) return at + 4;
  return std::memcmp(at, "false", 5) == 0 ? at + 5 : nullptr;
}

// What follows an integer tells whether it was one: no value goes on with a digit or a point.
const char* behind_integer(const char* at) {
  if (*at == '-') ++at;
  if (*at == '0') return at + 1;
  const char* const first = at;
  while (*at >= '0' && *at <= '9') ++at;
  return at > first && at - first <= kDigits ? at : nullptr;
}

}  // namespace

const char* end_of_plain_value(const char* at, const char* end) {
  std::uint64_t objects = 0;  // what we are in, the innermost last: 1 for an object, 0 for a list
  int depth = 0;
  while (true) {
    const char first = *at;
    if (first == '"') {
      at = behind_string(at, end);
    } else if (first == '{' || first == '[') {
      const char closing = first == '{' ? '}' : ']';
      ++at;
      if (*at != closing) {
        if (++depth > kDepth) return nullptr;
        objects = objects << 1 | (first == '{' ? 1 : 0);
        if (first == '{') at = behind_name(at, end);
        if (at == nullptr) return nullptr;
        continue;
      }
      ++at;
    } else {
      at = first >= 'a' ? behind_word(at) : behind_integer(at);
    }
    if (at == nullptr) return nullptr;
    for (; depth > 0 && *at == ((objects & 1) != 0 ? '}' : ']'); --depth) {
      ++at;
      objects >>= 1;
    }
    if (depth == 0) return at;
    if (*at++ != ',') return nullptr;
    if ((objects & 1) != 0) at = behind_name(at, end);
    if (at == nullptr) return nullptr;
  }
}

}  // namespace claude::json
