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
#pragma once

#include <claude/call.h>
#include <claude/session.h>

#include <atomic>
#include <coroutine>
#include <memory>
#include <optional>
#include <utility>

namespace claude {

template <class T>
auto operator co_await(Call<T> call) {
  struct Awaiter {
    Call<T> call;
    std::optional<Result<T>> result;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> waiting) {
      call.then([this, waiting](Result<T> arrived) {
        result.emplace(std::move(arrived));
        waiting.resume();
      });
    }
    Result<T> await_resume() { return std::move(*result); }
  };
  return Awaiter{std::move(call), {}};
}

// The next message of a turn or item of a stream; nothing at the end.
template <class Source>
auto next(Source& source) {
  using Item = decltype(source.next());
  struct Awaiter {
    Source& source;
    Item item;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> waiting) {
      source.next_later([this, waiting](Item arrived) {
        item = std::move(arrived);
        waiting.resume();
      });
    }
    Item await_resume() { return std::move(item); }
  };
  return Awaiter{source, {}};
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
