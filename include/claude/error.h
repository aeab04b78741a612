// Errors as values.
//
// Every function of the library that can fail returns Result<T>. An Error says who is at fault,
// where it happened and what to do about it. Nothing throws into your code; whoever wants
// exceptions calls `.value()`.
//
//   claude::Result<claude::Session> session = claude::Session::start(options);
//   if (!session) std::cerr << session.error().to_string() << '\n';
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace claude {

enum class Errc : std::uint8_t {
  // Starting the CLI.
  cli_not_found,        // no executable at the given or any known place
  cwd_missing,          // Options::cwd does not exist or is no directory
  not_executable,       // the file is there, but may not be executed
  wrong_architecture,   // the file is there, but is no program for this machine
  spawn_failed,         // any other refusal of the operating system
  unsupported_version,  // the CLI is older than the minimum, or refuses a flag it should know
  init_timeout,         // no answer to initialize in time
  init_failed,          // initialize was answered with an error
  exited_during_init,   // the CLI ended before it answered initialize
  invalid_option,       // Options that contradict each other or that the CLI would ignore
  // Operations on a session.
  timeout,                    // the CLI did not answer a request in time
  cli_error,                  // the CLI answered with an error; Error::cli_text is its own text
  session_stopped,            // the session ended while the operation waited
  session_not_initialized,    // the session failed before the queued operation could be sent
  init_queue_overflow,        // too many operations before the session was ready
  too_many_pending,           // too many operations wait for an answer
  checkpointing_not_enabled,  // rewind_files without Options::file_checkpointing
  not_supported,              // this CLI or transport cannot do it
  cancelled,                  // withdrawn by the caller
  // The stream of messages.
  exited,                // the CLI died; exit_code or signal says how
  ended_without_result,  // the CLI ended in good order before the turn had a result
  turn_failed,           // the turn's result is an error
  line_too_long,         // a line above Limits::line_bytes was skipped
  mailbox_overflow,      // the consumer lags behind by more than Limits::mailbox_bytes
  write_failed,          // the CLI no longer reads
  recording_failed,      // the cassette of a Recorder cannot be written
  // Data.
  invalid_json,  // also a result or an answer that could not be read
  missing_field,
  wrong_type,
};

// The name of the code as written above, for logs: "cli_not_found".
std::string_view to_string(Errc code);

// Whose fault it is: what to look at first.
enum class Fault : std::uint8_t { caller, cli, system };

struct Error {
  Errc code = Errc::cli_error;
  std::string message{};  // what happened, one sentence
  std::string where{};    // the operation, the path or the JSON path it concerns
  std::string advice{};   // what to do about it; may be empty

  std::optional<int> exit_code{};  // of the CLI, when it exited
  std::optional<int> signal{};     // that killed the CLI
  int os_error = 0;                // errno, when the operating system refused
  std::string stderr_tail{};       // the last 64 KiB at most of what the CLI wrote to stderr
  std::string cli_text{};          // the CLI's own words
  std::string error_code{};        // the CLI's machine-readable code, where it gives one

  Fault fault() const;

  // Everything above that is set, for people: message, where, advice, then the details.
  std::string to_string() const;
};

template <class T>
using Result = std::expected<T, Error>;

}  // namespace claude
