// Makes a failing schedule small: cuts its end off, makes decisions plain, takes some out.
#include <algorithm>
#include <chrono>

#include "run.h"

namespace claude::simulation {
namespace {

// An attempt that hangs takes seconds, and who waits for the result wants to go on.
constexpr std::chrono::seconds kEnough{60};

class Shrinker {
 public:
  explicit Shrinker(Decisions::Recording recording) : best_(std::move(recording)) {}

  Decisions::Recording shrink() {
    for (std::size_t size = best_.size() / 2; size > 0; size /= 2) cut(size);
    std::size_t before = 0;
    do {
      before = weight();
      for (std::size_t size = best_.size() / 2; size > 0; size /= 2) {
        make_plain(size);
        take_out(size);
      }
    } while (weight() < before && !is_late());
    while (!best_.empty() && best_.back() == 0) best_.pop_back();
    return std::move(best_);
  }

 private:
  std::size_t weight() const {
    return 2 * best_.size() - static_cast<std::size_t>(std::ranges::count(best_, 0));
  }

  bool is_late() const { return std::chrono::steady_clock::now() >= until_; }

  bool accept(Decisions::Recording attempt) {
    if (is_late() || problem_of(attempt).empty()) return false;
    best_ = std::move(attempt);
    return true;
  }

  void cut(std::size_t size) {
    if (size < best_.size()) accept({best_.begin(), best_.end() - static_cast<long>(size)});
  }

  void make_plain(std::size_t size) {
    for (std::size_t at = 0; at + size <= best_.size(); at += size) {
      Decisions::Recording attempt = best_;
      std::fill_n(attempt.begin() + static_cast<long>(at), size, std::uint8_t{0});
      if (attempt != best_) accept(std::move(attempt));
    }
  }

  void take_out(std::size_t size) {
    for (std::size_t at = 0; at + size <= best_.size();) {
      Decisions::Recording attempt = best_;
      auto from = attempt.begin() + static_cast<long>(at);
      attempt.erase(from, from + static_cast<long>(size));
      if (!accept(std::move(attempt))) at += size;
    }
  }

  Decisions::Recording best_;
  std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + kEnough;
};

}  // namespace

Decisions::Recording shrink(Decisions::Recording recording) {
  return Shrinker(std::move(recording)).shrink();
}

}  // namespace claude::simulation
