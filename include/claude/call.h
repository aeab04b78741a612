// An operation under way.
//
//   session.set_model("sonnet").get();                        // wait for the answer
//   session.set_model("sonnet").then([](auto result) {...});  // go on later, on your executor
//   co_await session.set_model("sonnet");                     // with <claude/coro.h>
//
// Dropping a Call does not cancel the operation. Thread-safe; copies are the same operation.
#pragma once

#include <claude/error.h>

#include <chrono>
#include <functional>
#include <memory>

namespace claude {

class CallState;  // of the library

template <class T>
class Call {
 public:
  // For the library: an operation under way, or one that could not even begin.
  explicit Call(std::shared_ptr<CallState> state) : state_(std::move(state)) {}

  // Waits for the answer. The thread that waits reads from the CLI itself.
  Result<T> get();
  // Waits at most this long; Errc::timeout then, and the operation goes on.
  Result<T> get(std::chrono::milliseconds limit);
  // Has it come? Reads what the CLI has written, and does not wait.
  bool ready() const;
  // Calls `fn` with the answer on Options::executor, once.
  void then(std::function<void(Result<T>)> fn);

 private:
  std::shared_ptr<CallState> state_;
};

}  // namespace claude
