// What worlds have come to: each transition and each fault has a name and a count. One that no
// schedule reaches is a hole in the simulation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace claude::simulation {

// In the order of kReached in coverage.cpp.
enum class Reached : std::uint8_t {
  // The session.
  state_initializing,
  state_running,
  state_stopped,
  state_failed,
  start_failed,
  closed_by_end_of_input,
  closed_by_terminate,
  closed_by_kill,
  patience_over,
  end_event,
  // Turns and streams.
  turn_result,
  turn_cancelled,
  turn_stopped,
  turn_overflow,
  turn_refused,
  turn_unread,
  turn_died,
  turn_lost,
  turn_folded,
  turn_continued,
  turn_called_back,
  turn_awaited,
  turn_shared,
  turn_dropped,
  turn_taken,
  turn_left_waiting,
  stray_message,
  messages_collected,
  subscriber_saw_a_message,
  subscriber_saw_the_end,
  query_ended,
  query_dropped,
  // Calls.
  call_answered,
  call_refused,
  call_timeout,
  call_stopped,
  call_too_many,
  call_not_supported,
  call_died,
  call_continued,
  call_left_waiting,
  // Asks.
  withdrawn,
  withdrawn_late,
  callback_threw,
  reply_dropped,
  reply_kept,
  reply_later,
  question_answered,
  // Faults.
  spurious_wakeup,
  interrupted_poll,
  read_cut,
  write_blocked,
  write_apart,
  initialize_unanswered,
  initialize_refused,
  answer_delayed,
  answer_missing,
  answer_double,
  ask_double,
  turn_without_result,
  result_unreadable,
  noise,
  stderr_text,
  death,
  death_in_a_line,
  exit_with_open_pipes,
  output_closed,
  input_closed,
  deaf,
  long_pause,
  end_ignored,
  terminate_ignored,
  kill_ignored,
  count,
};

// What the engine noted, by its kind. That its queue is full cannot be: nobody has the session
// before it is ready.
inline constexpr std::string_view kNotes[] = {
    "timeout",
    "callback_timeout",
    "callback_failed",
    "late_answer",
    "double_request",
    "request_unanswered",
    "asks_full",
    "calls_full",
    "line_too_long",
    "long_line",
    "bad_line",
    "unknown_message",
    "unknown_field",
    "unknown_callback",
    "refused_request",
    "undeclared_dialog",
    "bad_request",
    "late_cancel",
    "operation_failed",
    "no_permission_callback",
    "no_initialize_answer",
    "no_capabilities",
};

struct Coverage {
  std::array<std::uint64_t, static_cast<std::size_t>(Reached::count)> reached{};
  std::array<std::uint64_t, std::size(kNotes)> notes{};
};

// Where the counts go; borrowed.
void count_in(Coverage* coverage);
void reached(Reached what);
// False: there is none of this kind.
bool reached_note(std::string_view kind);

// Prints all of it; false: something was never reached.
bool print(const Coverage& coverage);

}  // namespace claude::simulation
