// Tokens, strings, numbers: the parts of the reader that are not on the path of every message.
#include "json/reader.h"

#include "base/text.h"
#include "base/utf8.h"

#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <charconv>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace claude::json {

// ---- Tokens -----------------------------------------------------------------------------------

struct Tokens::Stage {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  std::size_t capacity = 0;
};

namespace {

// What a line usually needs; a longer one gets its own size.
constexpr std::size_t kUsualBytes = 4096;
constexpr std::size_t kKeptBytes = std::size_t{4} << 20;

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

std::unique_ptr<Tokens::Stage>& Tokens::spare_of_thread() {
  static thread_local std::unique_ptr<Stage> spare;
  return spare;
}

Tokens::Tokens(std::string_view text) : stage_(std::move(spare_of_thread())) {
  static_assert(simdjson::SIMDJSON_PADDING <= kPaddingBytes);
  if (!stage_) stage_ = std::make_unique<Stage>();
  simdjson::error_code error = text.empty() ? simdjson::EMPTY : simdjson::SUCCESS;
  if (!error && text.size() > stage_->capacity) {
    stage_->capacity = std::max(text.size(), kUsualBytes);
    error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        stage_->capacity, kMaxDepth, stage_->parser);
    if (error) stage_->capacity = 0;
  }
  if (!error) {
    error = stage_->parser->stage1(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                   simdjson::stage1_mode::regular);
  }
  if (error) {
    problem_ = in_words(error, text);
  } else {
    first_ = stage_->parser->structural_indexes.get();
  }
}

Tokens::~Tokens() {
  if (stage_->capacity <= kKeptBytes) spare_of_thread() = std::move(stage_);
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
  static constexpr auto kTable = [] {
    std::array<char, 256> table{};
    table['"'] = '"', table['\\'] = '\\', table['/'] = '/';
    table['b'] = '\b', table['f'] = '\f', table['n'] = '\n', table['r'] = '\r', table['t'] = '\t';
    return table;
  }();
  return kTable[static_cast<unsigned char>(c)];
}

char closing(char bracket) {
  return bracket == '{' ? '}' : ']';
}

// Its place among the 16, or 16.
std::size_t first_backslash(const std::array<char, 16>& block) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block.data()));
  const int marks = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
  return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(marks | 1 << 16)));
#else
  return static_cast<std::size_t>(std::ranges::find(block, '\\') - block.begin());
#endif
}

const char* find_backslash(const char* at, const char* end) {
  return static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at)));
}

// Copies up to the next backslash, or to the end; false at the end. In whole blocks: a search and
// then a copy would cost twice as much where escapes are dense. What it writes too much is written
// over, or falls into the padding.
bool copy_to_backslash(const char*& at, const char* end, char*& out) {
  using Block = std::array<char, 16>;
  while (at < end) {
    Block block;
    std::memcpy(block.data(), at, block.size());
    std::memcpy(out, block.data(), block.size());
    std::size_t found = first_backslash(block);
    const auto left = static_cast<std::size_t>(end - at);
    const std::size_t copied = std::min(found, left);
    at += copied;
    out += copied;
    if (found < left && found < block.size()) return true;
  }
  return false;
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
  while (copy_to_backslash(at, end, out)) {
    const char escaped = at[1];
    at += 2;
    if (escaped == 'u') {
      auto code = code_point(at, end);
      if (!code) return std::nullopt;
      out = write_utf8(*code, out);
    } else {
      *out = simple_escape(escaped);
      if (*out++ == 0) return std::nullopt;
    }
  }
  arena.at = out;
  return std::string_view(begin, static_cast<std::size_t>(out - begin));
}

Reader::Reader(std::string_view text, const Tokens& tokens)
    : text_(text.data()), end_(text.size()), at_(tokens.first()) {
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

RawJson Reader::raw() {
  if (broken()) return RawJson();
  const std::size_t from = *at_;
  if (!skip()) return RawJson();
  // The last token of a list or an object is its bracket; any other value is one token.
  const char last = text_[at_[-1]];
  if (last == '}' || last == ']') return RawJson({text_ + from, at_[-1] + 1 - from});
  --at_;
  const std::string_view only = token();
  ++at_;
  return RawJson(only);
}

// Over a value, checking each byte of it. A loop, because recursion costs twice as much.
bool Reader::skip() {
  std::array<char, kMaxDepth> open;  // the brackets that we are in
  std::size_t depth = 0;
  while (true) {
    const char bracket = peek();
    if (bracket != '{' && bracket != '[') {
      if (!skip_scalar()) return false;
    } else {
      if (depth == kMaxDepth) return fail("values are nested too deeply");
      ++at_;
      if (peek() == closing(bracket)) {
        ++at_;
      } else {
        open[depth++] = bracket;
        if (bracket == '{' && !skip_name()) return false;
        continue;
      }
    }
    while (depth > 0 && peek() == closing(open[depth - 1])) {
      ++at_;
      --depth;
    }
    if (depth == 0) return true;
    if (peek() != ',') return fail("a comma is missing");
    ++at_;
    if (open[depth - 1] == '{' && !skip_name()) return false;
  }
}

bool Reader::skip_name() {
  if (peek() != '"') return fail("the name of a member is missing");
  if (!string_is_good()) return fail("a name has a broken escape");
  ++at_;
  if (peek() != ':') return fail("a colon is missing");
  ++at_;
  return true;
}

bool Reader::skip_scalar() {
  bool good = true;
  switch (kind()) {
    case Kind::string:
      good = string_is_good();
      break;
    case Kind::boolean:
      good = token() == "true" || token() == "false";
      break;
    case Kind::null:
      good = token() == "null";
      break;
    default:
      good = is_number(token()) && is_in_range(token());
      break;
  }
  if (!good) return fail("a value is broken");
  ++at_;
  return true;
}

bool Reader::string_is_good() const {
  if (!may_have_escape(text_ + at_[0], text_ + at_[1])) return true;
  const std::string_view text = token();
  return escapes_are_good(text.substr(1, text.size() - 2));
}

}  // namespace claude::json
