// Reading and checking: every key has a place in a table here, or it is an error with its path.
#include "scenario.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <span>

namespace claude::sim {
namespace {

enum class Kind { text, number, flag, object, list, steps, any };

struct Key {
  std::string_view name;
  Kind kind;
};

constexpr std::array kTopKeys{
    Key{"version", Kind::text},  Key{"seed", Kind::number},   Key{"turns", Kind::list},
    Key{"startup", Kind::steps}, Key{"faults", Kind::object}, Key{"init", Kind::object},
    Key{"usage", Kind::object},  Key{"sessions", Kind::list}, Key{"initialize", Kind::object},
    Key{"host", Kind::object},   Key{"comment", Kind::any},
};
constexpr std::array kFaultKeys{
    Key{"write", Kind::text},       Key{"ignore", Kind::list}, Key{"answers", Kind::object},
    Key{"request_ids", Kind::list}, Key{"comment", Kind::any},
};
constexpr std::array kTurnKeys{
    Key{"when", Kind::object}, Key{"model", Kind::steps}, Key{"raw", Kind::steps},
    Key{"after", Kind::steps}, Key{"repeat", Kind::flag}, Key{"comment", Kind::any},
};
constexpr std::array kWhenKeys{
    Key{"prompt_contains", Kind::text},
    Key{"prompt_equals", Kind::text},
};
constexpr std::array kAnswerKeys{
    Key{"times", Kind::number},      Key{"delay_ms", Kind::number}, Key{"error", Kind::text},
    Key{"error_code", Kind::text},   Key{"response", Kind::any},    Key{"request_id", Kind::any},
    Key{"top_level_id", Kind::flag}, Key{"comment", Kind::any},
};
// What makes a step a message of the model.
constexpr std::array kMessageKeys{
    Key{"text", Kind::text}, Key{"thinking", Kind::text}, Key{"tool", Kind::text},
    Key{"ask", Kind::list},  Key{"mcp", Kind::object},    Key{"blocks", Kind::list},
    Key{"error", Kind::any},
};
constexpr std::array kMessageOptions{
    Key{"input", Kind::object},    Key{"output", Kind::any},         Key{"result", Kind::any},
    Key{"id", Kind::text},         Key{"takes_ms", Kind::number},    Key{"chunks", Kind::number},
    Key{"delay_ms", Kind::number}, Key{"wait_ms", Kind::number},     Key{"usage", Kind::object},
    Key{"cost_usd", Kind::number}, Key{"stop_reason", Kind::text},   Key{"retries", Kind::number},
    Key{"repeat", Kind::number},   Key{"finishes_ms", Kind::number}, Key{"then", Kind::steps},
    Key{"agent", Kind::steps},     Key{"comment", Kind::any},
};
constexpr std::array kActionKeys{
    Key{"emit", Kind::any},          Key{"emit_text", Kind::text},
    Key{"emit_hex", Kind::text},     Key{"flood", Kind::number},
    Key{"huge", Kind::number},       Key{"stderr", Kind::text},
    Key{"exit", Kind::number},       Key{"kill", Kind::text},
    Key{"hang", Kind::flag},         Key{"sleep_ms", Kind::number},
    Key{"close_stdout", Kind::flag}, Key{"close_stdin", Kind::flag},
    Key{"close_stderr", Kind::flag}, Key{"reading", Kind::flag},
    Key{"flush", Kind::flag},        Key{"send_control", Kind::object},
    Key{"cancel", Kind::text},       Key{"expect", Kind::object},
    Key{"wait_for", Kind::object},   Key{"grandchild", Kind::number},
    Key{"write", Kind::text},        Key{"ignore", Kind::list},
};
constexpr std::array kActionOptions{
    Key{"times", Kind::number},      Key{"request_id", Kind::text}, Key{"await", Kind::flag},
    Key{"timeout_ms", Kind::number}, Key{"comment", Kind::any},
};

const Key* find_key(std::span<const Key> keys, std::string_view name) {
  for (const Key& key : keys)
    if (key.name == name) return &key;
  return nullptr;
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw ScenarioError((path.empty() ? "the document" : path) + ": " + what);
}

void check_steps(const Json& steps, const std::string& path);

void check_kind(const Json& value, Kind kind, const std::string& path) {
  switch (kind) {
    case Kind::text:
      if (!value.is_string()) refuse(path, "must be a string");
      return;
    case Kind::number:
      if (!value.is_number()) refuse(path, "must be a number");
      return;
    case Kind::flag:
      if (!value.is_boolean()) refuse(path, "must be true or false");
      return;
    case Kind::object:
      if (!value.is_object()) refuse(path, "must be an object");
      return;
    case Kind::list:
      if (!value.is_array()) refuse(path, "must be a list");
      return;
    case Kind::steps:
      check_steps(value, path);
      return;
    case Kind::any:
      return;
  }
}

std::string joined(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

void check_object(const Json& object, std::span<const Key> keys, const std::string& path) {
  if (!object.is_object()) refuse(path, "must be an object");
  for (const auto& [name, value] : object.items()) {
    const Key* key = find_key(keys, name);
    if (!key) refuse(path, "unknown key '" + name + "'");
    check_kind(value, key->kind, joined(path, name));
  }
}

void check_message(const Json& step, const std::string& path) {
  for (const auto& [name, value] : step.items()) {
    const Key* key = find_key(kMessageKeys, name);
    if (!key) key = find_key(kMessageOptions, name);
    if (!key) refuse(path, "unknown key '" + name + "'");
    check_kind(value, key->kind, joined(path, name));
  }
  const Json& blocks = member(step, "blocks");
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string where = path + ".blocks[" + std::to_string(i) + "]";
    if (!is_message_step(blocks[i])) refuse(where, "must say text, thinking, tool, ask or mcp");
    check_message(blocks[i], where);
  }
  if (has(step, "mcp") &&
      (text_of(step["mcp"], "server").empty() || text_of(step["mcp"], "tool").empty()))
    refuse(path + ".mcp", "must name a server and a tool");
}

void check_action(const Json& step, const std::string& path) {
  int actions = 0;
  for (const auto& [name, value] : step.items()) {
    const Key* key = find_key(kActionKeys, name);
    actions += key != nullptr;
    if (!key) key = find_key(kActionOptions, name);
    if (!key) refuse(path, "unknown key '" + name + "'");
    check_kind(value, key->kind, joined(path, name));
  }
  if (actions != 1) refuse(path, "must have exactly one action");
}

void check_steps(const Json& steps, const std::string& path) {
  if (!steps.is_array()) refuse(path, "must be a list of steps");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string where = path + "[" + std::to_string(i) + "]";
    if (!steps[i].is_object()) refuse(where, "a step must be an object");
    if (is_message_step(steps[i]))
      check_message(steps[i], where);
    else
      check_action(steps[i], where);
  }
}

void check_document(const Json& document) {
  check_object(document, kTopKeys, "");
  const Json& turns = member(document, "turns");
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const std::string path = "turns[" + std::to_string(i) + "]";
    check_object(turns[i], kTurnKeys, path);
    if (has(turns[i], "model") == has(turns[i], "raw")) refuse(path, "needs either model or raw");
    if (has(turns[i], "when")) check_object(turns[i]["when"], kWhenKeys, path + ".when");
  }
  const Json& faults = member(document, "faults");
  if (faults.is_null()) return;
  check_object(faults, kFaultKeys, "faults");
  for (const auto& [subtype, answer] : member(faults, "answers").items())
    check_object(answer, kAnswerKeys, "faults.answers." + subtype);
}

