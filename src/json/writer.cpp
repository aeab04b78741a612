// Strings and numbers as text: the part of writing that takes time. Most strings have nothing to
// escape and are copied whole, so that is found out first.
#include "json/writer.h"

#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

namespace claude::json {
namespace {

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

// Eight bytes are looked at in one step.
using Word = std::uint64_t;
constexpr Word kOnes = 0x0101010101010101;
constexpr Word kHighBits = kOnes * 0x80;

Word word_at(const char* text) {
  Word word;
  std::memcpy(&word, text, sizeof word);
  return word;
}

// High bits, one at least where a byte below 0x20, a quote or a backslash stands. Others may be
// set by a borrow between two bytes, or by a byte above 0x7f: a "no" is certain, a "yes" is not.
Word marks(Word word) {
  return (word - kOnes * 0x20) | ((word ^ kOnes * '"') - kOnes) | ((word ^ kOnes * '\\') - kOnes);
}

// Most strings: ASCII, and nothing in it to escape.
bool is_plain(std::string_view text) {
  const auto plain = [](const char* eight) {
    const Word word = word_at(eight);
    return ((marks(word) | word) & kHighBits) == 0;
  };
  if (text.size() < sizeof(Word)) {
    return std::ranges::all_of(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x80 && !needs_escape(c); });
  }
  const char* const last = text.data() + text.size() - sizeof(Word);
  for (const char* at = text.data(); at < last; at += sizeof(Word)) {
    if (!plain(at)) return false;
  }
  return plain(last);
}

// How many bytes can be copied before the first that needs an escape.
std::size_t copyable_prefix(std::string_view text) {
  std::size_t at = 0;
  while (text.size() - at >= sizeof(Word)) {
    const Word word = word_at(text.data() + at);
    if ((marks(word) & ~word & kHighBits) == 0) {
      at += sizeof(Word);
      continue;
    }
    for (const std::size_t end = at + sizeof(Word); at < end; ++at) {
      if (needs_escape(text[at])) return at;
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
    const std::size_t copied = copyable_prefix(text);
    out.append(text.data(), copied);
    if (copied == text.size()) return;
    append_escape(out, text[copied]);
    text.remove_prefix(copied + 1);
  }
}

}  // namespace

Writer& Writer::string(std::string_view text) {
  if (is_plain(text)) {
    const std::size_t before = out_.size();
    out_.resize_and_overwrite(before + text.size() + 3, [&](char* out, std::size_t) {
      char* to = out + before;
      if (std::exchange(comma_, true)) *to++ = ',';
      *to++ = '"';
      to += text.copy(to, text.size());
      *to++ = '"';
      return static_cast<std::size_t>(to - out);
    });
    return *this;
  }
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
