// The protocol, as a state machine that does no I/O.
//
// Bytes, time, answers and wishes go in; events, bytes and the next deadline come out. There is no
// descriptor, thread, lock or clock in it, so a run is a function of what it was fed: a test never
// sleeps, and one thread can serve thousands of sessions.
//
//   Engine engine(setup);
//   engine.start(now);                              // queues `initialize`
//   engine.written(write(engine.output()));
//   engine.feed(bytes);                             // or space() and filled()
//   while (engine.next(event, now)) ...             // until it has no more
//   at engine.next_deadline(): engine.next(event, now) again
//
// What comes first: lines that have arrived, then the end of the CLI, then deadlines in their
// order. So an answer in the last read before the exit counts.
//
// Laws, asserted here and tested over random schedules: every call ends exactly once; every ask is
// answered exactly once, or was withdrawn, or is of a kind that must stay unanswered; after
// SessionEnded nothing follows; the same bytes cut anywhere give the same events; equal inputs
// give equal outputs.
#pragma once

#include <claude/control.h>
#include <claude/options.h>

#include "base/hot.h"
#include "core/asks.h"
#include "core/calls.h"
#include "core/events.h"
#include "core/turns.h"
#include "wire/encode.h"
#include "wire/framer.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claude::core {

// All that the engine needs to know of the user's options.
struct Setup {
  struct Hook {
    std::string event = {};
    std::chrono::milliseconds timeout{60'000};
    std::string if_failed = {};  // the payload that answers for a callback that fails
    bool blocks_if_failed = false;
  };
  wire::Request initialize = {};
  bool control = true;           // the transport carries requests and answers
  std::vector<Hook> hooks = {};  // by the number in their callback id: "hook_0" is the first
  bool permissions = false;      // somebody answers permission requests
  std::vector<std::string> mcp_servers = {};
  // The refusal of a CLI of this version, if it is too old.
  std::function<std::optional<Error>(std::string_view version)> refuse_version = {};
  Limits limits = {};
  Timeouts timeouts = {};
  std::string id_suffix = {};  // random, from outside
  bool diagnostics = true;     // whether anybody reads them
  // Sees every line; unset: costs nothing.
  std::function<void(Direction, std::string_view)> tap = {};
  wire::Framer::OnHugeBlock on_huge_block = nullptr;
};

class Engine {
 public:
  explicit Engine(Setup setup);

  // ---- From the pipe ----
  void start(TimePoint now);
  std::span<char> space() { return framer_.space(); }
  // After the end whatever still comes is dropped.
  void filled(std::size_t bytes) {
    if (!ended()) framer_.filled(bytes);
  }
  void feed(std::string_view bytes);
  // The stream has ended, and how the CLI ended. `stderr_tail` goes into errors.
  // `instead_of_exit`: it has not exited, but can no longer be talked to; why.
  void peer_ended(Exit exit, std::string stderr_tail, std::string_view instead_of_exit = {});
  bool peer_has_ended() const { return peer_end_.has_value(); }

  // ---- To the pipe ----
  std::string_view output() const { return std::string_view(output_).substr(written_); }
  // So much of it is written, or never will be.
  CLAUDE_EACH_ASK void written(std::size_t bytes);

  // ---- To the user ----
  // The next thing that happened, reading lines as needed and ending what is overdue. False: no
  // more for now. A plain message goes straight to `event`: nothing is queued or allocated for it.
  [[gnu::hot]] bool next(Event& event, const Now& now);
  // The same without reading further lines: what an operation of the user has caused.
  bool next_queued(Event& event) { return take_event(event); }
  bool has_queued() const { return !events_.empty(); }
  [[gnu::hot]] TimePoint next_deadline() const;

