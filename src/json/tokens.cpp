// simdjson's first stage, and what it says of a text that is no JSON, in words.
#include "json/tokens.h"

#include "base/text.h"
#include "base/utf8.h"
#include "json/limits.h"

#include <simdjson.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace claude::json {

struct Tokens::Stage {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  std::size_t capacity = 0;
  std::string_view text;  // what was read last
  std::uint64_t number = first_number();

  // No two stages have numbers in common, however much each reads.
  static std::uint64_t first_number() {
    static std::atomic<std::uint64_t> stages = 0;
    return stages++ << 40;
  }
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

// Whom it asks for a parser are static objects of its own. What is made before the user's goes
// after them: their destructors may read.
[[gnu::constructor(101)]] void make_statics_of_simdjson() {
  (void)simdjson::get_active_implementation()->name();
}

}  // namespace

// What a thread keeps for its next text. A plain pointer: it is there even for destructors that run
// when the thread's other objects are gone. Those keep nothing.
struct Tokens::Spare {
  static constinit thread_local Stage* stage;
  static constinit thread_local bool over;

  ~Spare() {
    delete std::exchange(stage, nullptr);
    over = true;
  }
};

constinit thread_local Tokens::Stage* Tokens::Spare::stage = nullptr;
constinit thread_local bool Tokens::Spare::over = false;

Tokens::Tokens(std::string_view part, std::uint64_t whole)
    : stage_(std::exchange(Spare::stage, nullptr)) {
  if (!stage_) {
    if (!Spare::over) {
      static thread_local Spare goes_with_thread;
    }
    stage_ = std::make_unique<Stage>();
  }
  if (whole == 0 || whole != stage_->number) {
    read(part);
    return;
  }
  const auto* tokens = stage_->parser->structural_indexes.get();
  const auto offset = static_cast<std::uint32_t>(part.data() - stage_->text.data());
  first_ = std::lower_bound(tokens, tokens + stage_->parser->n_structural_indexes, offset);
}

void Tokens::read(std::string_view text) {
  static_assert(simdjson::SIMDJSON_PADDING <= kPaddingBytes);
  stage_->text = text;
  ++stage_->number;
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

const char* Tokens::begin() const {
  return stage_->text.data();
}

std::uint64_t Tokens::number() const {
  return stage_->number;
}

Tokens::~Tokens() {
  if (stage_->capacity > kKeptBytes || Spare::over) return;
  delete std::exchange(Spare::stage, stage_.release());
}

}  // namespace claude::json
