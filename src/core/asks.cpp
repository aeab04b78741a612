// The open asks: few, so a walk over them is the whole search.
#include "core/asks.h"

#include <algorithm>
#include <cassert>

namespace claude::core {
namespace {

// Text is compared as text, however it was escaped; any other id as it stands on the wire. So is
// text with U+FFFD in it: halves of an emoji, which are no text, all read as that.
bool same(const wire::RequestId& a, const wire::RequestId& b) {
  const bool texts = a.text.data() != nullptr && b.text.data() != nullptr;
  if (texts && a.text != b.text) return false;
  if (texts && !a.text.contains("\uFFFD")) return true;
  return a.json.text() == b.json.text();
}

}  // namespace

template <class Matches>
Asks::Taken Asks::take_if(Matches matches) {
  auto found = std::ranges::find_if(open_, [&](const auto& entry) { return matches(entry.value); });
  if (found == open_.end()) return std::nullopt;
  const AskId id = found->id;
  return Taken(std::in_place, id, *open_.take(id));
}

bool Asks::has_room_for(const Ask& ask) const {
  std::size_t bytes = ask.line_bytes;
  for (const auto& [id, open] : open_) bytes += open.line_bytes;
  return open_.size() < limit_ && bytes <= max_bytes_;
}

bool Asks::has(const wire::RequestId& id) const {
  return std::ranges::any_of(open_, [&](const auto& entry) { return same(entry.value.id, id); });
}

AskId Asks::open(Ask&& ask) {
  assert(has_room_for(ask) && !has(ask.id));
  open_.add(++last_, std::move(ask));
  return last_;
}

Asks::Taken Asks::take(const wire::RequestId& id) {
  return take_if([&](const Ask& ask) { return same(ask.id, id); });
}

Asks::Taken Asks::take_overdue(TimePoint now) {
  return take_if([&](const Ask& ask) { return ask.deadline <= now; });
}

Asks::Taken Asks::take_any() {
  return take_if([](const Ask&) { return true; });
}

TimePoint Asks::next_deadline() const {
  TimePoint next = TimePoint::max();
  for (const auto& [id, ask] : open_) next = std::min(next, ask.deadline);
  return next;
}

}  // namespace claude::core