std::string read_file(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw ScenarioError(path + ": cannot be read");
  std::string text;
  std::array<char, 65536> block;
  for (ssize_t got; (got = read(fd, block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(got));
  close(fd);
  return text;
}

Json parse_document(const std::string& text, const std::string& source) {
  try {
    return Json::parse(text, nullptr, true, true);
  } catch (const Json::parse_error& error) {
    throw ScenarioError(source + ": " + error.what());
  }
}

bool uses_input(const Json& value) {
  if (value.is_object() && (value.contains("expect") || value.contains("wait_for"))) return true;
  if (!value.is_structured()) return false;
  for (const Json& part : value)
    if (uses_input(part)) return true;
  return false;
}

}  // namespace

bool is_message_step(const Json& step) {
  if (!step.is_object()) return false;
  for (const auto& [name, value] : step.items())
    if (find_key(kMessageKeys, name)) return true;
  return false;
}

Scenario Scenario::load(const std::string& path_from_flag) {
  const char* inline_text = std::getenv("CLAUDE_SIM_SCENARIO_JSON");
  const char* path = std::getenv("CLAUDE_SIM_SCENARIO");
  if (!path_from_flag.empty())
    return Scenario(parse_document(read_file(path_from_flag), path_from_flag));
  if (inline_text && *inline_text)
    return Scenario(parse_document(inline_text, "CLAUDE_SIM_SCENARIO_JSON"));
  if (path && *path) return Scenario(parse_document(read_file(path), path));
  return Scenario(Json::object());
}

Scenario::Scenario(Json document) : document_(std::move(document)) {
  check_document(document_);
  const char* played = std::getenv("CLAUDE_SIM_VERSION");
  version = text_of(document_, "version", played && *played ? played : version);
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
    TurnScript script{Script(turn[key], path + "." + key), Script(), raw};
    if (has(turn, "after")) script.after = Script(turn["after"], path + ".after");
    return script;
  }
  return TurnScript{built_in_script(prompt), Script(), false};
}

Script built_in_script(const std::string& prompt) {
  const std::size_t begin = prompt.find("@@");
  const std::size_t end = prompt.rfind("@@");
  if (begin != prompt.npos && end > begin) {
    const std::string text = prompt.substr(begin + 2, end - begin - 2);
    Json steps = Json::parse(text, nullptr, false);
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
