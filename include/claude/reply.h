// An answer that is still owed.
//
// Move it to wherever the answer will be known: another thread, a dialog, a queue. Call it once.
// Dropped without a call, it answers by itself: a hook lets things go on (or blocks, where its
// on_failure says so), a permission is denied.
#pragma once

#include <functional>
#include <optional>
#include <utility>

namespace claude {

template <class T>
class Reply {
 public:
  // `send` gets the answer, or nothing when the reply was dropped.
  explicit Reply(std::function<void(std::optional<T>)> send) : send_(std::move(send)) {}
  Reply(Reply&& other) noexcept : send_(std::exchange(other.send_, nullptr)) {}
  Reply& operator=(Reply&& other) noexcept {
    if (this != &other) {
      finish(std::nullopt);
      send_ = std::exchange(other.send_, nullptr);
    }
    return *this;
  }
  ~Reply() { finish(std::nullopt); }

  void operator()(T answer) { finish(std::move(answer)); }

 private:
  void finish(std::optional<T> answer) {
    if (auto send = std::exchange(send_, nullptr)) send(std::move(answer));
  }

  std::function<void(std::optional<T>)> send_;
};

}  // namespace claude
