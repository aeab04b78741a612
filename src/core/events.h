// What comes out of the engine.
//
// Plain values, in the order in which they happened. The session hands them to user code; nothing
// here knows how.
#pragma once

#include <claude/error.h>
#include <claude/message.h>
#include <claude/observer.h>
#include <claude/transport.h>

#include "wire/line.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace claude::core {

// The clock is an argument: this is only its type.
using TimePoint = std::chrono::steady_clock::time_point;

// The time, or where to ask for it: most lines have no use for it, and asking costs as much as a
// tenth of a small message.
class Now {
 public:
  Now(TimePoint time) : time_(time) {}
  Now(TimePoint (*clock)()) : clock_(clock) {}
  TimePoint time() const { return clock_ ? clock_() : time_; }

 private:
  TimePoint time_ = {};
  TimePoint (*clock_)() = nullptr;
};

// The end of a wait. One that is longer than the clock can count never ends.
inline TimePoint after(TimePoint now, std::chrono::milliseconds wait) {
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(TimePoint::max() - now);
  return wait < left ? now + std::max(wait, std::chrono::milliseconds::zero()) : TimePoint::max();
}

// Numbers that name things for as long as a session lives. 0 names nothing.
using CallId = std::uint64_t;
using AskId = std::uint64_t;
using TurnId = std::uint64_t;

struct MessageArrived {
  Message message = {};
  TurnId turn = 0;  // the prompt that it belongs to; 0: none of ours
};

// A turn has its result, or will never have one.
struct TurnEnded {
  TurnId turn = 0;
  std::optional<ResultMessage> result = {};
  std::optional<Error> error = {};  // set when there is no result
  bool folded = false;              // answered together with another prompt, by that one's result
  std::optional<double> cost_usd = {};  // of this turn alone
};

// A result was above the limit or could not be read, and none of our prompts is open: a turn that
// nobody prompted has ended unseen.
struct ResultLost {};

// The payload of a success; may be empty.
struct Answer {
  RawJson payload = {};
  Keep keep = {};
  std::uint64_t tokens = 0;  // of the line, as in wire::ControlRequest
};
struct CallEnded {
  CallId call = 0;
  Result<Answer> result = {};
};

// The CLI asks; somebody has to answer with Engine::answer().
struct Asked {
  AskId ask = 0;
  wire::ControlRequest request;
  std::size_t hook = 0;  // of a hook callback: which registration
};
// Nobody waits for this answer any more: the CLI withdrew it, it took too long, the session ended.
struct AskWithdrawn {
  AskId ask = 0;
};

struct StateChanged {
  SessionState from = SessionState::starting;
  SessionState to = SessionState::starting;
};

struct Diagnostic {
  LogLevel level = LogLevel::debug;
  std::string_view kind = {};  // a fixed word, for counting
  std::string text = {};
};

// The last event of all.
struct SessionEnded {
  enum class How : std::uint8_t { completed, stopped, failed };
  How how = How::stopped;
  Exit exit = {};
  std::optional<Error> error = {};  // of a failure
};

// Compilers fill a variant with zeros when what it begins with is a constant. This is none, so that
// to begin with nothing costs nothing.
struct Nothing {
  Nothing() noexcept {}
};

using Event = std::variant<Nothing, MessageArrived, TurnEnded, ResultLost, CallEnded, Asked,
                           AskWithdrawn, StateChanged, Diagnostic, SessionEnded>;

}  // namespace claude::core
