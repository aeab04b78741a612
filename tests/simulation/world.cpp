// The scheduler of a world.
#include "world.h"

#include <algorithm>
#include <cstdio>

namespace claude::simulation {
namespace {

using namespace std::chrono_literals;

// A world that has not ended by then turns in a circle.
constexpr std::size_t kMaxSteps = 400'000;
constexpr std::size_t kRestlessness[] = {16, 4, 64, 2, 200};

World* current_world = nullptr;
// Stacks outlive their worlds: making one costs more than a schedule.
std::vector<std::unique_ptr<Fiber>> idle_fibers;

Fiber* take_fiber() {
  if (idle_fibers.empty()) return new Fiber();
  Fiber* fiber = idle_fibers.back().release();
  idle_fibers.pop_back();
  return fiber;
}

}  // namespace

World::World(Decisions decisions, bool tracing)
    : decide(std::move(decisions)), tracing_(tracing), restlessness_(decide.of(kRestlessness)) {
  current_world = this;
  tasks_.reserve(64);
  tasks_.push_back({.name = "nobody", .fiber = nullptr});
}

World::~World() {
  current_world = nullptr;
}

World& World::current() {
  return *current_world;
}

int World::spawn(std::string name, std::function<void()> work) {
  tasks_.push_back({.name = std::move(name), .fiber = take_fiber()});
  tasks_.back().fiber->give(std::move(work));
  return static_cast<int>(tasks_.size()) - 1;
}

int World::open_descriptor() {
  descriptors_.emplace_back();
  return static_cast<int>(descriptors_.size()) - 1;
}

void World::run(std::function<void()> first) {
  spawn("main", std::move(first));
  while (problem_.empty() && step()) {
  }
  if (!problem_.empty()) return;
  for (const Task& task : tasks_) {
    if (task.fiber) return fail(task.name + " waits for ever");
  }
}

// False: nothing can run any more.
bool World::step() {
  ready_.clear();
  for (std::size_t i = 1; i < tasks_.size(); ++i) {
    if (can_run(tasks_[i])) ready_.push_back(static_cast<int>(i));
  }
  if (ready_.empty()) return jump();
  if (++steps_ > kMaxSteps) fail("the world turns in a circle");
  if (decide.one_in(200)) now_ += (decide.below(20) + 1) * 1ms;
  resume(ready_[ready_.size() == 1 ? 0 : decide.below(ready_.size())]);
  return true;
}

void World::resume(int number) {
  auto at = static_cast<std::size_t>(number);
  self_ = number;
  tasks_[at].fiber->resume();
  self_ = 0;
  Task& task = tasks_[at];  // the list may have grown
  if (!task.fiber->finished()) return;
  idle_fibers.emplace_back(std::exchange(task.fiber, nullptr));
  if (task.locks != 0) fail(task.name + " ended with a lock in its hands");
}

bool World::jump() {
  TimePoint next = TimePoint::max();
  for (const Task& task : tasks_) {
    if (task.fiber) next = std::min(next, task.until);
  }
  if (next == TimePoint::max()) return false;
  if (on_idle) on_idle(next - now_);
  now_ = std::max(now_, next);
  event("time passes");
  return true;
}

void World::pause() {
  Fiber* fiber = tasks_[static_cast<std::size_t>(self_)].fiber;
  fiber->pause();
  Task& task = tasks_[static_cast<std::size_t>(self_)];
  task.ready = nullptr;
  task.until = TimePoint::max();
}

void World::fail(const std::string& law) {
  if (problem_.empty()) problem_ = law;
  trace("BROKEN: " + law);
  if (self_ == 0) return;
  // Its thread never goes on: what it holds and waits for is left as it is.
  wait([] { return false; });
}

void World::trace(const std::string& text) const {
  if (!tracing_) return;
  auto passed = std::chrono::duration_cast<std::chrono::microseconds>(now_.time_since_epoch() - 1h);
  std::printf("%12.3f ms  %-7s %2d  %s\n", static_cast<double>(passed.count()) / 1000,
              tasks_[static_cast<std::size_t>(self_)].name.c_str(), self_, text.c_str());
}

}  // namespace claude::simulation
