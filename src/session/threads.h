// Threads, locks and the clock: the only door through which this room meets them.
//
// The simulation of the whole (docs/simulation.md) builds the room once more with a door of its
// own, and with pollers of its own in place of io/poller.h: there a thread is a fiber, a switch
// may come wherever a lock is taken, and time stands still until nothing can run.
#pragma once

#ifdef __linux__
#include <semaphore.h>
#endif

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

namespace claude {

using Mutex = std::mutex;
using Condition = std::condition_variable;
using Thread = std::thread;
namespace this_thread = std::this_thread;

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

// So seldom a thread that has written looks, before it waits, whether the CLI is quick by now.
inline constexpr unsigned kWritesBeforeLook = 64;

// Lets one waiting thread go on for each post().
#ifdef __linux__
// Who is woken by a Condition has a lock to give back, which is a system call more. Not the
// standard library's semaphore, which spins before it sleeps.
class Semaphore {
 public:
  Semaphore() { sem_init(&posts_, 0, 0); }
  ~Semaphore() { sem_destroy(&posts_); }
  Semaphore(const Semaphore&) = delete;

  void post() { sem_post(&posts_); }
  void wait() {
    while (sem_wait(&posts_) != 0) {  // a signal came
    }
  }
  // False when the time is over.
  bool wait_until(TimePoint time) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch());
    const std::chrono::nanoseconds rest = time.time_since_epoch() - whole;
    const timespec until = {.tv_sec = whole.count(), .tv_nsec = rest.count()};
    int failed = 0;
    do {
      failed = sem_clockwait(&posts_, CLOCK_MONOTONIC, &until);
    } while (failed && errno == EINTR);
    return !failed;
  }

 private:
  sem_t posts_;
};
#else
class Semaphore {
 public:
  void post() {
    std::lock_guard lock(mutex_);
    ++posts_;
    posted_.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    posted_.wait(lock, [&] { return posts_ > 0; });
    --posts_;
  }
  bool wait_until(TimePoint time) {
    std::unique_lock lock(mutex_);
    if (!posted_.wait_until(lock, time, [&] { return posts_ > 0; })) return false;
    --posts_;
    return true;
  }

 private:
  Mutex mutex_;
  Condition posted_;
  int posts_ = 0;
};
#endif

}  // namespace claude
