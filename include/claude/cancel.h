// Tells a callback that nobody waits for its answer any more.
//
// The CLI may withdraw what it asked (the user pressed escape, another hook decided, its timeout
// passed), or the session may end. Long callbacks look at the token, or register a function.
// Thread-safe; copies share one state.
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace claude {

class LiveSession;

class CancelToken {
 public:
  CancelToken() = default;  // can never be cancelled

  bool requested() const;

  // Calls `fn` once, at the request, on the thread that learns of it: keep it short. If the
  // request has come already, calls it at once; if the answer has been given, lets it go. What it
  // throws goes no further.
  void on_request(std::function<void()> fn) const;

 private:
  friend class CancelSource;
  struct State;
  explicit CancelToken(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

// The side that cancels.
class CancelSource {
 public:
  CancelSource();
  CancelToken token() const { return token_; }
  void request() const;  // the first call counts

 private:
  friend class LiveSession;
  // Nobody will hear of a request any more: gives back the functions of those who wanted to.
  std::vector<std::function<void()>> end() const;
  bool renew() const;  // after the end, for another question; not while anybody has a token
  CancelToken token_;
};

}  // namespace claude
