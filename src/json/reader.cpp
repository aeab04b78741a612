// Numbers, and values that are only checked: the parts of the reader that are not on the path of
// every message.
#include "json/reader.h"

#include "base/text.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace claude::json {

Reader::Reader(std::string_view text, const Tokens& tokens, bool may_escape)
    : text_(tokens.begin()),
      end_(static_cast<std::size_t>(text.data() + text.size() - text_)),
      at_(tokens.first()) {
  first_escape_ = text.data() + text.size();
  last_escape_ = text.data() - 1;
  const std::size_t first = may_escape ? text.find('\\') : text.npos;
  if (first == text.npos) return;
  first_escape_ = text.data() + first;
  last_escape_ = text.data() + text.rfind('\\');
}

const char* Reader::name_at(const char* raw) {
  const std::string_view content = Key(raw, raw).raw();
  if (content.find('\\') == content.npos) return raw;
  // A name that is too long for the buffer is too long to be one that anybody compares with.
  if (content.size() >= kPaddingBytes) return escapes_are_good(content) ? raw : nullptr;
  Arena space{name_.data()};
  if (!unescape(content, space)) return nullptr;
  // Nobody compares with a name that has a quote in it, and that quote would look like its end.
  if (std::find(name_.data(), space.at, '"') != space.at) return raw;
  *space.at = '"';
  return name_.data();
}

std::string_view Key::raw() const {
  const char* at = raw_;
  while (*at != '"') at += *at == '\\' ? 2 : 1;
  return {raw_, static_cast<std::size_t>(at - raw_)};
}

// ---- Numbers ----------------------------------------------------------------------------------

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// True for a number as JSON spells it; std::from_chars takes more than that.
bool is_number(std::string_view token) {
  std::size_t i = 0;
  auto at = [&](std::size_t index) { return index < token.size() ? token[index] : '\0'; };
  auto digits = [&] {
    std::size_t from = i;
    while (is_digit(at(i))) ++i;
    return i > from;
  };
  if (at(i) == '-') ++i;
  if (at(i) == '0') {
    ++i;
  } else if (!digits()) {
    return false;
  }
  if (at(i) == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (at(i) == 'e' || at(i) == 'E') {
    ++i;
    if (at(i) == '+' || at(i) == '-') ++i;
    if (!digits()) return false;
  }
  return i == token.size();
}

#if defined(__cpp_lib_to_chars)
// Of a number that no double holds: whether it is too small, and not too large.
bool is_tiny(std::string_view token) {
  const std::size_t mark = token.find_first_of("eE");
  const std::string_view digits = token.substr(0, mark);
  int exponent = 0;
  if (mark != token.npos) {
    const char* from = token.data() + mark + (token[mark + 1] == '+' ? 2 : 1);
    const auto read = std::from_chars(from, token.data() + token.size(), exponent);
    if (read.ec != std::errc()) return *from == '-';
  }
  const std::size_t first = digits.find_first_of("123456789");
  const std::size_t point = std::min(digits.find('.'), digits.size());
  return static_cast<std::int64_t>(point) + exponent < static_cast<std::int64_t>(first);
}
#endif

// A plain decimal of few digits, which is what CLIs write, exactly: its digits and the power of
// ten below them are doubles, and dividing rounds once. Quicker than std::from_chars, which brings
// 64 KB of code into memory.
std::optional<double> plain_decimal(std::string_view token) {
  static constexpr std::array kPowersOfTen = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = token.starts_with('-');
  std::int64_t digits = 0;
  std::size_t count = 0, behind_point = 0;
  bool fraction = false;
  for (const char c : token.substr(negative ? 1 : 0)) {
    if (c == '.') {
      fraction = true;
    } else if (is_digit(c) && ++count < kPowersOfTen.size()) {
      digits = digits * 10 + (c - '0');
      behind_point += fraction ? 1 : 0;
    } else {
      return std::nullopt;
    }
  }
  const double value = static_cast<double>(digits) / kPowersOfTen[behind_point];
  return negative ? -value : value;
}

std::optional<double> to_double(std::string_view token) {
  if (const auto plain = plain_decimal(token)) return plain;
  double value = 0;
#if defined(__cpp_lib_to_chars)
  auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range && is_tiny(token))
    return token[0] == '-' ? -0.0 : 0.0;
  if (error != std::errc()) return std::nullopt;
#else  // libc++ 19 cannot yet
  // simdjson refuses an integer above 64 bits, but takes the same number as a fraction.
  std::string fraction(token);
  if (token.find_first_of(".eE") == token.npos) fraction += ".0";
  simdjson::dom::parser parser;
  if (parser.parse(fraction.data(), fraction.size(), true).get_double().get(value)) {
    return std::nullopt;
  }
#endif
  return value;
}

