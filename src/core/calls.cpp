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
  constexpr std::size_t kDigits = 20;
  std::string id;
  id.reserve(kPrefix.size() + kDigits + 1 + suffix_.size());
  id += kPrefix;
  base::append_number(id, call);
  id += '_';
  id += suffix_;
  return id;
}

std::optional<CallId> Calls::number_of(std::string_view request_id) const {
  CallId call = 0;
  if (!request_id.starts_with(kPrefix)) return std::nullopt;
  const char* end = request_id.data() + request_id.size();
  auto [stop, error] = std::from_chars(request_id.data() + kPrefix.size(), end, call);
  if (error != std::errc() || stop == end || *stop != '_') return std::nullopt;
  if (std::string_view(stop + 1, end) != suffix_) return std::nullopt;
  return call;
}

std::string_view Calls::open(CallId call, std::string subtype, TimePoint deadline) {
  assert(call <= last_ && !waiting_.find(call));
  return waiting_.add(call, Call{std::move(subtype), request_id(call), deadline}).request_id;
}

Calls::Taken Calls::take(std::string_view request_id) {
  auto call = number_of(request_id);
  Call* found = call ? waiting_.find(*call) : nullptr;
  if (!found || found->request_id != request_id) return std::nullopt;
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
