// Reading one line of JSON in one pass.
//
// simdjson finds the tokens (its first stage: SIMD, UTF-8 checked, chosen at run time for the
// processor); the walk over them is ours, because simdjson's own does not check what it skips:
// what came in broken must not go out again as somebody's tool input. It knows JSON and nothing
// of the protocol.
//
// What it hands out are views: into the text itself, or, where a string had to be unescaped, into
// an Arena. The first error sticks, names its byte, and ends the reading.
#pragma once

#include <claude/json.h>

#include "json/limits.h"
#include "json/strings.h"
#include "json/tokens.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace claude::json {

enum class Kind : unsigned char { null, boolean, number, string, array, object };

// The name of a member. Good for comparing until its value is read.
class Key {
 public:
  // Both stand behind the opening quote; `name` without escapes, if it is not too long for that.
  Key(const char* raw, const char* name) : raw_(raw), name_(name) {}

  template <std::size_t N>
  bool is(const char (&name)[N]) const {
    static_assert(N <= kPaddingBytes, "a comparison must stay within the padding");
    return std::memcmp(name_, name, N - 1) == 0 && name_[N - 1] == '"';
  }
  // As it stands in the text, up to the closing quote: escapes as they are, but checked.
  std::string_view raw() const;

 private:
  const char* raw_;
  const char* name_;
};

class Reader {
 public:
  // The byte behind the text must be 0: it ends every loop. Who knows that there is no backslash in
  // the text says so: nobody has to look for one.
  [[gnu::hot]] Reader(std::string_view text, const Tokens& tokens, bool may_escape = true);

  bool broken() const { return problem_ != nullptr; }
  // "a comma is missing at byte 17".
  std::string problem() const;
  // Always false, so that it can be returned.
  [[gnu::cold]] bool fail(const char* what);

  // To read a part twice.
  using Mark = const std::uint32_t*;
  Mark mark() const { return at_; }
  void back_to(Mark mark) { at_ = mark; }
  // True when nothing follows the value that was read.
  bool finished() { return !broken() && (*at_ >= end_ || fail("more text behind the value")); }

  // What comes next. Each of the functions below reads it if it is of that kind; if not, gives
  // nothing and stays where it is.
  [[gnu::hot]] Kind kind() const;
  std::optional<bool> boolean();
  std::optional<std::int64_t> integer();
  std::optional<double> number();
  std::optional<std::string_view> string(Arena& arena);
  // Whatever comes next, checked to the last byte; empty if it is broken. `depth`: of what it is
  // in, where that counts as well.
  [[gnu::hot]] RawJson raw(std::size_t depth = 0);

  // Calls fn(Key) for each member; fn reads the value. Stops early when fn returns false.
  template <class F>
  bool each_member(F&& fn);
  // Calls fn() for each element; fn reads it.
  template <class F>
  bool each_item(F&& fn);

 private:
  [[gnu::hot]] bool skip(std::size_t depth);
  bool scalar_is_good(Mark at) const;
  bool escapes_are_good_in(Mark at) const;
  bool string_is_good(Mark at) const {
    return !may_have_escape(text_ + at[0], text_ + at[1]) || escapes_are_good_in(at);
  }
  char peek() const { return text_[*at_]; }
  std::string_view token() const { return token(at_); }
  // From a token to the next, without blanks at its end.
  std::string_view token(Mark at) const {
    std::size_t from = at[0];
    std::size_t to = at[1];
    while (to > from && is_blank(text_[to - 1])) --to;
    return {text_ + from, to - from};
  }
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  // The name that begins at `raw`, for Key; null if one of its escapes is broken.
  [[gnu::cold]] const char* name_at(const char* raw);
  // Most strings stand clear of the few escapes of a line: no need to search them.
  bool may_have_escape(const char* from, const char* to) const {
    return from <= last_escape_ && to > first_escape_;
  }

  const char* text_;
  std::size_t end_;
  const std::uint32_t* at_;
  const char* problem_ = nullptr;
  std::size_t problem_byte_ = 0;
  const char* first_escape_;                  // the first backslash of the text and the last;
  const char* last_escape_;                   // swapped around when there is none
  std::array<char, 2 * kPaddingBytes> name_;  // of a member whose name has escapes
};

// ---- Inline, because this is the path of every message ----------------------------------------

inline std::optional<std::string_view> Reader::string(Arena& arena) {
  if (peek() != '"') return std::nullopt;
  std::string_view content = token();
  content = content.substr(1, content.size() - 2);
  if (may_have_escape(content.data(), content.data() + content.size()) &&
      std::memchr(content.data(), '\\', content.size()) != nullptr) {
    auto plain = unescape(content, arena);
    if (!plain) return fail("a string has a broken escape"), std::nullopt;
    content = *plain;
  }
  ++at_;
  return content;
}

template <class F>
bool Reader::each_member(F&& fn) {
  if (broken()) return false;
  if (peek() != '{') return fail("an object was expected");
  ++at_;
  if (peek() == '}') return ++at_, true;
  while (true) {
    if (peek() != '"') return fail("the name of a member is missing");
    const char* raw = text_ + *at_ + 1;
    const char* name = may_have_escape(raw, text_ + at_[1]) ? name_at(raw) : raw;
    if (name == nullptr) return fail("a name has a broken escape");
    ++at_;
    if (peek() != ':') return fail("a colon is missing");
    ++at_;
    if (!fn(Key(raw, name))) return !broken();
    if (broken()) return false;
    char next = peek();
    if (next != ',' && next != '}') return fail("a comma is missing");
    ++at_;
    if (next == '}') return true;
  }
}

template <class F>
bool Reader::each_item(F&& fn) {
  if (broken()) return false;
  if (peek() != '[') return fail("a list was expected");
  ++at_;
  if (peek() == ']') return ++at_, true;
  while (true) {
    fn();
    if (broken()) return false;
    char next = peek();
    if (next != ',' && next != ']') return fail("a comma is missing");
    ++at_;
    if (next == ']') return true;
  }
}

}  // namespace claude::json
