// The scenario's turns come first, then the prompt's own script, then an answer that quotes it.
#include "model.h"

namespace claude::sim_api {
namespace {

constexpr const char* kAfterTheScript = "ok";

bool fits(const json& when, const std::string& prompt) {
  return prompt.contains(when.value("prompt_contains", "")) &&
         when.value("prompt_equals", prompt) == prompt;
}

}  // namespace

Model::Model(const json& scenario) : usage_(scenario.value("usage", json::object())) {
  for (const json& turn : scenario.value("turns", json::array())) {
    if (!turn.contains("model")) continue;  // of raw lines, which a model cannot write
    turns_.push_back({.when = turn.value("when", json::object()),
                      .repeat = turn.value("repeat", false),
                      .replies = parse_replies(turn["model"])});
    add_calls(turn["model"]);
  }
}

void Model::add_calls(const json& steps) {
  for (const json& step : steps) {
    add_calls(step.value("blocks", json::array()));
    if (!step.contains("agent") && !step.contains("then")) continue;
    const json agent = step.value("agent", json::array()), then = step.value("then", json::array());
    calls_.push_back({.name = step.value("tool", ""),
                      .input = step.value("input", json::object()),
                      .agent = parse_replies(agent),
                      .then = parse_replies(then)});
    add_calls(agent);
    add_calls(then);
  }
}

const std::vector<Reply>* Model::agent_for(const std::string& prompt) const {
  for (const Call& call : calls_)
    if (!call.agent.empty() && call.input.value("prompt", "") == prompt) return &call.agent;
  return nullptr;
}

const std::vector<Reply>* Model::then_for(const json& ended_call) const {
  static const std::vector<Reply> kNothing;
  for (const Call& call : calls_)
    if (json(call.name) == ended_call["name"] && call.input == ended_call["input"])
      return &call.then;
  return &kNothing;
}

Reply Model::answer(const json& request, const std::string& session) {
  std::optional<Position> at = find_position(request);
  Reply reply = at ? choose(*at, session) : text_reply(kAfterTheScript);
  if (reply.usage.empty()) reply.usage = usage_;
  return reply;
}

Reply Model::choose(const Position& at, const std::string& session) {
  if (auto text = answer_to_side_request(at.prompt)) return text_reply(*text);
  std::string key = session + '/' + std::to_string(at.prompt_index) + '/' + at.prompt;
  std::lock_guard guard(lock_);
  if (!at.ended_call.is_null()) return step(key, at.answered, *then_for(at.ended_call));
  if (auto* agent = agent_for(at.prompt)) return step(key, at.answered, *agent);
  if (const Turn* turn = turn_for(key, at.prompt)) return step(key, at.answered, turn->replies);
  if (std::optional<json> script = find_script(at.prompt))
    return step(key, at.answered, parse_replies(*script));
  return step(key, at.answered, {text_reply("You said: " + at.prompt)});
}

// A prompt keeps the turn that it got; a new one gets the first unused turn that fits.
const Model::Turn* Model::turn_for(const std::string& key, const std::string& prompt) {
  auto [place, is_new] = assigned_.try_emplace(key, nullptr);
  if (!is_new) return place->second;
  for (Turn& turn : turns_) {
    if (turn.used || !fits(turn.when, prompt)) continue;
    turn.used = !turn.repeat;
    return place->second = &turn;
  }
  return nullptr;
}

// Errors leave no message behind, so they are counted here and the messages in the request.
Reply Model::step(const std::string& key, std::size_t answered, const std::vector<Reply>& replies) {
  for (std::size_t i = 0; i < replies.size(); ++i) {
    const Reply& reply = replies[i];
    if (!reply.error) {
      if (answered-- == 0) return reply;
      continue;
    }
    int& given = errors_given_[key][i];
    if (answered > 0 || (reply.error->times > 0 && given == reply.error->times)) continue;
    ++given;
    return reply;
  }
  return text_reply(kAfterTheScript);
}

}  // namespace claude::sim_api
