// Threads that come with the work and go without it.
#include "session/pool.h"

#include "session/quietly.h"

#include <utility>

namespace claude {

void Runtime::Pool::run(std::function<void()> work) {
  std::unique_lock lock(mutex_);
  if (stopping_) return;
  queue_.push_back(std::move(work));
  if (idle_ >= queue_.size()) {
    // Not under the lock, or the first thing that the woken thread did would be to wait for it.
    lock.unlock();
    return work_there_.notify_one();
  }
  if (threads_ < options_.pool_threads) start_thread();
  if (threads_ > 0) return;
  // There is no thread to be had: better here than never.
  work = std::move(queue_.front());
  queue_.pop_front();
  lock.unlock();
  work();
}

void Runtime::Pool::start_thread() {
  auto refused =
      thrown_by([&] { Thread([self = shared_from_this()] { self->serve(); }).detach(); });
  if (!refused) ++threads_;
}

void Runtime::Pool::serve() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (queue_.empty()) {
      ++idle_;
      bool woken = work_there_.wait_for(lock, options_.pool_idle,
                                        [&] { return stopping_ || !queue_.empty(); });
      --idle_;
      if (!woken) break;
      continue;
    }
    auto work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // what it holds goes outside the lock too
    lock.lock();
  }
  --threads_;
  thread_left_.notify_all();
}

void Runtime::Pool::stop() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  auto dropped = std::exchange(queue_, {});
  work_there_.notify_all();
  thread_left_.wait(lock, [&] { return idle_ == 0; });
  lock.unlock();
}

}  // namespace claude
