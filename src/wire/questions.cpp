// See questions.h.
#include "wire/questions.h"

#include "wire/block.h"
#include "wire/decoder.h"
#include "wire/fields_control.h"

#include <algorithm>
#include <utility>

namespace claude::wire {
namespace {

// What is read of the input.
struct Input {
  std::vector<Question> questions;
};
template <class V>
bool fields(V& v, Is<Input> auto& m) {
  return v("questions", m.questions);
}

// Keeps two blocks alive.
Keep both(Keep first, Keep second) {
  auto pair = std::make_shared<std::pair<Keep, Keep>>(std::move(first), std::move(second));
  return Keep(pair, pair->first.get());
}

std::string label(const Question& question, std::size_t option) {
  return std::string(question.options[option].label);
}

// One text for all that was given to a question; nothing if it was left open.
std::optional<std::string> answer_text(const Answers::Given& given, const Question& question) {
  std::vector<std::string> parts;
  for (std::size_t option : given.options) {
    if (option < question.options.size()) parts.push_back(label(question, option));
  }
  if (given.text) parts.push_back(*given.text);
  if (parts.empty()) return std::nullopt;
  if (!question.multi_select) return parts.back();
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += ", ";
    text += part;
  }
  return text;
}

}  // namespace

std::optional<Questions> decode_questions(const ToolRequest& request) {
  if (request.tool_name != kAskUserQuestion || !request.input) return std::nullopt;
  Block block(request.input.text());
  const json::Tokens tokens(block.text);
  if (!tokens.first()) return std::nullopt;
  json::Reader reader(block.text, tokens, block.escaped);
  Decoder decoder(reader, block.arena);
  Input input;
  if (!decoder.read(input) || input.questions.empty()) return std::nullopt;
  Questions found{std::move(input.questions), request};
  found.request.keep = both(request.keep, block.keep);
  return found;
}

Permission to_permission(const Answers& answers, const Questions& questions) {
  if (answers.declined) return deny(*answers.declined);
  Json given = Json::object();
  Json notes = Json::object();
  for (const Answers::Given& each : answers.given) {
    if (each.question >= questions.size()) continue;
    const Question& question = questions[each.question];
    if (auto text = answer_text(each, question)) given.set(question.question, *text);
    if (each.note) notes.set(question.question, Json::object({{"notes", *each.note}}));
  }
  Json input = questions.request.input.json();
  input.set("answers", std::move(given));
  if (notes.size() > 0) input.set("annotations", std::move(notes));
  return allow().with_input(std::move(input));
}

}  // namespace claude::wire

namespace claude {

Answers& Answers::choose(std::size_t question, std::size_t option) {
  of(question).options.push_back(option);
  return *this;
}

Answers& Answers::say(std::size_t question, std::string text) {
  of(question).text = std::move(text);
  return *this;
}

Answers& Answers::note(std::size_t question, std::string text) {
  of(question).note = std::move(text);
  return *this;
}

Answers Answers::decline(std::string message) {
  Answers answers;
  answers.declined = std::move(message);
  return answers;
}

Answers::Given& Answers::of(std::size_t question) {
  auto found = std::ranges::find(given, question, &Given::question);
  if (found != given.end()) return *found;
  given.push_back({.question = question, .options = {}, .text = {}, .note = {}});
  return given.back();
}

}  // namespace claude