  // ---- From the user ----
  // Asks the CLI. Before the session is ready requests and prompts wait in a queue.
  Result<CallId> call(wire::Request request, std::chrono::milliseconds timeout, TimePoint now);
  Result<TurnId> send(const Json& content, std::string uuid, std::string_view priority,
                      TimePoint now);
  // What the CLI says is the answer to a prompt on its command line.
  TurnId open_told() { return turns_.open_told(); }
  // `payload` is the JSON text of a success. The answer to an ask that is no longer open is
  // dropped.
  CLAUDE_EACH_ASK void answer(AskId ask, std::string_view payload);
  // The callback failed: the answer that its kind has for that. The model gets to read `why`
  // where it was a permission or an MCP server.
  [[gnu::cold]] void answer_failed(AskId ask, std::string_view why);
  // Ends the session from our side.
  void stop();

  SessionState state() const { return state_; }
  bool has_run() const { return has_run_; }
  bool ended() const { return state_ == SessionState::stopped || state_ == SessionState::failed; }
  const std::optional<Answer>& server_info() const { return server_info_; }
  const Counts& counts() const { return counts_; }
  bool has_open_turns() const { return !turns_.empty(); }
  std::size_t open_asks() const { return asks_.size(); }
  std::size_t pending_calls() const { return calls_.size(); }

 private:
  struct Queued {
    CallId call = 0;  // 0: a prompt
    wire::Request request;
    std::chrono::milliseconds timeout{};
    std::string line;
  };

  // Lines, in engine_lines.cpp.
  [[gnu::hot]] bool read_line(Event& event, const Now& now);
  [[gnu::hot]] void on_line(std::string_view text, const Now& now);
  // However the bytes were cut: once for each long line, before whatever the line says.
  void warn_of_long_line(std::size_t bytes) {
    if (bytes > setup_.limits.warn_line_bytes && !line_warned_) tell_of_long_line();
  }
  [[gnu::cold]] void tell_of_long_line();
  [[gnu::hot]] void on_message(Message&& message);
  [[gnu::noinline]] void follow(const Message& message);
  void on_result(const ResultMessage& result);
  [[gnu::cold]] void keep_startup_text(std::string_view error);
  void count_unknown(const std::vector<OtherField>& fields) {
    if (!fields.empty()) tell_of_unknown(fields);
  }
  [[gnu::noinline]] void tell_of_unknown(const std::vector<OtherField>& fields);
  CLAUDE_EACH_ASK void on_request(wire::ControlRequest& request, const Now& now);
  CLAUDE_EACH_ASK bool may_answer(const wire::RequestId& id, std::string_view subtype);
  [[gnu::cold]] void on_incomplete(const wire::ControlRequest& request);
  // Whoever is to answer does not get to see it.
  [[gnu::cold]] void refuse_unread(const wire::RequestId& id, std::string_view callback_id,
                                   std::string_view why);
  CLAUDE_EACH_ASK void on_hook(const wire::HookCallback& hook, wire::ControlRequest& request,
                               Ask& ask);
  CLAUDE_EACH_ASK void on_permission(const ToolRequest& tool, wire::ControlRequest& request,
                                     Ask& ask);
  void on_mcp(const wire::McpMessage& call, wire::ControlRequest& request, Ask& ask);
  [[gnu::cold]] void on_unknown_request(const wire::ControlRequest& request);
  CLAUDE_EACH_ASK void open_ask(Ask& ask, wire::ControlRequest& request);
  [[gnu::cold]] void refuse(const wire::RequestId& id, std::string_view why,
                            std::string_view code = {});
  void on_response(const wire::ControlResponse& response, const Now& now);
  void on_initialized(const Result<Answer>& answer, TimePoint now);
  void on_cancel(const wire::ControlCancel& cancel);

