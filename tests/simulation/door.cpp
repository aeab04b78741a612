// The session's door, on the inside of a world: locks, conditions, threads, pollers, random names.
#include "io/poller.h"
#include "session/ids.h"
#include "session/threads.h"
#include "world.h"

#include <algorithm>
#include <utility>

namespace claude {

using simulation::reached;
using simulation::Reached;
using simulation::World;

TimePoint Clock::now() {
  World::current().point();
  return World::current().now();
}

// ---- Locks -------------------------------------------------------------------------------------

void Mutex::lock() {
  World& world = World::current();
  if (holder_ == world.self())
    world.fail("a thread takes a lock that it holds: user code under it");
  world.point();
  world.wait([this] { return holder_ == 0; });
  holder_ = world.self();
  ++world.locks();
}

void Mutex::unlock() {
  World& world = World::current();
  if (holder_ != world.self()) world.fail("a thread gives back a lock that it does not hold");
  holder_ = 0;
  --world.locks();
  world.point();
}

void Condition::wait_until(std::unique_lock<Mutex>& lock, TimePoint until) {
  World& world = World::current();
  bool called = false;
  bool for_nothing = world.decide.one_in(100);
  waiting_.push_back(&called);
  lock.unlock();
  world.event("sleeps");
  if (for_nothing) {
    reached(Reached::spurious_wakeup);
  } else {
    world.wait([&] { return called; }, until);
  }
  std::erase(waiting_, &called);
  lock.lock();
}

void Condition::notify_one() {
  if (waiting_.empty()) return;
  auto one = waiting_.begin() +
             static_cast<std::ptrdiff_t>(World::current().decide.below(waiting_.size()));
  **one = true;
  waiting_.erase(one);
}

void Condition::notify_all() {
  for (bool* each : std::exchange(waiting_, {})) *each = true;
}

bool Semaphore::wait_until(TimePoint until) {
  World& world = World::current();
  world.event("sleeps");
  world.wait([this] { return posts_ > 0; }, until);
  if (posts_ == 0) return false;
  --posts_;
  return true;
}

// ---- Threads -----------------------------------------------------------------------------------

Thread::Thread(std::function<void()> work) {
  id_.number = World::current().spawn("thread", std::move(work));
}

void Thread::join() {
  World& world = World::current();
  world.wait([&] { return world.is_done(id_.number); });
  id_ = {};
}

Thread::id this_thread::get_id() {
  return {World::current().self()};
}

// ---- Pollers -----------------------------------------------------------------------------------

namespace io {
namespace {

bool wants(Interest interest, Interest what) {
  return (static_cast<unsigned>(interest) & static_cast<unsigned>(what)) != 0;
}

bool is_ready(int fd, Interest interest) {
  const simulation::Readiness& at = World::current().at(fd);
  return at.hangup || (at.readable && wants(interest, Interest::read)) ||
         (at.writable && wants(interest, Interest::write));
}

template <class AnyReady>
void wait_for(AnyReady any_ready, Timeout timeout) {
  World& world = World::current();
  world.point();
  if (world.decide.one_in(100)) return reached(Reached::interrupted_poll);
  TimePoint until = TimePoint::max();
  if (timeout) until = world.now() + std::chrono::ceil<std::chrono::milliseconds>(*timeout);
  world.wait(any_ready, until);
  world.event("woken from a poll");
}

}  // namespace

Result<void> Poller::add(int fd, Interest interest, std::uint64_t token, Repeat repeat) {
  entries_.emplace(fd, Entry{interest, token, repeat});
  return {};
}

Result<void> Poller::modify(int fd, Interest interest, std::uint64_t token, Repeat repeat) {
  auto found = entries_.find(fd);
  if (found == entries_.end()) return std::unexpected(Error{});
  found->second = {interest, token, repeat};
  return {};
}

std::size_t Poller::wait(Timeout timeout, std::span<Ready> ready) {
  auto reports = [](const auto& entry) {
    return !entry.second.silent && is_ready(entry.first, entry.second.interest);
  };
  wait_for([&] { return std::any_of(entries_.begin(), entries_.end(), reports); }, timeout);
  std::size_t count = 0;
  for (auto& entry : entries_) {
    if (count == ready.size() || !reports(entry)) continue;
    auto at = World::current().at(entry.first);
    ready[count++] = {entry.second.token, at.readable, at.writable, at.hangup};
    entry.second.silent = entry.second.repeat == Repeat::one_shot;
  }
  return count;
}

Result<Wake> Wake::create() {
  return Wake(World::current().open_descriptor());
}

void Wake::notify() const {
  World::current().at(fd_).readable = true;
  World::current().point();
}

void Wake::drain() const {
  World::current().at(fd_).readable = false;
}

std::size_t poll_few(std::span<PollItem> items, Timeout timeout) {
  auto reports = [](const PollItem& item) {
    return item.fd >= 0 && is_ready(item.fd, item.interest);
  };
  wait_for([&] { return std::any_of(items.begin(), items.end(), reports); }, timeout);
  std::size_t count = 0;
  for (PollItem& item : items) {
    if (!reports(item)) continue;
    auto at = World::current().at(item.fd);
    item.readable = at.readable && wants(item.interest, Interest::read);
    item.writable = at.writable && wants(item.interest, Interest::write);
    item.hangup = at.hangup;
    ++count;
  }
  return count;
}

}  // namespace io

// ---- Random names: as readable as they can be --------------------------------------------------

std::string random_uuid() {
  return "u" + std::to_string(World::current().next_name());
}

std::string random_suffix() {
  return "w";
}

}  // namespace claude