// A number that no double holds is as broken here as it is for Json: only one with an exponent,
// or with very many digits, has to be looked at for that.
constexpr std::size_t kSafeDigits = 300;

bool is_in_range(std::string_view token) {
  return (token.size() < kSafeDigits && token.find_first_of("eE") == token.npos) ||
         to_double(token).has_value();
}

}  // namespace

std::optional<std::int64_t> Reader::integer() {
  std::string_view digits = token();
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (!is_number(digits)) return fail("a number is broken"), std::nullopt;
  ++at_;
  return value;
}

std::optional<double> Reader::number() {
  if (kind() != Kind::number) return std::nullopt;
  if (!is_number(token())) return fail("a value is broken"), std::nullopt;
  auto value = to_double(token());
  if (!value) return fail("a number is out of range"), std::nullopt;
  ++at_;
  return value;
}

// ---- The rest ---------------------------------------------------------------------------------

bool Reader::fail(const char* what) {
  if (!broken()) {
    problem_ = what;
    problem_byte_ = *at_;
  }
  return false;
}

std::string Reader::problem() const {
  if (!broken()) return {};
  std::string text = problem_;
  text += " at byte ";
  base::append_number(text, problem_byte_);
  return text;
}

Kind Reader::kind() const {
  switch (peek()) {
    case '"':
      return Kind::string;
    case '{':
      return Kind::object;
    case '[':
      return Kind::array;
    case 't':
    case 'f':
      return Kind::boolean;
    case 'n':
      return Kind::null;
    default:
      return Kind::number;
  }
}

std::optional<bool> Reader::boolean() {
  std::string_view word = token();
  if (word != "true" && word != "false") return std::nullopt;
  ++at_;
  return word == "true";
}

RawJson Reader::raw(std::size_t depth) {
  if (broken()) return RawJson();
  const std::size_t from = *at_;
  if (!skip(depth)) return RawJson();
  // The last token of a list or an object is its bracket; any other value is one token.
  const char last = text_[at_[-1]];
  if (last == '}' || last == ']') return RawJson({text_ + from, at_[-1] + 1 - from});
  --at_;
  const std::string_view only = token();
  ++at_;
  return RawJson(only);
}

// Over a value, checking each byte of it. A loop, because recursion costs twice as much, with its
// place and the bracket that it waits for in variables of their own, because those stay in
// registers.
bool Reader::skip(std::size_t depth) {
  std::array<char, kMaxDepth> outer;  // how what we are in will close, but for the innermost
  char close = 0;                     // how that one will; 0: we are in nothing
  const std::uint32_t* at = at_;
  const auto next = [&] { return text_[*at]; };
  const auto stop = [&](const char* why) {
    at_ = at;
    return fail(why);
  };
  // The name of a member and its colon: what is wrong with them.
  const auto pass_name = [&]() -> const char* {
    if (next() != '"') return "the name of a member is missing";
    if (!string_is_good(at)) return "a name has a broken escape";
    ++at;
    if (next() != ':') return "a colon is missing";
    ++at;
    return nullptr;
  };
  while (true) {
    const char first = next();
    if (first == '"') {
      if (!string_is_good(at)) return stop("a value is broken");
      ++at;
    } else if (first != '{' && first != '[') {
      if (!scalar_is_good(at)) return stop("a value is broken");
      ++at;
    } else {
      if (depth == kMaxDepth) return stop("values are nested too deeply");
      ++at;
      const char closing = first == '{' ? '}' : ']';
      if (next() != closing) {
        outer[depth++] = std::exchange(close, closing);
        const char* wrong = close == '}' ? pass_name() : nullptr;
        if (wrong) return stop(wrong);
        continue;
      }
      ++at;
    }
    while (close != 0 && next() == close) {
      ++at;
      close = outer[--depth];
    }
    if (close == 0) break;
    if (next() != ',') return stop("a comma is missing");
    ++at;
    const char* wrong = close == '}' ? pass_name() : nullptr;
    if (wrong) return stop(wrong);
  }
  at_ = at;
  return true;
}

// True, false, null or a number.
bool Reader::scalar_is_good(Mark at) const {
  const std::string_view text = token(at);
  switch (text_[*at]) {
    case 't':
      return text == "true";
    case 'f':
      return text == "false";
    case 'n':
      return text == "null";
    default:
      return is_number(text) && is_in_range(text);
  }
}

bool Reader::escapes_are_good_in(Mark at) const {
  const std::string_view text = token(at);
  return escapes_are_good(text.substr(1, text.size() - 2));
}

}  // namespace claude::json
