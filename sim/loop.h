// The one loop of the CLI: lines of stdin, room on stdout, signals, and time by poll(2).
//
// Everything that waits is a coroutine at a Gate. Nothing here knows of JSON or of the protocol.
#pragma once

#include <chrono>
#include <coroutine>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "task.h"

namespace claude::sim {

class Loop;
class Wait;
class Output;

enum class Woke { opened, timed_out };

// Thrown out of a wait when its turn was interrupted.
struct Interrupted {};

// The waits of a turn. When it fires, each of them ends with Interrupted.
class Abort {
 public:
  bool fired() const { return fired_; }
  void fire();
  // All that it ended has ended, and the turn goes on.
  void rearm() { fired_ = false; }

 private:
  friend class Wait;
  bool fired_ = false;
  std::vector<Wait*> waits_;
};

// Opens once; whoever waits for it goes on.
class Gate {
 public:
  bool is_open() const { return open_; }
  bool is_awaited() const { return !waits_.empty(); }
  void open();
  void close() { open_ = false; }

 private:
  friend class Wait;
  bool open_ = false;
  std::vector<Wait*> waits_;
};

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;

// `co_await`: until the gate opens or the time has come. Each of the three may be absent.
class [[nodiscard]] Wait {
 public:
  Wait(Loop& loop, Gate* gate, Abort* abort, std::optional<Time> until)
      : loop_(loop), gate_(gate), abort_(abort), until_(until) {}
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  bool await_ready() const { return (abort_ && abort_->fired()) || (gate_ && gate_->is_open()); }
  void await_suspend(std::coroutine_handle<> who);
  Woke await_resume() const;

  void wake();

 private:
  Loop& loop_;
  Gate* gate_;
  Abort* abort_;
  std::optional<Time> until_;
  std::coroutine_handle<> who_;
};

// `co_await`: lets what already lies in stdin come first.
class [[nodiscard]] Yield {
 public:
  explicit Yield(Loop& loop) : loop_(loop) {}
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> who);
  void await_resume() const {}

 private:
  Loop& loop_;
};

class Loop {
 public:
  std::function<void(std::string_view)> on_line;
  std::function<void()> on_end_of_input;
  std::function<void(int)> on_signal;

  explicit Loop(Output& output) : output_(output) {}

  // Starts a task that nobody awaits.
  void spawn(Task<void> task);
  // Ends the tasks that are left, wherever they wait.
  void drop_tasks();
  // Comes back by what exit_now() throws.
  [[noreturn]] void run();

  // Does the program read its stdin?
  void set_reading(bool reading) { reading_ = reading; }

  // Calls `readable` whenever there is something to read, until unwatch().
  void watch(int descriptor, std::function<void()> readable);
  void unwatch(int descriptor) { watched_.erase(descriptor); }

 private:
  friend class Wait;
  friend class Yield;
  struct Detached;
  void run_ready();
  void run_timers();
  int poll_timeout() const;
  void read_input();
  void take_signals();
  void read_watched(int descriptor);

  Output& output_;
  std::deque<std::coroutine_handle<>> ready_;
  std::vector<std::coroutine_handle<>> yielded_;
  std::multimap<Time, Wait*> timers_;
  std::set<void*> detached_;  // addresses of their handles
  std::map<int, std::function<void()>> watched_;
  std::string line_;
  bool reading_ = true;
  bool ended_ = false;
};

}  // namespace claude::sim
