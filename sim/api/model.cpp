// A prompt's own script comes first, then the scenario's turns, then a plain "ok".
#include "model.h"

#include <stdexcept>

namespace claude::sim_api {
namespace {

constexpr const char* kNothingScripted = "ok";

std::vector<Reply> parse_replies(const json& steps) {
  std::vector<Reply> replies;
  for (const json& step : steps) replies.push_back(parse_reply(step));
  return replies;
}

}  // namespace

Model::Model(const json& scenario) {
  for (const json& turn : scenario.value("turns", json::array())) {
    json when = turn.value("when", json::object());
    turns_.push_back({.prompt_contains = when.value("prompt_contains", ""),
                      .replies = parse_replies(turn.at("model"))});
  }
}

Reply Model::answer(const json& request, const std::string& session) {
  std::optional<Position> at = find_position(request);
  if (!at) return text_reply(kNothingScripted);

  std::string key = session + '/' + std::to_string(at->prompt_index) + '/' + at->prompt;
  std::lock_guard guard(lock_);
  if (std::optional<json> script = find_script(at->prompt)) {
    return step(key, at->answered, parse_replies(*script));
  }
  const Turn* turn = turn_for(key, at->prompt);
  return turn ? step(key, at->answered, turn->replies) : text_reply(kNothingScripted);
}

// A prompt keeps the turn that it got; a new one gets the first unused turn that fits.
const Model::Turn* Model::turn_for(const std::string& key, const std::string& prompt) {
  auto [place, is_new] = assigned_.try_emplace(key, nullptr);
  if (!is_new) return place->second;
  for (Turn& turn : turns_) {
    if (turn.used || !prompt.contains(turn.prompt_contains)) continue;
    turn.used = true;
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
  return text_reply(kNothingScripted);
}

}  // namespace claude::sim_api
