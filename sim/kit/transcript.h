// What went over the wire while a user's test ran.
#pragma once

#include <claude/sim.h>

#include <mutex>
#include <utility>

namespace claude {

// Watches one session after the other, and passes everything on to the user's own observer.
class Sim::Tap : public Observer {
 public:
  void pass_on_to(std::shared_ptr<Observer> observer);

  void on_start(const Options& options) override;
  void on_line(Direction direction, std::string_view line, Clock::time_point now) override;
  void on_state(SessionState from, SessionState to, Clock::time_point now) override;
  void on_callback(std::string_view name, std::chrono::nanoseconds took, bool failed) override;
  void on_diagnostic(std::string_view kind, std::string_view detail) override;

  std::vector<Json> lines(Direction direction) const;

 private:
  // Called without the lock: an observer may ask the Sim what was sent.
  std::shared_ptr<Observer> next() const;

  mutable std::mutex mutex_;
  std::vector<std::pair<Direction, std::string>> lines_;
  std::shared_ptr<Observer> next_ = std::make_shared<Observer>();
};

}  // namespace claude