  // Lines that cannot be read, in engine_unread.cpp.
  [[gnu::cold]] void on_oversized(const wire::Framer::Oversized& line, const Now& now);
  [[gnu::cold]] void on_bad_line(const wire::BadLine& line, const Now& now);
  [[gnu::cold]] void on_unread(const wire::Frame& frame, Error why, const Now& now);
  [[gnu::cold]] void on_unread_result(const Error& why);
  [[gnu::cold]] void on_unread_request(const wire::Frame& frame, std::string_view why);
  [[gnu::cold]] void on_unread_response(const wire::Frame& frame, Error why, const Now& now);
  [[gnu::cold]] void on_no_initialize_answer(Error why, TimePoint now);

  // The clock.
  [[gnu::hot]] void end_overdue(const Now& now);
  [[gnu::cold]] void on_overdue(CallId call, const Call& entry, TimePoint now);
  [[gnu::cold]] void on_overdue(AskId id, const Ask& ask, TimePoint now);
  [[gnu::cold]] void on_initialize_timeout(TimePoint now);
  std::string advice_on_skipped() const;
  std::string advice_on_silence() const;

  // Life.
  std::optional<Error> refusal(std::string_view what, bool is_call);
  void open_call(CallId call, const wire::Request& request, std::chrono::milliseconds timeout,
                 TimePoint now);
  void become_running(TimePoint now);
  [[gnu::cold]] void fail_start(Error error);
  [[gnu::cold]] void finish();
  // Ends everything that is under way, then the session itself.
  [[gnu::cold]] void end(SessionEnded ending, const Error& for_calls, const Error& for_turns);
  [[gnu::cold]] Error death() const;
  [[gnu::cold]] std::string name_of(const Ask& ask) const;
  [[gnu::cold]] std::string failure_payload(const Ask& ask, std::string_view why) const;

  bool take_event(Event& event) {
    if (events_.empty()) return false;
    take_queued(event);
    return true;
  }
  [[gnu::noinline]] void take_queued(Event& event);
  // The event that happens now. Where none waits it goes straight to whoever asked for the next.
  template <class E, class... Args>
  E& post(Args&&... args) {
    assert(!ended() || (std::same_as<E, StateChanged>) || (std::same_as<E, SessionEnded>));
    if (straight_ != nullptr && events_.empty()) {
      return std::exchange(straight_, nullptr)->emplace<E>(std::forward<Args>(args)...);
    }
    return std::get<E>(events_.emplace_back(std::in_place_type<E>, std::forward<Args>(args)...));
  }
  [[gnu::cold]] void change_state(SessionState to);
  // `append` writes a line onto the end of the string that it is given.
  template <class Append>
  void write(Append append);
  template <class Append>
  void write_answer(Append append);
  CLAUDE_EACH_ASK void write_success(const wire::RequestId& id, std::string_view payload);
  [[gnu::cold]] void write_error(const wire::RequestId& id, std::string_view why,
                                 std::string_view code);
  // How much of the output is answers: no less than there is.
  std::size_t answers_unread() const { return std::min(answers_unread_, output().size()); }
  [[gnu::cold]] void fail_unread();
  [[gnu::cold]] void note(LogLevel level, std::string_view kind, std::string text);

  Setup setup_;
  wire::Framer framer_;
  Calls calls_;
  Asks asks_;
  Turns turns_;
  std::deque<Event> events_;   // what happened beside the line being read
  Event* straight_ = nullptr;  // where the first event of that line goes
  std::deque<Queued> queued_;
  std::string output_;
  std::size_t written_ = 0;  // of its bytes
  std::size_t answers_unread_ = 0;
  SessionState state_ = SessionState::starting;
  bool has_run_ = false;
  CallId initialize_ = 0;
  bool confirmed_ = false;  // the CLI has asked something: it is there
  bool line_warned_ = false;
  std::optional<Answer> server_info_;
  std::string startup_text_;  // errors of a result that came instead of an initialize answer
  struct PeerEnd {
    Exit exit;
    std::string stderr_tail;
    std::string instead_of_exit;
  };
  std::optional<PeerEnd> peer_end_;
  double cost_so_far_ = 0;
  bool last_result_failed_ = false;
  Counts counts_;
};

}  // namespace claude::core
