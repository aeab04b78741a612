// What a test sees of a session from outside: the lines of the wire, the states, the log.
//
// All of it may be asked from any thread while the session works. Lines are read by nlohmann-json,
// which shares no code with the library.
#pragma once

#include <claude/observer.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace claude::test {

using WireJson = nlohmann::json;

// A tap on the wire.
class Watch : public Observer {
 public:
  void on_line(Direction direction, std::string_view line, Clock::time_point) override;
  void on_state(SessionState from, SessionState to, Clock::time_point) override;
  void on_callback(std::string_view name, std::chrono::nanoseconds took, bool failed) override;
  void on_diagnostic(std::string_view kind, std::string_view detail) override;

  std::vector<WireJson> written() const { return lines(Direction::to_cli); }
  std::vector<WireJson> read() const { return lines(Direction::from_cli); }
  // Both ways, in their order: "> user", "< assistant", "> initialize", "< hook_callback",
  // "< answer" for the type or, of a request, its subtype.
  std::vector<std::string> order() const;

  // The requests of this subtype that we wrote, and those that the CLI wrote.
  std::vector<WireJson> our_requests(const std::string& subtype) const;
  std::vector<WireJson> their_requests(const std::string& subtype) const;
  // What we answered to this request of the CLI: the `response` member of the line. Null: nothing.
  WireJson answer_to(const WireJson& request) const;

  std::vector<std::string> states() const;
  std::vector<std::string> diagnostics() const;  // their kinds
  struct Callback {
    std::string name;
    bool failed;
  };
  std::vector<Callback> callbacks() const;

 private:
  std::vector<WireJson> lines(Direction direction) const;

  mutable std::mutex mutex_;
  std::vector<std::pair<Direction, std::string>> lines_;
  std::vector<std::string> states_;
  std::vector<std::string> diagnostics_;
  std::vector<Callback> callbacks_;
};

// Collects what is logged.
class Log {
 public:
  LogHandler handler();
  // The texts of one level.
  std::vector<std::string> at(LogLevel level) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<LogLevel, std::string>> entries_;
};

// A door between threads: closed until somebody opens it. A callback that waited for it may still
// be on its way out when the test has ended, so what it waits with lives as long as it needs.
class Gate {
 public:
  void open();
  // Waits; false when nobody opened it in a long time.
  bool wait();

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable opened;
    bool open = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace claude::test
