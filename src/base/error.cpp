// What an Error says in words. Nothing here decides anything.
#include <claude/error.h>

#include "base/text.h"

#include <system_error>

namespace claude {
namespace {

// One detail on a line of its own; the further lines of a longer text are set in below it.
void append_detail(std::string& out, std::string_view label, std::string_view text) {
  text = base::trim_end(text);
  if (text.empty()) return;
  out += "\n  ";
  out += label;
  out += ": ";
  for (char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
}

void append_detail(std::string& out, std::string_view label, std::optional<int> number) {
  if (!number) return;
  std::string digits;
  base::append_number(digits, *number);
  append_detail(out, label, digits);
}

}  // namespace

std::string_view to_string(Errc code) {
  switch (code) {
    case Errc::cli_not_found:
      return "cli_not_found";
    case Errc::cwd_missing:
      return "cwd_missing";
    case Errc::not_executable:
      return "not_executable";
    case Errc::wrong_architecture:
      return "wrong_architecture";
    case Errc::spawn_failed:
      return "spawn_failed";
    case Errc::unsupported_version:
      return "unsupported_version";
    case Errc::init_timeout:
      return "init_timeout";
    case Errc::init_failed:
      return "init_failed";
    case Errc::exited_during_init:
      return "exited_during_init";
    case Errc::invalid_option:
      return "invalid_option";
    case Errc::timeout:
      return "timeout";
    case Errc::cli_error:
      return "cli_error";
    case Errc::session_stopped:
      return "session_stopped";
    case Errc::session_not_initialized:
      return "session_not_initialized";
    case Errc::init_queue_overflow:
      return "init_queue_overflow";
    case Errc::too_many_pending:
      return "too_many_pending";
    case Errc::checkpointing_not_enabled:
      return "checkpointing_not_enabled";
    case Errc::not_supported:
      return "not_supported";
    case Errc::cancelled:
      return "cancelled";
    case Errc::exited:
      return "exited";
    case Errc::ended_without_result:
      return "ended_without_result";
    case Errc::turn_failed:
      return "turn_failed";
    case Errc::line_too_long:
      return "line_too_long";
    case Errc::mailbox_overflow:
      return "mailbox_overflow";
    case Errc::write_failed:
      return "write_failed";
    case Errc::recording_failed:
      return "recording_failed";
    case Errc::invalid_json:
      return "invalid_json";
    case Errc::missing_field:
      return "missing_field";
    case Errc::wrong_type:
      return "wrong_type";
  }
  return "unknown";
}

Fault Error::fault() const {
  switch (code) {
    // The machine, and what is installed on it.
    case Errc::cli_not_found:
    case Errc::not_executable:
    case Errc::wrong_architecture:
    case Errc::spawn_failed:
    case Errc::recording_failed:
      return Fault::system;

    // What the program asked for, or did too much or too late.
    case Errc::cwd_missing:
    case Errc::invalid_option:
    case Errc::session_stopped:
    case Errc::init_queue_overflow:
    case Errc::too_many_pending:
    case Errc::checkpointing_not_enabled:
    case Errc::not_supported:
    case Errc::cancelled:
    case Errc::mailbox_overflow:
      return Fault::caller;

    case Errc::unsupported_version:
    case Errc::init_timeout:
    case Errc::init_failed:
    case Errc::exited_during_init:
    case Errc::timeout:
    case Errc::cli_error:
    case Errc::session_not_initialized:
    case Errc::exited:
    case Errc::ended_without_result:
    case Errc::turn_failed:
    case Errc::line_too_long:
    case Errc::write_failed:
    case Errc::invalid_json:
    case Errc::missing_field:
    case Errc::wrong_type:
      return Fault::cli;
  }
  return Fault::cli;
}

std::string Error::to_string() const {
  std::string out(claude::to_string(code));
  if (!message.empty()) out.append(": ").append(message);
  if (!where.empty()) out.append(" (").append(where).append(")");
  append_detail(out, "advice", advice);
  append_detail(out, "exit code", exit_code);
  append_detail(out, "signal", signal);
  if (os_error != 0) {
    append_detail(out, "errno", os_error);
    out.append(", ").append(std::generic_category().message(os_error));
  }
  append_detail(out, "the CLI says", cli_text);
  append_detail(out, "its code", error_code);
  append_detail(out, "stderr", stderr_tail);
  return out;
}

}  // namespace claude
