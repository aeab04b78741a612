// Which prompt a message belongs to.
#include "core/turns.h"

#include "wire/names.h"

#include <algorithm>
#include <cassert>

namespace claude::core {

namespace {

bool names_any(const auto& message) {
  return !message.user_message_uuid.value_or({}).empty() ||
         std::ranges::any_of(message.user_message_uuids,
                             [](std::string_view uuid) { return !uuid.empty(); });
}

bool is_unprompted(const Message& message) {
  auto* result = std::get_if<ResultMessage>(&message);
  return result != nullptr && !is_prompted(*result);
}

}  // namespace

bool names_prompts(const ResultMessage& result) {
  return names_any(result);
}

bool is_prompted(const ResultMessage& result) {
  return !result.origin || result.origin->kind.empty() || result.origin->kind == wire::kHuman;
}

TurnId Turns::open(std::string uuid) {
  assert(!uuid.empty());
  open_.push_back({++last_, std::move(uuid)});
  return last_;
}

TurnId Turns::open_told() {
  assert(open_.empty());
  open_.push_back({.turn = ++last_, .uuid = {}, .started = true});
  active_ = last_;
  told_ = true;
  return last_;
}

Turns::Open* Turns::find(std::string_view uuid) {
  if (uuid.empty()) return nullptr;  // of the prompt on the command line
  auto found = std::ranges::find(open_, uuid, &Open::uuid);
  return found == open_.end() ? nullptr : &*found;
}

// The live turn whose prompt the message names itself; 0 if that is not, or no longer, one of ours.
std::optional<TurnId> Turns::named_by(const Message& message) {
  auto named = [&](const auto& from) -> std::optional<TurnId> {
    if (!names_any(from)) return std::nullopt;
    const Open* open = find(from.user_message_uuid.value_or({}));
    for (auto uuid = from.user_message_uuids.begin();
         open == nullptr && uuid != from.user_message_uuids.end(); ++uuid) {
      open = find(*uuid);
    }
    return open ? open->turn : 0;
  };
  if (auto* event = std::get_if<StreamEvent>(&message)) return named(*event);
  if (auto* answer = std::get_if<AssistantMessage>(&message)) return named(*answer);
  if (auto* result = std::get_if<ResultMessage>(&message)) return named(*result);
  return std::nullopt;
}

TurnId Turns::follow(const CommandLifecycle& lifecycle) {
  cli_names_prompts_ = true;
  Open* open = find(lifecycle.command_uuid);
  if (open == nullptr) return 0;
  if (lifecycle.state == "started") {
    open->started = true;
    // While another one is at work, this prompt is folded into it.
    if (active_ == 0) active_ = open->turn;
  }
  return open->turn;
}

TurnId Turns::turn_of(const Message& message) {
  if (open_.empty()) return 0;
  if (told_) return is_unprompted(message) ? 0 : active_;
  if (auto* lifecycle = std::get_if<CommandLifecycle>(&message)) return follow(*lifecycle);
  if (auto named = named_by(message)) {
    cli_names_prompts_ = true;
    if (*named != 0) active_ = *named;
    return *named;
  }
  if (is_unprompted(message)) return 0;
  // A result is somebody's, also where prompts are named and nobody is named here.
  const bool is_result = std::holds_alternative<ResultMessage>(message);
  if (active_ == 0 && (is_result || !cli_names_prompts_)) active_ = open_.front().turn;
  return active_;
}

std::vector<TurnId> Turns::take_ended(const ResultMessage& result) {
  std::vector<TurnId> ended;
  auto end = [&](TurnId turn) {
    if (turn == 0) return;
    ended.push_back(turn);
    close(turn);
  };
  auto end_named = [&](std::string_view uuid) {
    if (Open* open = find(uuid)) end(open->turn);
  };
  if (result.user_message_uuid) end_named(*result.user_message_uuid);
  for (std::string_view uuid : result.user_message_uuids) end_named(uuid);
  if ((told_ || !names_prompts(result)) && is_prompted(result)) end(active_);
  return ended;
}

std::optional<TurnId> Turns::take_cancelled(const CommandLifecycle& lifecycle) {
  if (lifecycle.state != "cancelled") return std::nullopt;
  Open* open = find(lifecycle.command_uuid);
  if (open == nullptr || open->started) return std::nullopt;
  TurnId turn = open->turn;
  close(turn);
  return turn;
}

std::vector<TurnId> Turns::take_unanswered() {
  if (active_ == 0 && !cli_names_prompts_ && !open_.empty()) active_ = open_.front().turn;
  std::vector<TurnId> taken;
  for (const Open& each : open_) {
    if (each.started || each.turn == active_) taken.push_back(each.turn);
  }
  for (TurnId turn : taken) close(turn);
  return taken;
}

std::optional<TurnId> Turns::take_any() {
  if (open_.empty()) return std::nullopt;
  TurnId turn = open_.front().turn;
  close(turn);
  return turn;
}

void Turns::close(TurnId turn) {
  std::erase_if(open_, [&](const Open& each) { return each.turn == turn; });
  if (active_ != turn) return;
  auto next = std::ranges::find(open_, true, &Open::started);
  active_ = next == open_.end() ? 0 : next->turn;
}

}  // namespace claude::core
