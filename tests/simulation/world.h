// A world in memory: threads, a clock and descriptors, under a scheduler that decides by a seed.
//
// All of it runs on one real thread. A switch may come at every point(), and so at each lock, wait,
// poll and look at the clock. Time moves when nothing can run, to the next deadline, and now and
// then by itself, as on a busy machine. Whoever breaks a law calls fail(), and the world stops.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "coverage.h"
#include "decisions.h"
#include "fiber.h"

namespace claude::simulation {

using TimePoint = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

// Of a descriptor: what poll() would say.
struct Readiness {
  bool readable = false;
  bool writable = false;
  bool hangup = false;
};

class World {
 public:
  World(Decisions decisions, bool tracing);
  ~World();
  static World& current();

  // Runs `first` and all threads that come of it to their end, or until a law is broken.
  void run(std::function<void()> first);
  const std::string& problem() const { return problem_; }
  std::size_t events() const { return events_; }

  // ---- For whoever lives in it ----
  Decisions decide;
  TimePoint now() const { return now_; }
  int spawn(std::string name, std::function<void()> work);  // the number of the thread
  bool is_done(int thread) const { return !tasks_[static_cast<std::size_t>(thread)].fiber; }
  int self() const { return self_; }
  // The locks that the running thread holds.
  int& locks() { return tasks_[static_cast<std::size_t>(self_)].locks; }
  void point() {
    if (decide.one_in(restlessness_)) pause();
  }
  // Until `ready`, or the time is over. False: it was.
  template <class Ready>
  bool wait(Ready ready, TimePoint until = TimePoint::max());
  void sleep(Duration time) {
    wait([] { return false; }, now_ + time);
  }

  int next_name() { return ++names_; }
  int open_descriptor();
  Readiness& at(int fd) { return descriptors_[static_cast<std::size_t>(fd)]; }

  // ---- For whoever judges it ----
  void fail(const std::string& law);
  // Called before time jumps because nothing can run.
  std::function<void(Duration jump)> on_idle;
  // Something happened: in the trace, and in the count of events.
  template <class... Words>
  void event(const Words&... words);

 private:
  struct Task {
    std::string name;
    Fiber* fiber;                          // null: it has finished
    bool (*ready)(const void*) = nullptr;  // null: it can go on
    const void* awaited = nullptr;
    TimePoint until = TimePoint::max();
    int locks = 0;
  };
  void pause();
  bool step();
  bool can_run(const Task& task) const {
    return task.fiber && (!task.ready || task.until <= now_ || task.ready(task.awaited));
  }
  void resume(int number);
  bool jump();
  void trace(const std::string& text) const;

  bool tracing_;
  std::size_t restlessness_;
  TimePoint now_ = TimePoint() + std::chrono::hours(1);
  std::vector<Task> tasks_;  // by their numbers; the first is nobody
  std::vector<int> ready_;
  std::vector<Readiness> descriptors_;
  int self_ = 0;
  int names_ = 0;
  std::size_t steps_ = 0;
  std::size_t events_ = 0;
  std::string problem_;
};

template <class Ready>
bool World::wait(Ready ready, TimePoint until) {
  while (!ready()) {
    if (now_ >= until) return false;
    Task& task = tasks_[static_cast<std::size_t>(self_)];
    task.ready = [](const void* awaited) { return (*static_cast<const Ready*>(awaited))(); };
    task.awaited = &ready;
    task.until = until;
    pause();
  }
  return true;
}

template <class... Words>
void World::event(const Words&... words) {
  ++events_;
  if (!tracing_) return;
  std::ostringstream text;
  (text << ... << words);
  trace(text.str());
}

}  // namespace claude::simulation
