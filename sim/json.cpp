// Reading lines as tolerantly as the CLI does.
#include "json.h"

namespace claude::sim {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the valid UTF-8 sequence at `at`, or 0.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  if (first == 0xE0 && byte(at + 1) < 0xA0) return 0;
  if (first == 0xED && byte(at + 1) > 0x9F) return 0;
  if (first == 0xF0 && byte(at + 1) < 0x90) return 0;
  if (first == 0xF4 && byte(at + 1) > 0x8F) return 0;
  return length;
}

// The code unit of a \uXXXX escape at `at`, or -1.
int escaped_unit(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int unit = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool is_high(int unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}
bool is_low(int unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

std::string mended(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      const int unit = escaped_unit(text, at);
      if (is_high(unit) && is_low(escaped_unit(text, at + 6))) {
        out += text.substr(at, 12);
        at += 12;
      } else if (is_high(unit) || is_low(unit)) {
        out += kReplacement;
        at += 6;
      } else {
        out += text.substr(at, 2);
        at += 2;
      }
      continue;
    }
    const std::size_t length = sequence_length(text, at);
    out += length ? text.substr(at, length) : kReplacement;
    at += length ? length : 1;
  }
  return out;
}

bool is_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string && c == '\\') {
      ++at;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{')) {
      if (++depth > kMaxDepth) return true;
    } else if (!in_string && (c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace

Json parse(std::string_view text) {
  return is_too_deep(text) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

Json parse_line(std::string_view line) {
  Json value = parse(line);
  return value.is_discarded() ? parse(mended(line)) : value;
}

bool contains(const Json& whole, const Json& part) {
  if (part.is_object()) {
    if (!whole.is_object()) return false;
    for (const auto& [key, value] : part.items()) {
      auto found = whole.find(key);
      if (found == whole.end() || !contains(*found, value)) return false;
    }
    return true;
  }
  if (part.is_array()) {
    if (!whole.is_array() || whole.size() < part.size()) return false;
    for (std::size_t i = 0; i < part.size(); ++i)
      if (!contains(whole[i], part[i])) return false;
    return true;
  }
  return whole == part;
}

}  // namespace claude::sim
