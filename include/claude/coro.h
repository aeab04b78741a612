// Coroutines: co_await for operations and streams. The only header with <coroutine>.
//
//   claude::Task<int> talk(claude::Session& session) {
//     auto model = co_await session.set_model("sonnet");          // Result<ModelSet>
//     claude::Turn turn = session.send("Hello");
//     while (auto message = co_await claude::next(turn)) render(*message);
//     co_return 0;
//   }
//   int code = claude::run(talk(session));
//
// What is awaited resumes on the session's Options::executor.
//
// A coroutine may be destroyed while it waits: on the executor's own thread, for elsewhere it may
// be resumed at the same time. An operation goes on without it; a message that it waited for is
// lost.
#pragma once

#include <claude/call.h>
#include <claude/session.h>

#include <atomic>
#include <coroutine>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace claude {

// For the library: waits in a coroutine for what `begin` will call a function with. The two may end
// in any order, so they meet in a place that belongs to neither.
template <class T, class Begin>
class Awaiter {
 public:
  explicit Awaiter(Begin begin) : begin_(std::move(begin)) {}
  Awaiter(const Awaiter&) = delete;
  ~Awaiter() {
    if (!place_) return;
    place_->taken = true;
    place_->goes_on = false;
  }

  bool await_ready() const { return false; }
  bool await_suspend(std::coroutine_handle<> waiting) {
    // The coroutine may have gone on, and be gone, before this has returned.
    const auto place = place_ = std::make_shared<Place>(waiting);
    Begin begin = std::move(begin_);
    begin([place](T arrived) {
      if (place->taken.exchange(true)) return;
      place->arrived.emplace(std::move(arrived));
      if (place->is_beginning_here()) {
        place->goes_on = true;
      } else {
        place->waiting.resume();
      }
    });
    place->begun = true;
    return !place->goes_on;
  }
  T await_resume() { return std::move(*place_->arrived); }

 private:
  struct Place {
    explicit Place(std::coroutine_handle<> handle) : waiting(handle) {}
    bool is_beginning_here() const { return beginner == std::this_thread::get_id() && !begun; }

    std::coroutine_handle<> waiting;
    std::optional<T> arrived;
    std::atomic<bool> taken = false;  // by what has arrived, or by the end of the coroutine
    // What is there already arrives within `begin`, if the executor runs its work at once: to
    // resume in there would nest each message of a mailbox in the one before.
    std::atomic<bool> goes_on = false;  // without having waited
    const std::thread::id beginner = std::this_thread::get_id();
    bool begun = false;  // only the beginner looks
  };
  Begin begin_;
  std::shared_ptr<Place> place_;
};

template <class T>
auto operator co_await(Call<T> call) {
  auto begin = [call = std::move(call)](auto go_on) mutable { call.then(std::move(go_on)); };
  return Awaiter<Result<T>, decltype(begin)>(std::move(begin));
}

// The next message of a turn or item of a stream; nothing at the end.
template <class Source>
auto next(Source& source) {
  auto begin = [&source](auto go_on) { source.next_later(std::move(go_on)); };
  return Awaiter<decltype(source.next()), decltype(begin)>(std::move(begin));
}

// A coroutine that gives a T. Starts when it is awaited or run.
template <class T>
class Task {
 public:
  struct promise_type {
    std::optional<T> value;
    std::coroutine_handle<> awaiting;
    std::shared_ptr<std::atomic<bool>> finished;

    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Final {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(Handle done) noexcept {
          auto& promise = done.promise();
          if (promise.awaiting) return promise.awaiting;
          // With the store run() may destroy the coroutine: touch nothing of it any more.
          auto flag = promise.finished;
          flag->store(true, std::memory_order_release);
          flag->notify_one();
          return std::noop_coroutine();
        }
        void await_resume() noexcept {}
      };
      return Final{};
    }
    void return_value(T result) { value.emplace(std::move(result)); }
    // The library throws nothing; what user code throws through a coroutine has nobody to go to.
    [[noreturn]] void unhandled_exception() { std::terminate(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) {
    handle_.promise().awaiting = awaiting;
    return handle_;
  }
  T await_resume() { return std::move(*handle_.promise().value); }

 private:
  template <class U>
  friend U run(Task<U> task);
  Handle handle_;
};

// Runs a coroutine to its end and gives what it returned. Blocks the calling thread.
template <class T>
T run(Task<T> task) {
  auto finished = std::make_shared<std::atomic<bool>>(false);
  task.handle_.promise().finished = finished;
  task.handle_.resume();
  finished->wait(false, std::memory_order_acquire);
  return std::move(*task.handle_.promise().value);
}

}  // namespace claude
