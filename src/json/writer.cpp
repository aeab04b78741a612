#include "json/writer.h"

#include "base/utf8.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace claude::json {
namespace {

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Eight bytes at once: whether one of them may need an escape. A "no" is certain; a "yes" may
// be wrong by a borrow between two bytes, and the caller looks again.
bool may_need_escape(const char* eight) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const auto below = [](std::uint64_t word, std::uint64_t limit) {
    return (word - kOnes * limit) & ~word;  // sets the high bit of a byte below the limit
  };
  std::uint64_t word;
  std::memcpy(&word, eight, sizeof word);
  const std::uint64_t found =
      below(word, 0x20) | below(word ^ (kOnes * '"'), 1) | below(word ^ (kOnes * '\\'), 1);
  return (found & (kOnes * 0x80)) != 0;
}

// How many bytes can be copied before the first that needs an escape.
std::size_t plain_prefix(std::string_view text) {
  std::size_t at = 0;
  while (text.size() - at >= 8) {
    if (may_need_escape(text.data() + at)) {
      for (const std::size_t end = at + 8; at < end; ++at) {
        if (needs_escape(text[at])) return at;
      }
    } else {
      at += 8;
    }
  }
  while (at < text.size() && !needs_escape(text[at])) ++at;
  return at;
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    default:
      out += "\\u00";
      out += {kHex[static_cast<std::size_t>(c) >> 4], kHex[static_cast<std::size_t>(c) & 15]};
  }
}

void append_escaped(std::string& out, std::string_view text) {
  while (true) {
    const std::size_t plain = plain_prefix(text);
    out.append(text.data(), plain);
    if (plain == text.size()) return;
    append_escape(out, text[plain]);
    text.remove_prefix(plain + 1);
  }
}

}  // namespace

Writer& Writer::string(std::string_view text) {
  separate();
  out_ += '"';
  if (utf8::is_valid(text)) {
    append_escaped(out_, text);
  } else {
    append_escaped(out_, utf8::repair(text));
  }
  out_ += '"';
  return *this;
}

Writer& Writer::number(double value) {
  if (!std::isfinite(value)) return null();
  std::array<char, 32> text;  // -2.2250738585072014e-308 has 24
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return word({text.data(), static_cast<std::size_t>(end - text.data())});
}

Writer& Writer::raw(std::string_view checked) {
  if (checked.empty()) return null();
  if (!checked.contains('\n') && !checked.contains('\r')) return word(checked);
  // A newline cannot stand inside a JSON string, so here it is blank space between two tokens.
  separate();
  for (char c : checked) {
    if (c != '\n' && c != '\r') out_ += c;
  }
  return *this;
}

Writer& Writer::value(const Json& json) {
  if (json.is_string()) return string(json.text());
  if (json.is_object()) {
    begin_object();
    for (const Json::Member& member : json.members()) key(member.name).value(member.value);
    return end_object();
  }
  if (json.is_array()) {
    begin_array();
    for (const Json& item : json.items()) value(item);
    return end_array();
  }
  if (json.is_bool()) return boolean(json.boolean());
  if (!json.is_number()) return null();
  if (!json.is_integer()) return number(json.number());
  // Each integer is in one of the two ranges at least, and they agree where they overlap.
  const std::uint64_t natural = json.unsigned_integer();
  return natural != 0 ? unsigned_integer(natural) : integer(json.integer());
}

}  // namespace claude::json
