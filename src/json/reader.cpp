// Tokens, strings, numbers: the parts of the reader that are not on the path of every message.
#include "json/reader.h"

#include "base/text.h"
#include "base/utf8.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>

namespace claude::json {

// ---- Tokens -----------------------------------------------------------------------------------

struct Tokenizer::Stage {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  std::size_t capacity = 0;
};

Tokenizer::Tokenizer() : stage_(std::make_unique<Stage>()) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

namespace {

// What a line usually needs; a longer one gets its own size, given back with the next short one.
constexpr std::size_t kUsualBytes = 4096;
constexpr std::size_t kKeptBytes = std::size_t{1} << 20;

// Where a string holds a control character as it is, or the end where a string was left open.
std::size_t wrong_byte_in_string(std::string_view text) {
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') in_string = !in_string;
    if (!in_string) continue;
    if (static_cast<unsigned char>(text[at]) < 0x20) return at;
    if (text[at] == '\\') ++at;
  }
  return text.size();
}

std::string in_words(simdjson::error_code error, std::string_view text) {
  std::string words;
  std::size_t byte = 0;
  switch (error) {
    case simdjson::EMPTY:
      words = "it is empty";
      break;
    case simdjson::UTF8_ERROR:
      words = "it is not UTF-8";
      byte = utf8::valid_prefix(text);
      break;
    case simdjson::UNCLOSED_STRING:
    case simdjson::UNESCAPED_CHARS:
      byte = wrong_byte_in_string(text);
      words =
          byte == text.size() ? "a string has no end" : "a string holds a raw control character";
      break;
    default:
      words = simdjson::error_message(error);
  }
  words += " at byte ";
  base::append_number(words, byte);
  return words;
}

}  // namespace

const std::uint32_t* Tokenizer::tokens(std::string_view text, std::string& problem) {
  if (text.empty()) {
    problem = "it is empty at byte 0";
    return nullptr;
  }
  static_assert(simdjson::SIMDJSON_PADDING <= kPaddingBytes);
  if (text.empty()) {
    problem = in_words(simdjson::EMPTY, text);
    return nullptr;
  }
  if (text.size() > stage_->capacity || stage_->capacity > kKeptBytes) {
    stage_->capacity = std::max(text.size(), kUsualBytes);
    auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        stage_->capacity, kMaxDepth, stage_->parser);
    if (error) {
      stage_->capacity = 0;
      problem = in_words(error, text);
      return nullptr;
    }
  }
  auto error = stage_->parser->stage1(reinterpret_cast<const std::uint8_t*>(text.data()),
                                      text.size(), simdjson::stage1_mode::regular);
  if (error) {
    problem = in_words(error, text);
    return nullptr;
  }
  return stage_->parser->structural_indexes.get();
}

// ---- Strings ----------------------------------------------------------------------------------

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

char* write_utf8(unsigned code, char* out) {
  auto put = [&](unsigned byte) { *out++ = static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 63));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 63));
    put(0x80 | (code & 63));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 63));
    put(0x80 | (code >> 6 & 63));
    put(0x80 | (code & 63));
  }
  return out;
}

// The character that a backslash and `c` stand for; 0 for none.
char simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

const char* find_backslash(const char* at, const char* end) {
  return static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at)));
}

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

}  // namespace

std::optional<std::string_view> unescape(std::string_view content, Arena& arena) {
  const char* at = content.data();
  const char* end = at + content.size();
  char* const begin = arena.at;
  char* out = begin;
  while (at < end) {
    const char* escape = find_backslash(at, end);
    auto run = static_cast<std::size_t>((escape ? escape : end) - at);
    std::memcpy(out, at, run);
    out += run;
    if (!escape) break;
    at = escape + 2;
    if (escape[1] == 'u') {
      auto code = code_point(at, end);
      if (!code) return std::nullopt;
      out = write_utf8(*code, out);
    } else {
      *out = simple_escape(escape[1]);
      if (*out++ == 0) return std::nullopt;
    }
  }
  arena.at = out;
  return std::string_view(begin, static_cast<std::size_t>(out - begin));
}

Reader::Reader(std::string_view text, const std::uint32_t* tokens)
    : text_(text.data()), end_(text.size()), at_(tokens) {
  auto* first = static_cast<const char*>(std::memchr(text.data(), '\\', text.size()));
  std::size_t last = first ? text.rfind('\\') : 0;
  first_escape_ = first ? first : text.data() + text.size();
  last_escape_ = first ? text.data() + last : text.data() - 1;
}

const char* Reader::name_at(const char* raw) {
  const std::string_view content = Key(raw, raw).raw();
  if (content.find('\\') == content.npos) return raw;
  // A name that is too long for the buffer is too long to be one that anybody compares with.
  if (content.size() >= kPaddingBytes) return escapes_are_good(content) ? raw : nullptr;
  Arena space{name_.data()};
  if (!unescape(content, space)) return nullptr;
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

std::optional<double> to_double(std::string_view token) {
  double value = 0;
#if defined(__cpp_lib_to_chars)
  auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc::result_out_of_range && is_tiny(token))
    return token[0] == '-' ? -0.0 : 0.0;
  if (error != std::errc()) return std::nullopt;
#else  // libc++ 19 cannot yet
  simdjson::dom::parser parser;
  if (parser.parse(token.data(), token.size(), true).get_double().get(value)) return std::nullopt;
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
  std::size_t from = *at_;
  bool good = true;
  switch (kind()) {
    case Kind::object:
    case Kind::array: {
      if (depth >= kMaxDepth) return fail("values are nested too deeply"), RawJson();
      auto inner = [&] { return static_cast<bool>(raw(depth + 1)); };
      good = kind() == Kind::array ? each_item(inner) : each_member([&](Key) { return inner(); });
      if (!good || broken()) return RawJson();
      return RawJson({text_ + from, at_[-1] + 1 - from});
    }
    case Kind::string: {
      std::string_view text = token();
      good = escapes_are_good(text.substr(1, text.size() - 2));
      break;
    }
    case Kind::boolean:
      good = token() == "true" || token() == "false";
      break;
    case Kind::null:
      good = token() == "null";
      break;
    case Kind::number:
      good = is_number(token()) && is_in_range(token());
      break;
  }
  if (!good) return fail("a value is broken"), RawJson();
  std::string_view text = token();
  ++at_;
  return RawJson(text);
}

}  // namespace claude::json
