#include "core/asks.h"

#include <algorithm>

namespace claude::core {
namespace {

// Takes the first open ask that `matches`.
template <class Matches>
std::optional<std::pair<AskId, Ask>> take_if(std::map<AskId, Ask>& open, Matches matches) {
  auto found = std::ranges::find_if(open, [&](const auto& entry) { return matches(entry.second); });
  if (found == open.end()) return std::nullopt;
  std::pair<AskId, Ask> taken(found->first, std::move(found->second));
  open.erase(found);
  return taken;
}

}  // namespace

std::optional<AskId> Asks::open(Ask ask) {
  for (const auto& [id, each] : open_) {
    if (each.id.json.text() == ask.id.json.text()) return std::nullopt;
  }
  open_.emplace(++last_, std::move(ask));
  return last_;
}

std::optional<Ask> Asks::take(AskId ask) {
  auto found = open_.find(ask);
  if (found == open_.end()) return std::nullopt;
  Ask taken = std::move(found->second);
  open_.erase(found);
  return taken;
}

std::optional<std::pair<AskId, Ask>> Asks::take(std::string_view request_id) {
  return take_if(open_, [&](const Ask& ask) { return ask.id.json.text() == request_id; });
}

std::optional<std::pair<AskId, Ask>> Asks::take_overdue(TimePoint now) {
  return take_if(open_, [&](const Ask& ask) { return ask.deadline <= now; });
}

std::optional<std::pair<AskId, Ask>> Asks::take_any() {
  return take_if(open_, [](const Ask&) { return true; });
}

TimePoint Asks::next_deadline() const {
  TimePoint next = TimePoint::max();
  for (const auto& [id, ask] : open_) next = std::min(next, ask.deadline);
  return next;
}

}  // namespace claude::core
