// Text to Json, over the same reader as the messages, so that both are equally strict. Here is
// only what a value needs more: a copy of the text with padding, and types for numbers.
#include "json/parse.h"

#include "base/text.h"
#include "json/limits.h"
#include "json/reader.h"

#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

namespace claude {
namespace {

using json::Kind;

// Growing in steps costs more than the few places that stay empty.
constexpr std::size_t kUsualMembers = 4;

class Parser {
 public:
  Parser(std::string_view text, const json::Tokens& tokens, std::size_t max_bytes)
      : reader_(text, tokens), bytes_left_(max_bytes) {
    if (text.find('\\') == text.npos) return;
    room_ = std::make_unique_for_overwrite<char[]>(text.size() + json::kPaddingBytes);
    arena_.at = room_.get();
  }

  bool too_large() const { return too_large_; }
  // What went wrong; empty when the whole text has been read.
  std::string problem() { return reader_.finished() ? std::string() : reader_.problem(); }

  Json read(std::size_t depth = 0) {
    switch (reader_.kind()) {
      case Kind::string:
        return reader_.string(arena_).value_or("");
      case Kind::number:
        return read_number();
      case Kind::object:
        return read_object(depth + 1);
      case Kind::array:
        return read_array(depth + 1);
      case Kind::boolean:
        return reader_.raw().text() == "true";
      case Kind::null:
        break;
    }
    reader_.raw();
    return nullptr;
  }

 private:
  // As the first of the types that holds it; only a double has a negative zero.
  Json read_number() {
    const json::Reader::Mark before = reader_.mark();
    const std::string_view digits = reader_.raw().text();
    if (digits == "-0") return -0.0;
    if (auto integer = exactly<std::int64_t>(digits)) return *integer;
    if (auto integer = exactly<std::uint64_t>(digits)) return *integer;
    reader_.back_to(before);
    return reader_.number().value_or(0);
  }

  template <class Int>
  static std::optional<Int> exactly(std::string_view digits) {
    Int value = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return value;
  }

  Json read_array(std::size_t depth) {
    Json::Array items;
    if (!too_deep(depth)) {
      reader_.each_item([&] {
        if (take_room(sizeof(Json))) items.push_back(read(depth));
      });
    }
    return Json::array(std::move(items));
  }

  Json read_object(std::size_t depth) {
    Json::Object members;
    if (too_deep(depth)) return nullptr;
    reader_.each_member([&](json::Key key) {
      if (!take_room(sizeof(Json::Member))) return false;
      if (members.empty()) members.reserve(kUsualMembers);
      std::string_view name = key.raw();
      if (name.find('\\') != name.npos) {
        const auto plain = json::unescape(name, arena_);
        if (!plain) return reader_.fail("a name has a broken escape");
        name = *plain;
      }
      members.emplace_back(std::string(name), read(depth));
      return true;
    });
    return Json::object(std::move(members));
  }

  bool too_deep(std::size_t depth) {
    return depth > json::kMaxDepth && !reader_.fail("values are nested too deeply");
  }

  bool take_room(std::size_t bytes) {
    if (bytes > bytes_left_) {
      too_large_ = true;
      return reader_.fail("the value is too large");
    }
    bytes_left_ -= bytes;
    return true;
  }

  json::Reader reader_;
  std::size_t bytes_left_;
  bool too_large_ = false;
  std::unique_ptr<char[]> room_;  // for unescaped strings
  json::Arena arena_;
};

[[gnu::cold]] Error invalid_json(std::string_view problem) {
  Error error{.code = Errc::invalid_json, .message = "the text is no JSON: "};
  error.message += problem;
  return error;
}

[[gnu::cold]] Error too_large(std::size_t max_bytes) {
  Error error{.code = Errc::invalid_json, .message = "as a value the text would take more than "};
  base::append_number(error.message, max_bytes);
  error.message += " bytes";
  error.advice = "Read it as text.";
  return error;
}

Result<Json> parse_within(std::size_t max_bytes, std::string_view text,
                          const json::Tokens& tokens) {
  if (!tokens.first()) return std::unexpected(invalid_json(tokens.problem()));
  Parser parser(text, tokens, max_bytes);
  Json json = parser.read();
  const std::string problem = parser.problem();
  if (parser.too_large()) return std::unexpected(too_large(max_bytes));
  if (!problem.empty()) return std::unexpected(invalid_json(problem));
  return json;
}

// A copy with padding.
struct Padded {
  explicit Padded(std::string_view from)
      : memory(std::make_unique_for_overwrite<char[]>(from.size() + json::kPaddingBytes)),
        text(memory.get(), from.copy(memory.get(), from.size())) {
    std::memset(&memory[from.size()], 0, json::kPaddingBytes);
  }
  std::unique_ptr<char[]> memory;
  std::string_view text;
};

}  // namespace

Result<Json> json::parse_padded(std::string_view text, const Tokens& tokens) {
  return parse_within(kMaxTreeBytes, text, tokens);
}

bool json::is_json(std::string_view text) {
  const Padded padded(text);
  const Tokens tokens(padded.text);
  if (!tokens.first()) return false;
  Reader reader(padded.text, tokens);
  return reader.raw() && reader.finished();
}

Result<Json> Json::parse(std::string_view text) {
  if (text.empty()) return std::unexpected(invalid_json("it is empty"));
  const Padded padded(text);
  return parse_within(std::numeric_limits<std::size_t>::max(), padded.text,
                      json::Tokens(padded.text));
}

Json RawJson::json() const {
  if (text_.empty()) return nullptr;
  const Padded padded(text_);
  return json::parse_padded(padded.text, json::Tokens(padded.text)).value_or(nullptr);
}

}  // namespace claude
