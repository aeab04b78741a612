// The threads that run user callbacks.
//
// Grows while all its threads are at work, up to a limit, and shrinks when they idle. A callback
// that never returns keeps its thread for itself; at the end it is left behind.
#pragma once

#include <claude/runtime.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace claude {

class Runtime::Pool : public std::enable_shared_from_this<Pool> {
 public:
  explicit Pool(const RuntimeOptions& options) : options_(options) {}

  void run(std::function<void()> work);
  // Lets queued work go and waits for the idle threads to end.
  void stop();

 private:
  void start_thread();
  void serve();

  RuntimeOptions options_;
  std::mutex mutex_;
  std::condition_variable work_there_;
  std::condition_variable thread_left_;
  std::deque<std::function<void()>> queue_;
  std::size_t threads_ = 0;
  std::size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace claude
