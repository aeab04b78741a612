// From calls in a user's test to a scenario, and to options that run on claude-sim.
#include <claude/sim.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "transcript.h"

namespace claude {
namespace {

namespace fs = std::filesystem;

Json object_of(std::initializer_list<Json::Member> members) {
  return Json::object(std::vector<Json::Member>(members));
}

// A message without a tool call.
bool is_only_words(const Json& step) {
  return std::ranges::all_of(step.members(), [](const Json::Member& member) {
    return member.name == "thinking" || member.name == "text";
  });
}

std::string make_private_folder() {
  std::string path = (fs::temp_directory_path() / "claude-sim-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), path);
  return path;
}

}  // namespace

SimTurn& SimTurn::add(Json step) {
  steps_.push_back(std::move(step));
  return *this;
}

// What can still join the last message does.
SimTurn& SimTurn::say(std::string_view key, Json value) {
  const bool joins = !steps_.empty() && is_only_words(steps_.back()) && key != "thinking" &&
                     !(key == "text" && steps_.back().find("text"));
  if (!joins) add(Json::object());
  steps_.back().set(key, std::move(value));
  return *this;
}

SimTurn& SimTurn::thinking(std::string_view words) {
  return say("thinking", words);
}

SimTurn& SimTurn::text(std::string_view words) {
  return say("text", words);
}

SimTurn& SimTurn::tool(std::string_view name, std::initializer_list<Json::Member> input) {
  say("tool", name);
  set_on_last("input", object_of(input));
  return *this;
}

void SimTurn::set_on_last(std::string_view key, Json value) {
  if (steps_.empty()) add(Json::object());
  steps_.back().set(key, std::move(value));
}

SimTurn& SimTurn::gives(std::string_view output) {
  set_on_last("output", output);
  return *this;
}

SimTurn& SimTurn::fails(std::string_view message) {
  set_on_last("error", message);
  return *this;
}

SimTurn& SimTurn::mcp_tool(std::string_view server, std::string_view name,
                           std::initializer_list<Json::Member> arguments) {
  return say("mcp", Json::object(
                        {{"server", server}, {"tool", name}, {"arguments", object_of(arguments)}}));
}

SimTurn& SimTurn::question(std::string_view question,
                           std::initializer_list<std::string_view> labels) {
  Json options = Json::array();
  for (std::string_view label : labels)
    options.push_back(Json::object({{"label", label}, {"description", label}}));
  Json asked = Json::object({{"question", question},
                             {"header", "Choice"},
                             {"multiSelect", false},
                             {"options", std::move(options)}});
  return say("ask", Json::array({std::move(asked)}));
}

SimTurn& SimTurn::api_error(int status, std::string_view message) {
  Json error = Json::object({{"status", status}, {"type", "api_error"}, {"message", message}});
  return add(Json::object({{"error", std::move(error)}}));
}

SimTurn& SimTurn::exits(int code, std::string_view stderr_text) {
  if (!stderr_text.empty()) add(Json::object({{"stderr", stderr_text}}));
  return add(Json::object({{"exit", code}}));
}

SimTurn& SimTurn::hangs() {
  return add(Json::object({{"hang", true}}));
}

SimTurn& SimTurn::step(std::string_view json) {
  Result<Json> parsed = Json::parse(json);
  if (!parsed) mistake_ = json;
  return add(parsed.value_or(Json()));
}

Json SimTurn::document() const {
  Json turn = Json::object({{"model", Json::array(steps_)}});
  if (!when_.empty()) turn.set("when", Json::object({{"prompt_contains", when_}}));
  return turn;
}

Sim::Sim(std::string program)
    : program_(std::move(program)), root_(make_private_folder()), tap_(std::make_shared<Tap>()) {
  folder_ = root_ + "/project";
  fs::create_directory(folder_);
}

Sim::~Sim() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

SimTurn& Sim::turn(std::string_view prompt_contains) {
  turns_.emplace_back().when_ = prompt_contains;
  return turns_.back();
}

Sim& Sim::with(std::string_view json) {
  const Result<Json> parsed = Json::parse(json);
  if (!parsed) {
    mistake_ = json;
    return *this;
  }
  for (const Json::Member& member : parsed->members()) more_.set(member.name, member.value);
  return *this;
}

Sim& Sim::scenario_file(const std::string& path) {
  instead_ = {{"CLAUDE_SIM_SCENARIO", fs::absolute(path).string()}};
  return *this;
}

Sim& Sim::replay(const std::string& cassette, SimMatch match) {
  instead_ = {{"CLAUDE_SIM_REPLAY", fs::absolute(cassette).string()},
              {"CLAUDE_SIM_REPLAY_MATCH", match == SimMatch::loose ? "loose" : "strict"}};
  return *this;
}

// What is no JSON is handed on as it is: claude-sim says where the mistake is.
std::string Sim::scenario() const {
  if (!mistake_.empty()) return mistake_;
  Json document = more_;
  Json turns = more_["turns"];
  for (const SimTurn& turn : turns_) {
    if (!turn.mistake_.empty()) return turn.mistake_;
    turns.push_back(turn.document());
  }
  if (turns.is_array()) document.set("turns", std::move(turns));
  return document.dump();
}

Options Sim::options(Options yours) const {
  yours.cli_path = program_;
  yours.transport = {};
  if (yours.cwd.empty()) yours.cwd = folder_;
  std::map<std::string, std::string>& variables = yours.environment.set;
  variables["CLAUDE_CONFIG_DIR"] = root_ + "/config";
  for (const char* name : {"CLAUDE_SIM_SCENARIO", "CLAUDE_SIM_SCENARIO_JSON", "CLAUDE_SIM_REPLAY"})
    variables[name] = "";
  if (instead_.empty()) variables["CLAUDE_SIM_SCENARIO_JSON"] = scenario();
  for (const auto& [name, value] : instead_) variables[name] = value;
  if (yours.observer && yours.observer != tap_) tap_->pass_on_to(std::move(yours.observer));
  yours.observer = tap_;
  return yours;
}

}  // namespace claude
