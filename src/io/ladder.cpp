// The declared ladder by which a child is ended.
#include "io/ladder.h"

#include <algorithm>

namespace claude::io {
namespace {

// now + grace, without overflow for graces that mean "for ever"; one below zero is none.
Ending::TimePoint after(Ending::TimePoint now, std::chrono::milliseconds grace) {
  const auto left = std::chrono::floor<std::chrono::milliseconds>(Ending::TimePoint::max() - now);
  if (grace >= left) return Ending::TimePoint::max();
  return now + std::max(grace, std::chrono::milliseconds::zero());
}

}  // namespace

void Ending::start(TimePoint now) {
  if (reached_ == Stage::none && !deadline_) deadline_ = now;
}

Action Ending::step(TimePoint now, bool exited) {
  if (exited) return after_exit();
  if (reached_ == Stage::abandoned) return Action::abandon;
  if (!deadline_ || now < *deadline_) return Action::wait;
  switch (reached_) {
    case Stage::none:
      return climb(Stage::eof, Action::close_stdin, now, ladder_.eof_grace);
    case Stage::eof:
      return climb(Stage::term, Action::terminate_group, now, ladder_.term_grace);
    case Stage::term:
      swept_ = true;
      return climb(Stage::kill, Action::kill_group, now, ladder_.kill_grace);
    case Stage::kill:
    case Stage::abandoned:
      break;
  }
  deadline_.reset();
  reached_ = Stage::abandoned;
  return Action::abandon;
}

// A grace begins when its action is taken, so a caller that comes late skips no step.
Action Ending::climb(Stage to, Action action, TimePoint now, std::chrono::milliseconds grace) {
  reached_ = to;
  deadline_ = after(now, grace);
  return action;
}

// Once is enough: no process of a group escapes its SIGKILL by forking.
Action Ending::after_exit() {
  deadline_.reset();
  if (swept_) return Action::reap;
  swept_ = true;
  return Action::kill_group;
}

}  // namespace claude::io
