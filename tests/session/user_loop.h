// The loop of a program that calls its own work, as a user interface does.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include "support/child_process.h"

namespace claude::test {

// An executor like that of a program with a loop of its own: work waits until the loop runs it.
class UserLoop {
 public:
  std::function<void(std::function<void()>)> executor() {
    return [this](std::function<void()> work) {
      std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
      come_.notify_all();
    };
  }
  // Runs work until `done` says so.
  void run_until(const std::function<bool()>& done) {
    while (!done()) {
      std::function<void()> work;
      {
        std::unique_lock lock(mutex_);
        ASSERT_TRUE(come_.wait_for(lock, kPatience, [&] { return !work_.empty(); }));
        work = std::move(work_.front());
        work_.pop_front();
      }
      work();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable come_;
  std::deque<std::function<void()>> work_;
};

}  // namespace claude::test
