// The declared ladder by which a child is ended. Pure logic: time and observations go in, the
// next action comes out; the caller applies it with io/child.h.
//
//   close stdin - wait - SIGTERM to the group - wait - SIGKILL to the group - wait - abandoned
//
// The leader is signalled with its group, wherever it is.
//
// Wherever the leader exits, by our doing or by itself, what it left of its group is killed before
// the leader is reaped, because only until then is the group surely ours:
//
//   Ending ending(ladder);
//   ending.start(now);
//   switch (ending.step(now, exited_unreaped(child))) {   // again after each applied action
//     case Action::close_stdin:     child.in.close();
//     case Action::terminate_group: terminate_group(child, SIGTERM);
//     case Action::kill_group:      terminate_group(child, SIGKILL);
//     case Action::wait:            poll child.pidfd until ending.next_deadline()
//     case Action::reap:            status = try_reap(child), the end
//     case Action::abandon:         the end
//   }
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace claude::io {

// How long each step is given. milliseconds::max() means for ever.
struct Ladder {
  std::chrono::milliseconds eof_grace{5000};
  std::chrono::milliseconds term_grace{5000};
  std::chrono::milliseconds kill_grace{2000};
};

// How far we had to go. `none`: the leader ended before we asked it to.
enum class Stage : std::uint8_t { none, eof, term, kill, abandoned };

enum class Action : std::uint8_t {
  wait,
  close_stdin,
  terminate_group,
  kill_group,
  reap,     // last
  abandon,  // last: not even SIGKILL ended it (it hangs in the kernel); nothing is left to do
};

class Ending {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit Ending(Ladder ladder = {}) : ladder_(ladder) {}

  // Begins the ladder; a second call changes nothing. Without it step() only looks after a leader
  // that exits by itself.
  void start(TimePoint now);

  // One action at a time: apply it and call again, until it says wait, reap or abandon.
  // `exited`: the leader has exited and is not reaped yet.
  Action step(TimePoint now, bool exited);

  // When step() must be called at the latest; nullopt when only an exit can change anything.
  std::optional<TimePoint> next_deadline() const { return deadline_; }

  Stage reached() const { return reached_; }

 private:
  Action climb(Stage to, Action action, TimePoint now, std::chrono::milliseconds grace);
  Action after_exit();

  Ladder ladder_;
  Stage reached_ = Stage::none;
  bool swept_ = false;  // SIGKILL went to the whole group
  std::optional<TimePoint> deadline_;
};

}  // namespace claude::io
