// The door of the session room (src/session/threads.h) into a simulated world: threads are fibers
// on one real thread, locks are places where they may be switched, and the clock is the world's.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

namespace claude {

struct Clock {
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;
  static time_point now();
};
using TimePoint = Clock::time_point;

// Seldom enough that both ways are played, in sessions that write a few lines only.
inline constexpr unsigned kWritesBeforeLook = 4;

// One that is locked twice by its holder, or given back by another, breaks a law.
class Mutex {
 public:
  void lock();
  void unlock();

 private:
  int holder_ = 0;  // a thread's number; 0: nobody
};

class Condition {
 public:
  void wait(std::unique_lock<Mutex>& lock) { wait_until(lock, TimePoint::max()); }
  template <class Done>
  void wait(std::unique_lock<Mutex>& lock, Done done) {
    while (!done()) wait(lock);
  }
  void wait_until(std::unique_lock<Mutex>& lock, TimePoint until);
  template <class Done>
  bool wait_for(std::unique_lock<Mutex>& lock, Clock::duration time, Done done) {
    for (TimePoint until = Clock::now() + time; !done();) {
      if (Clock::now() >= until) return false;
      wait_until(lock, until);
    }
    return true;
  }
  void notify_one();
  void notify_all();

 private:
  std::vector<bool*> waiting_;  // each to be set for one who may go
};

class Semaphore {
 public:
  void post() { ++posts_; }
  void wait() { wait_until(TimePoint::max()); }
  bool wait_until(TimePoint until);

 private:
  int posts_ = 0;
};

class Thread {
 public:
  struct id {
    int number = 0;  // 0: no thread
    bool operator==(const id&) const = default;
  };

  Thread() = default;
  explicit Thread(std::function<void()> work);
  id get_id() const { return id_; }
  void join();
  void detach() { id_ = {}; }

 private:
  id id_;
};

namespace this_thread {
Thread::id get_id();
}

}  // namespace claude
