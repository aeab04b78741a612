#include "core/turns.h"

#include <algorithm>

namespace claude::core {

TurnId Turns::open(std::string uuid) {
  open_.push_back({++last_, std::move(uuid)});
  return last_;
}

TurnId Turns::find(std::string_view uuid) const {
  auto found = std::ranges::find(open_, uuid, &Open::uuid);
  return found == open_.end() ? 0 : found->turn;
}

// The live turn whose prompt the message names itself.
TurnId Turns::named_by(const Message& message) const {
  auto in = [&](const Text& uuid) { return uuid ? find(*uuid) : TurnId{0}; };
  if (auto* event = std::get_if<StreamEvent>(&message)) return in(event->user_message_uuid);
  if (auto* answer = std::get_if<AssistantMessage>(&message)) return in(answer->user_message_uuid);
  if (auto* result = std::get_if<ResultMessage>(&message)) return in(result->user_message_uuid);
  return 0;
}

TurnId Turns::turn_of(const Message& message) {
  if (auto* lifecycle = std::get_if<CommandLifecycle>(&message)) {
    cli_names_prompts_ = true;
    TurnId turn = find(lifecycle->command_uuid);
    if (turn != 0 && lifecycle->state == "started") active_ = turn;
    return turn;
  }
  if (open_.empty()) return 0;
  if (TurnId named = named_by(message)) {
    cli_names_prompts_ = true;
    return active_ = named;
  }
  if (auto* result = std::get_if<ResultMessage>(&message); result && result->origin) return 0;
  if (active_ == 0 && !cli_names_prompts_) active_ = open_.front().turn;
  return active_;
}

std::vector<TurnId> Turns::take_ended(const ResultMessage& result) {
  std::vector<TurnId> ended;
  auto add = [&](TurnId turn) {
    if (turn != 0 && std::ranges::find(ended, turn) == ended.end()) ended.push_back(turn);
  };
  if (result.user_message_uuid) add(find(*result.user_message_uuid));
  for (std::string_view uuid : result.user_message_uuids) add(find(uuid));
  if (ended.empty() && !result.origin) add(active_);
  for (TurnId turn : ended) close(turn);
  return ended;
}

std::optional<TurnId> Turns::take_cancelled(const CommandLifecycle& lifecycle) {
  TurnId turn = lifecycle.state == "cancelled" ? find(lifecycle.command_uuid) : 0;
  if (turn == 0) return std::nullopt;
  close(turn);
  return turn;
}

std::optional<TurnId> Turns::take_any() {
  if (open_.empty()) return std::nullopt;
  TurnId turn = open_.front().turn;
  close(turn);
  return turn;
}

void Turns::close(TurnId turn) {
  std::erase_if(open_, [&](const Open& each) { return each.turn == turn; });
  if (active_ == turn) active_ = 0;
}

}  // namespace claude::core
