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

#include "io/host_process.h"
#include "session/threads.h"

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace claude {

// Does what is left after the work. It must not block, and run no user code.
class Afterwards {
 public:
  virtual ~Afterwards() = default;
  virtual void after_work() = 0;
};

class Runtime::Pool : public std::enable_shared_from_this<Pool> {
  // Memory of work that is over, for the next: malloc takes several times as long where one thread
  // gives back what another one took.
  class Spare {
   public:
    static constexpr std::size_t kBytes = 1024;
    Spare() = default;
    ~Spare() { ::operator delete(memory_); }
    Spare(const Spare&) = delete;

    void* take() {
      void* const memory = memory_.exchange(nullptr);
      return memory != nullptr ? memory : ::operator new(kBytes);
    }
    void give_back(void* memory) { ::operator delete(memory_.exchange(memory)); }

   private:
    std::atomic<void*> memory_ = nullptr;
  };

 public:
  explicit Pool(const RuntimeOptions& options) : options_(options) {}

  // A function that gives back who has something to do afterwards, or nobody. Whoever destroys it
  // holds the pool that made it.
  class Work {
   public:
    Work() = default;
    explicit operator bool() const { return body_ != nullptr; }
    std::shared_ptr<Afterwards> operator()() { return body_->run(); }

   private:
    friend class Pool;
    struct Body {
      virtual ~Body() = default;
      virtual std::shared_ptr<Afterwards> run() = 0;
    };
    template <class F>
    struct Of final : Body {
      template <class... Args>
      explicit Of(Args&&... args) noexcept : function{std::forward<Args>(args)...} {}
      std::shared_ptr<Afterwards> run() override { return function(); }
      F function;
    };
    struct GiveBack {
      Spare* spare;
      void operator()(Body* body) const {
        std::destroy_at(body);
        spare->give_back(body);
      }
    };
    Work(Body* body, Spare& spare) : body_(body, {&spare}) {}

    std::unique_ptr<Body, GiveBack> body_{nullptr, {}};
  };

  // Of what is given, in its place.
  template <class F, class... Args>
  Work make(Args&&... args) {
    using Body = Work::Of<F>;
    static_assert(sizeof(Body) <= Spare::kBytes && alignof(Body) <= alignof(std::max_align_t));
    return Work(std::construct_at(static_cast<Body*>(spare_.take()), std::forward<Args>(args)...),
                spare_);
  }
  void run(Work work);
  void run(std::function<void()> work);
  // For what may run user code: runs it here, unless this is a thread that others count on already.
  // Then another one does, or this one when it is its turn.
  void run_where_it_may_block(std::function<void()> work);
  // Whether, with so much more work, less than half of the threads that it may have are busy.
  bool has_plenty(std::size_t coming);
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
  io::HostProcess host_;
  Spare spare_;
  Mutex mutex_;
  Condition thread_left_;
  std::deque<Work> queue_;                     // for the next thread that is free
  std::vector<std::shared_ptr<Worker>> idle_;  // the last one has come last
  std::vector<std::shared_ptr<Worker>> workers_;
  std::size_t threads_ = 0;  // also those that are only about to be workers
  bool stopping_ = false;
};

}  // namespace claude
