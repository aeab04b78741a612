// Threads that come with the work and go without it.
#include "session/pool.h"

#include "session/quietly.h"

#include <utility>

namespace claude {

void Runtime::Pool::run(std::function<void()> work) {
  std::unique_lock lock(mutex_);
  if (stopping_) return;
  if (!idle_.empty()) {
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    worker->work = std::move(work);
    lock.unlock();
    return worker->called.post();
  }
  queue_.push_back(std::move(work));
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
  auto self = std::make_shared<Worker>();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (!queue_.empty()) {
      self->work = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
    } else {
      idle_.push_back(self);
      bool called = false;
      if (threads_ > 1) {
        lock.unlock();
        called = self->called.wait_for(options_.pool_idle);
        lock.lock();
        if (!called && threads_ > 1 && std::erase(idle_, self) > 0) break;
      }
      lock.unlock();
      if (!called) self->called.wait();  // as the last one, or because it was chosen just now
    }
    // What it holds goes outside the lock too.
    if (auto work = std::exchange(self->work, nullptr)) work();
    lock.lock();
  }
  std::erase(idle_, self);
  --threads_;
  thread_left_.notify_all();
}

void Runtime::Pool::stop() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  auto dropped = std::exchange(queue_, {});
  for (const auto& worker : idle_) worker->called.post();
  thread_left_.wait(lock, [&] { return idle_.empty(); });
  lock.unlock();
}

}  // namespace claude
