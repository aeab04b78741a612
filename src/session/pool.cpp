// Threads that come with the work and go without it.
#include "session/pool.h"

#include "core/events.h"
#include "session/quietly.h"

#include <algorithm>
#include <utility>

namespace claude {

void Runtime::Pool::run(Work work) {
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
  // There is no thread to be had: better here than never. The pool may go with what it owns.
  const auto self = shared_from_this();
  Work here = std::move(queue_.front());
  queue_.pop_front();
  lock.unlock();
  if (auto rest = here()) rest->after_work();
}

void Runtime::Pool::run(std::function<void()> work) {
  struct Plain {
    std::function<void()> work;
    std::shared_ptr<Afterwards> operator()() const { return work(), nullptr; }
  };
  run(make<Plain>(std::move(work)));
}

void Runtime::Pool::run_where_it_may_block(std::function<void()> work) {
  std::unique_lock lock(mutex_);
  const bool elsewhere = std::ranges::any_of(workers_, [](const auto& each) {
    return each->thread == this_thread::get_id() && each->is_counted_on;
  });
  lock.unlock();
  if (!elsewhere) return work();  // and with it, perhaps, all of this
  run(std::move(work));
}

bool Runtime::Pool::has_plenty(std::size_t coming) {
  std::lock_guard held(mutex_);
  return workers_.size() - idle_.size() + queue_.size() + coming < options_.pool_threads / 2;
}

void Runtime::Pool::start_thread() {
  auto refused =
      thrown_by([&] { Thread([self = shared_from_this()] { self->serve(); }).detach(); });
  if (!refused) ++threads_;
}

void Runtime::Pool::serve() {
  auto self = std::make_shared<Worker>();
  std::shared_ptr<Afterwards> rest;
  std::unique_lock lock(mutex_);
  workers_.push_back(self);
  while (!stopping_) {
    const bool is_free = queue_.empty();
    const bool is_last = threads_ == 1;
    if (is_free) {
      idle_.push_back(self);
    } else {
      self->work = std::move(queue_.front());
      queue_.pop_front();
    }
    lock.unlock();
    if (rest) {
      self->is_counted_on = true;
      rest->after_work();
      rest = nullptr;
      self->is_counted_on = false;
    }
    if (is_free && !wait(self, is_last, lock)) break;
    // What it holds goes outside the lock too.
    if (auto work = std::exchange(self->work, {})) rest = work();
    lock.lock();
  }
  std::erase(idle_, self);
  std::erase(workers_, self);
  --threads_;
  thread_left_.notify_all();
}

// As the last thread for ever; another one for a time, unless it is chosen just then. If it was for
// nothing the lock is held: nobody may count on a thread that leaves.
bool Runtime::Pool::wait(const std::shared_ptr<Worker>& self, bool is_last,
                         std::unique_lock<Mutex>& lock) {
  bool called = false;
  if (!is_last) {
    called = self->called.wait_until(core::after(Clock::now(), options_.pool_idle));
    lock.lock();
    if (!called && threads_ > 1 && std::erase(idle_, self) > 0) return false;
    lock.unlock();
  }
  if (!called) self->called.wait();
  return true;
}

void Runtime::Pool::stop() {
  if (!host_.is_this_one()) return;  // a copy of the host has none of these threads
  std::unique_lock lock(mutex_);
  stopping_ = true;
  auto dropped = std::exchange(queue_, {});
  for (const auto& worker : idle_) worker->called.post();
  // One of them may be who calls this: it leaves when it has done so.
  std::erase_if(idle_, [](const auto& each) { return each->thread == this_thread::get_id(); });
  thread_left_.wait(lock, [&] { return idle_.empty(); });
  lock.unlock();
}

}  // namespace claude
