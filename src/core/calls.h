// Requests that we sent and whose answers we wait for.
//
// The engine owns one Calls. Time is an argument; nothing here knows of pipes or threads.
// Law: a call leaves this table exactly once, with exactly one outcome.
#pragma once

#include "base/id_table.h"
#include "core/events.h"

#include <string>
#include <string_view>
#include <utility>

namespace claude::core {

struct Call {
  std::string subtype;  // what was asked
  TimePoint deadline = TimePoint::max();
};

class Calls {
 public:
  using Taken = std::optional<std::pair<CallId, Call>>;

  // `suffix` makes ids unlike those of other sessions: "req_7_a1b2c3".
  Calls(std::size_t limit, std::string suffix) : limit_(limit), suffix_(std::move(suffix)) {}

  // A number for a call that will be opened later; its id on the wire follows from it.
  CallId reserve() { return ++last_; }

  bool is_full() const { return waiting_.size() >= limit_; }
  void open(CallId call, std::string subtype, TimePoint deadline);
  // As it stands on the wire.
  std::string request_id(CallId call) const;

  // Takes the call that this id names. Nothing for an id that is not waiting (late, double, made
  // up).
  Taken take(std::string_view request_id);
  // True if the id was ours once: a late answer rather than a strange one.
  bool was_ours(std::string_view request_id) const;

  // Takes one call whose time is over.
  Taken take_overdue(TimePoint now);
  // Takes one call, whichever.
  Taken take_any();

  TimePoint next_deadline() const;
  std::size_t size() const { return waiting_.size(); }

 private:
  std::optional<CallId> number_of(std::string_view request_id) const;
  Taken take_numbered(CallId call);

  std::size_t limit_;
  std::string suffix_;
  CallId last_ = 0;
  base::IdTable<Call> waiting_;
};

}  // namespace claude::core
