// Choosing turns, and the scripts that prompts carry themselves.
#include "scenario.h"

#include <algorithm>
#include <array>

#include "world.h"

namespace claude::sim {
namespace {

// What makes a step a message of the model.
constexpr std::array<const char*, 7> kMessageKeys{"text", "thinking", "tool", "ask",
                                                  "mcp",  "blocks",   "error"};

bool uses_input(const Json& value) {
  if (value.is_object() && (value.contains("expect") || value.contains("wait_for"))) return true;
  if (!value.is_structured()) return false;
  for (const Json& part : value)
    if (uses_input(part)) return true;
  return false;
}

}  // namespace

bool is_message_step(const Json& step) {
  return std::ranges::any_of(kMessageKeys, [&](const char* key) { return has(step, key); });
}

Scenario Scenario::load(const std::string& path_from_flag) {
  const std::string inline_text = variable("CLAUDE_SIM_SCENARIO_JSON");
  const std::string path = variable("CLAUDE_SIM_SCENARIO");
  if (!path_from_flag.empty()) return Scenario(read_document_file(path_from_flag));
  if (!inline_text.empty()) return Scenario(read_document(inline_text, "CLAUDE_SIM_SCENARIO_JSON"));
  if (!path.empty()) return Scenario(read_document_file(path));
  return Scenario(Json::object());
}

Scenario::Scenario(Json document) : document_(std::move(document)) {
  version = text_of(document_, "version", variable("CLAUDE_SIM_VERSION", version));
  const std::string write = fault("write").is_string() ? fault("write").get<std::string>() : "";
  cut = write == "bytes" ? Output::Cut::bytes : write == "lines" ? Output::Cut::lines : cut;
  for (const Json& what : fault("ignore")) {
    ignores_eof |= what == "eof";
    ignores_sigterm |= what == "sigterm";
  }
  watches_input = uses_input(document_);
  used_.resize(top("turns").size());
}

Script Scenario::startup() const {
  const Json& steps = top("startup");
  return steps.is_null() ? Script() : Script(steps, "startup");
}

TurnScript Scenario::turn_for(const std::string& prompt) {
  const Json& turns = top("turns");
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Json& turn = turns[i];
    const Json& when = member(turn, "when");
    const std::string part = text_of(when, "prompt_contains");
    if (used_[i] || prompt.find(part) == prompt.npos) continue;
    if (has(when, "prompt_equals") && when["prompt_equals"] != prompt) continue;
    used_[i] = !flag_of(turn, "repeat");
    const std::string path = "turns[" + std::to_string(i) + "]";
    const bool raw = has(turn, "raw");
    const char* key = raw ? "raw" : "model";
    TurnScript script{Script(turn[key], path + "." + key), Script(), raw, i};
    if (has(turn, "after")) script.after = Script(turn["after"], path + ".after");
    return script;
  }
  return TurnScript{built_in_script(prompt), Script(), false, std::nullopt};
}

void Scenario::give_back(const TurnScript& script) {
  if (script.index) used_[*script.index] = false;
}

Script built_in_script(const std::string& prompt) {
  const std::size_t begin = prompt.find("@@");
  const std::size_t end = prompt.rfind("@@");
  if (begin != prompt.npos && end > begin) {
    const std::string text = prompt.substr(begin + 2, end - begin - 2);
    Json steps = parse(text);
    if (steps.is_array()) {
      check_steps(steps, "the prompt's script");
      return Script(std::move(steps), "the prompt's script");
    }
  }
  Json step = Json::object();
  step["text"] = "You said: " + prompt;
  return Script(Json::array({step}), "the built-in answer");
}

}  // namespace claude::sim
