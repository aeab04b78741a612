// The threads that run user callbacks.
//
// Grows while all its threads are at work, up to a limit, and shrinks when they idle. Work goes to
// the thread that has idled least, whose memory is still in the cache; so those that are not needed
// idle long enough to end. The last one stays: callbacks mostly come one by one, seconds apart, and
// to start a thread takes longer than most of them. A callback that never returns keeps its thread
// for itself; at the end it is left behind.
//
// What a callback answers is written by a thread that counts as free already. Else the CLI, which
// may run before the write is over, would find it busy with its next question, and each of them
// would start another thread.
#pragma once

#include <claude/runtime.h>

#include "session/threads.h"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace claude {

// Does what is left after the work. It must not block, and run no user code.
class Afterwards {
 public:
  virtual ~Afterwards() = default;
  virtual void after_work() = 0;
};

class Runtime::Pool : public std::enable_shared_from_this<Pool> {
 public:
  explicit Pool(const RuntimeOptions& options) : options_(options) {}

  using Work = std::function<std::shared_ptr<Afterwards>()>;
  void run(Work work);
  // For what may run user code: runs it here, unless this is a thread that others count on already.
  // Then another one does, or this one when it is its turn.
  void run_where_it_may_block(std::function<void()> work);
  // Lets queued work go and waits for the idle threads to end.
  void stop();

 private:
  struct Worker {
    Thread::id thread = this_thread::get_id();
    Semaphore called;
    Work work;                   // what it was called for; nothing: to end
    bool is_counted_on = false;  // counts as free, or has its next work; only for itself
  };

  void start_thread();
  void serve();
  bool wait(const std::shared_ptr<Worker>& self, bool is_last, std::unique_lock<Mutex>& lock);

  RuntimeOptions options_;
  Mutex mutex_;
  Condition thread_left_;
  std::deque<Work> queue_;                     // for the next thread that is free
  std::vector<std::shared_ptr<Worker>> idle_;  // the last one has come last
  std::vector<std::shared_ptr<Worker>> workers_;
  std::size_t threads_ = 0;  // also those that are only about to be workers
  bool stopping_ = false;
};

}  // namespace claude
