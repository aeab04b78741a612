// Watching a session from outside: the log, and the tap on the wire.
//
// The library itself never prints. Without an observer and a log callback all of this costs
// nothing. Both are called on whatever thread is at work, one call at a time for each session,
// and while it is locked: they must not use the session themselves. What they throw is swallowed
// and changes nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace claude {

struct Options;

enum class LogLevel : std::uint8_t { debug, info, warning, error };

using LogHandler = std::function<void(LogLevel level, std::string_view text)>;

enum class SessionState : std::uint8_t { starting, initializing, running, stopped, failed };
std::string_view to_string(SessionState state);

enum class Direction : std::uint8_t { to_cli, from_cli };

class Observer {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~Observer() = default;

  // A session begins, with these options.
  virtual void on_start(const Options&) {}
  // Every line of the wire, both ways, without its newline.
  virtual void on_line(Direction, std::string_view /*line*/, Clock::time_point) {}
  virtual void on_state(SessionState /*from*/, SessionState /*to*/, Clock::time_point) {}
  // A callback of yours was answered for: which one, how long it took, whether it failed.
  virtual void on_callback(std::string_view /*name*/, std::chrono::nanoseconds, bool /*failed*/) {}
  // A line that is no JSON or too long, an answer that nobody waits for, an unknown type or
  // field: `kind` is a fixed word, `detail` says more.
  virtual void on_diagnostic(std::string_view /*kind*/, std::string_view /*detail*/) {}
};

// How often something strange was seen in a session, for a health page.
struct Counts {
  std::uint64_t lines_in = 0;
  std::uint64_t lines_out = 0;
  std::uint64_t bad_lines = 0;   // no JSON, no object, a request or answer without an id
  std::uint64_t long_lines = 0;  // above Limits::line_bytes
  std::uint64_t unknown_messages = 0;
  std::uint64_t unknown_fields = 0;
  std::uint64_t unknown_requests = 0;
  std::uint64_t late_answers = 0;  // to operations that had ended
};

}  // namespace claude
