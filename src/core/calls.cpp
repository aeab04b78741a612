// The waiting calls, by the number in their id.
#include "core/calls.h"

#include "base/text.h"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace claude::core {
namespace {

constexpr std::string_view kPrefix = "req_";

}  // namespace

std::string Calls::request_id(CallId call) const {
  std::string id(kPrefix);
  base::append_number(id, call);
  id += '_';
  id += suffix_;
  return id;
}

std::optional<CallId> Calls::number_of(std::string_view request_id) const {
  CallId call = 0;
  if (!request_id.starts_with(kPrefix)) return std::nullopt;
  const char* digits = request_id.data() + kPrefix.size();
  const char* end = request_id.data() + request_id.size();
  auto [stop, error] = std::from_chars(digits, end, call);
  if (error != std::errc() || *digits == '0' || stop == end || *stop != '_') return std::nullopt;
  if (std::string_view(stop + 1, end) != suffix_) return std::nullopt;
  return call;
}

void Calls::open(CallId call, std::string subtype, TimePoint deadline) {
  assert(call <= last_ && !waiting_.find(call));
  waiting_.add(call, Call{std::move(subtype), deadline});
}

Calls::Taken Calls::take(std::string_view request_id) {
  auto call = number_of(request_id);
  if (!call || !waiting_.find(*call)) return std::nullopt;
  return take_numbered(*call);
}

Calls::Taken Calls::take_numbered(CallId call) {
  return Taken(std::in_place, call, *waiting_.take(call));
}

bool Calls::was_ours(std::string_view request_id) const {
  auto call = number_of(request_id);
  return call && *call <= last_;
}

Calls::Taken Calls::take_overdue(TimePoint now) {
  for (auto& [call, entry] : waiting_) {
    if (entry.deadline <= now) return take_numbered(call);
  }
  return std::nullopt;
}

Calls::Taken Calls::take_any() {
  if (waiting_.empty()) return std::nullopt;
  return take_numbered(waiting_.begin()->id);
}

TimePoint Calls::next_deadline() const {
  TimePoint next = TimePoint::max();
  for (const auto& [call, entry] : waiting_) next = std::min(next, entry.deadline);
  return next;
}

}  // namespace claude::core
