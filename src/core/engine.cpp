// What the user wants, the clock, and the life of a session. Lines are in engine_lines.cpp.
#include "core/engine.h"

#include "wire/names.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace claude::core {
namespace {

// The memory of more output than this is given back.
constexpr std::size_t kKeptOutputBytes = std::size_t{1} << 20;

}  // namespace

Engine::Engine(Setup setup)
    : setup_(std::move(setup)),
      framer_(setup_.limits.line_bytes, setup_.on_huge_block),
      calls_(setup_.limits.pending_operations, setup_.id_suffix),
      asks_(setup_.limits.open_asks, setup_.limits.ask_bytes) {}

// ---- To the pipe -------------------------------------------------------------------------------

template <class Append>
void Engine::write(Append append) {
  assert(!ended());
  answers_unread_ = answers_unread();
  const std::size_t before = output_.size();
  append(output_);
  assert(output_.ends_with('\n'));
  ++counts_.lines_out;
  if (!setup_.tap) return;
  std::string_view line = std::string_view(output_).substr(before);
  line.remove_suffix(1);
  setup_.tap(Direction::to_cli, line);
}

template <class Append>
void Engine::write_answer(Append append) {
  const std::size_t before = output_.size();
  write(append);
  answers_unread_ += output_.size() - before;
}

void Engine::write_success(const wire::RequestId& id, std::string_view payload) {
  write_answer([&](std::string& out) { wire::append_success(out, id, payload); });
}

void Engine::write_error(const wire::RequestId& id, std::string_view why, std::string_view code) {
  write_answer([&](std::string& out) { wire::append_error(out, id, why, code); });
}

// A CLI that reads slowly takes a long prompt in many small pieces: what is left of it is moved
// seldom enough that all of its bytes together are moved once.
void Engine::written(std::size_t bytes) {
  written_ += bytes;
  assert(written_ <= output_.size());
  if (written_ < output_.size() - written_) return;
  output_.erase(0, std::exchange(written_, 0));
  if (output_.empty() && output_.capacity() > kKeptOutputBytes) output_ = {};
}

// Our answers may not grow without end, and none may be left out.
void Engine::fail_unread() {
  Error error{.code = Errc::write_failed,
              .message = "The CLI asks and does not read: " + std::to_string(answers_unread()) +
                         " bytes of answers wait to be written",
              .where = "the CLI's input",
              .advice = "Is it Claude Code? Limits::output_bytes lets more of them wait."};
  end({.how = SessionEnded::How::failed, .exit = {}, .error = error}, error, error);
}

// ---- From the pipe -----------------------------------------------------------------------------

void Engine::start(TimePoint now) {
  assert(state_ == SessionState::starting);
  change_state(SessionState::initializing);
  if (!setup_.control) return become_running(now);
  initialize_ = calls_.reserve();
  open_call(initialize_, setup_.initialize, setup_.timeouts.initialize, now);
}

void Engine::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    std::span<char> room = space();
    std::size_t size = std::min(room.size(), bytes.size());
    std::memcpy(room.data(), bytes.data(), size);
    filled(size);
    bytes.remove_prefix(size);
  }
}

void Engine::peer_ended(Exit exit, std::string stderr_tail, std::string_view instead_of_exit) {
  if (!peer_end_) peer_end_ = PeerEnd{exit, std::move(stderr_tail), std::string(instead_of_exit)};
}

// ---- To the user -------------------------------------------------------------------------------

bool Engine::next(Event& event, const Now& now) {
  if (take_event(event) || read_line(event, now)) return true;
  if (peer_end_) finish();
  if (next_deadline() != TimePoint::max()) end_overdue(now);
  return take_event(event);
}

void Engine::take_queued(Event& event) {
  event = std::move(events_.front());
  events_.pop_front();
}

// ---- The clock ---------------------------------------------------------------------------------

TimePoint Engine::next_deadline() const {
  return ended() ? TimePoint::max() : std::min(calls_.next_deadline(), asks_.next_deadline());
}

void Engine::end_overdue(const Now& clock) {
  const TimePoint now = clock.time();
  for (TimePoint due = next_deadline(); due <= now && due < TimePoint::max();
       due = next_deadline()) {
    if (auto call = calls_.take_overdue(due)) {
      on_overdue(call->first, call->second, now);
    } else if (auto ask = asks_.take_overdue(due)) {
      on_overdue(ask->first, ask->second, now);
    }
  }
}

void Engine::on_overdue(CallId call, const Call& entry, TimePoint now) {
  if (call == initialize_) return on_initialize_timeout(now);
  note(LogLevel::error, "timeout", entry.subtype + " was not answered in time");
  post<CallEnded>(call, std::unexpected(Error{
                            .code = Errc::timeout,
                            .message = "The CLI did not answer in time",
                            .where = entry.subtype + " (" + calls_.request_id(call) + ")",
                            .advice = "Allow it more time (Options::timeouts), or look at what "
                                      "the CLI is busy with."}));
}

void Engine::on_overdue(AskId id, const Ask& ask, TimePoint now) {
  auto took = std::chrono::duration_cast<std::chrono::milliseconds>(now - ask.opened);
  note(LogLevel::warning, "callback_timeout",
       name_of(ask) + " gave no answer within " + std::to_string(took.count()) +
           " ms and was answered for");
  write_success(ask.id, failure_payload(ask, "it gave no answer in time"));
  post<AskWithdrawn>(id);
}

void Engine::on_initialize_timeout(TimePoint now) {
  on_no_initialize_answer({.code = Errc::init_timeout,
                           .message = "The CLI did not answer initialize within " +
                                      std::to_string(setup_.timeouts.initialize.count()) + " ms",
                           .where = std::string(wire::kInitialize),
                           .advice = advice_on_silence(),
                           .cli_text = startup_text_},
                          now);
}

// What it wrote that nobody got to see; empty when there was nothing of the kind.
std::string Engine::advice_on_skipped() const {
  if (counts_.long_lines > 0) {
    return "It wrote " + std::to_string(counts_.long_lines) +
           " line(s) above Limits::line_bytes, which were skipped: allow longer ones.";
  }
  if (counts_.bad_lines > 0) {
    return "It wrote " + std::to_string(counts_.bad_lines) +
           " line(s) that could not be read (Options::log shows them): is it Claude Code?";
  }
  return {};
}

std::string Engine::advice_on_silence() const {
  if (std::string skipped = advice_on_skipped(); !skipped.empty()) return skipped;
  if (framer_.pending() > 0) {
    return "It wrote " + std::to_string(framer_.pending()) +
           " bytes and no newline: is it Claude Code?";
  }
  return "Slow MCP servers and hooks delay it: allow more time (Options::timeouts.initialize).";
}

// ---- From the user -----------------------------------------------------------------------------

Result<CallId> Engine::call(wire::Request request, std::chrono::milliseconds timeout,
                            TimePoint now) {
  if (auto refused = refusal(request.subtype, true)) {
    return std::unexpected(std::move(*refused));
  }
  CallId call = calls_.reserve();
  if (state_ == SessionState::running) {
    open_call(call, request, timeout, now);
  } else {
    queued_.push_back({call, std::move(request), timeout, {}});
  }
  return call;
}

Result<TurnId> Engine::send(const Json& content, std::string uuid, std::string_view priority,
                            TimePoint) {
  if (auto refused = refusal("send", false)) return std::unexpected(std::move(*refused));
  if (state_ == SessionState::running) {
    write([&](std::string& out) { wire::append_user(out, content, uuid, priority); });
  } else {
    wire::append_user(queued_.emplace_back().line, content, uuid, priority);
  }
  return turns_.open(std::move(uuid));
}

// Why this cannot be done now, if so.
std::optional<Error> Engine::refusal(std::string_view what, bool is_call) {
  auto refused = [&](Errc code, std::string message, std::string advice) {
    return Error{.code = code,
                 .message = std::move(message),
                 .where = std::string(what),
                 .advice = std::move(advice)};
  };
  const Limits& limits = setup_.limits;
  if (ended()) return refused(Errc::session_stopped, "The session has ended", "Start a new one.");
  if (output().size() > limits.output_bytes) {
    return refused(
        Errc::write_failed,
        "The CLI does not read: " + std::to_string(output().size()) + " bytes wait to be written",
        "Wait for it, or close the session.");
  }
  if (is_call && !setup_.control) {
    return refused(Errc::not_supported, "This transport carries messages only",
                   "Use one that carries control requests (Transport::carries_control).");
  }
  if (state_ != SessionState::running) {
    if (queued_.size() < limits.queued_operations) return std::nullopt;
    note(LogLevel::warning, "queue_full", std::to_string(queued_.size()) + " operations wait");
    return refused(Errc::init_queue_overflow,
                   "Too many control operations queued during initialization (max " +
                       std::to_string(limits.queued_operations) + "). Is the CLI responding?",
                   "Check the version of the CLI, or do less before the session is ready.");
  }
  if (!is_call || !calls_.is_full()) return std::nullopt;
  note(LogLevel::warning, "calls_full", std::to_string(calls_.size()) + " operations wait");
  return refused(Errc::too_many_pending,
                 "Too many pending control requests (max " +
                     std::to_string(limits.pending_operations) +
                     "). Check for stuck operations or excessive concurrency.",
                 "Let earlier operations end first, or raise Limits::pending_operations.");
}

void Engine::open_call(CallId call, const wire::Request& request, std::chrono::milliseconds timeout,
                       TimePoint now) {
  calls_.open(call, request.subtype, after(now, timeout));
  write([&](std::string& out) { wire::append_request(out, calls_.request_id(call), request); });
}

void Engine::answer(AskId id, std::string_view payload) {
  const bool open = asks_.close(id, [&](const Ask& ask) { write_success(ask.id, payload); });
  if (!open) note(LogLevel::debug, "late_answer", "an answer came after its ask had ended");
}

void Engine::answer_failed(AskId id, std::string_view why) {
  const bool open = asks_.close(id, [&](const Ask& ask) {
    note(LogLevel::error, "callback_failed", name_of(ask) + " failed: " + std::string(why));
    write_success(ask.id, failure_payload(ask, why));
  });
  if (!open) note(LogLevel::debug, "late_answer", "a failure came after its ask had ended");
}

// For people.
std::string Engine::name_of(const Ask& ask) const {
  const std::string of(ask.of);
  switch (ask.kind) {
    case Ask::Kind::permission:
      return "the permission for " + of;
    case Ask::Kind::mcp:
      return "the MCP server " + of;
    case Ask::Kind::hook:
      break;
  }
  return "the hook " + of + " (" + setup_.hooks[ask.hook].event + ")";
}

// What answers for a callback that does not.
std::string Engine::failure_payload(const Ask& ask, std::string_view why) const {
  switch (ask.kind) {
    case Ask::Kind::permission:
      return wire::encode_permission(deny("The permission callback failed: " + std::string(why)),
                                     {});
    case Ask::Kind::mcp:
      return wire::encode_mcp_error(ask.message, why);
    case Ask::Kind::hook:
      break;
  }
  return setup_.hooks[ask.hook].if_failed;
}

void Engine::stop() {
  if (ended()) return;
  Error stopped{.code = Errc::session_stopped,
                .message = "The session was stopped",
                .advice = "It was closed before this was over: wait for the result first."};
  end({.how = SessionEnded::How::stopped, .exit = {}, .error = {}}, stopped, stopped);
}

// ---- Life --------------------------------------------------------------------------------------

void Engine::become_running(TimePoint now) {
  change_state(SessionState::running);
  has_run_ = true;
  startup_text_.clear();
  // In order, without waiting, each with its own id and timer.
  for (Queued& waiting : std::exchange(queued_, {})) {
    if (waiting.call == 0) {
      write([&](std::string& out) { out += waiting.line; });
    } else if (auto refused = refusal(waiting.request.subtype, true)) {
      post<CallEnded>(waiting.call, std::unexpected(std::move(*refused)));
    } else {
      open_call(waiting.call, waiting.request, waiting.timeout, now);
    }
  }
}

void Engine::fail_start(Error error) {
  Error for_waiting{.code = Errc::session_not_initialized,
                    .message = "The session never became ready: " + error.message};
  end({.how = SessionEnded::How::failed,
       .exit = peer_end_ ? peer_end_->exit : Exit{},
       .error = std::move(error)},
      for_waiting, for_waiting);
}

// After the last line of the CLI.
void Engine::finish() {
  if (ended()) return;
  Error error = death();
  if (state_ != SessionState::running) {
    error.code = Errc::exited_during_init;
    return fail_start(std::move(error));
  }
  const Exit& exit = peer_end_->exit;
  bool in_order = !exit.signal && exit.code.value_or(0) == 0 && framer_.pending() == 0 &&
                  peer_end_->instead_of_exit.empty();
  // After an error result the CLI exits with 1 at the end of its input: that was told already.
  bool told = exit.code == 1 && last_result_failed_ && framer_.pending() == 0;
  if (turns_.empty() && (in_order || told)) {
    return end({.how = SessionEnded::How::completed, .exit = exit, .error = {}}, error, error);
  }
  Error unanswered = error;
  if (in_order) {
    unanswered.code = Errc::ended_without_result;
    unanswered.message = "The CLI ended before the turn had a result";
  }
  end({.how = SessionEnded::How::failed, .exit = exit, .error = unanswered}, error, unanswered);
}

void Engine::end(SessionEnded ending, const Error& for_calls, const Error& for_turns) {
  auto fail_call = [&](CallId call, std::string_view subtype) {
    Error error = for_calls;
    error.where = subtype;
    post<CallEnded>(call, std::unexpected(std::move(error)));
  };
  while (auto ask = asks_.take_any()) post<AskWithdrawn>(ask->first);
  while (auto call = calls_.take_any()) {
    // How the start ended is told by the end of the session.
    if (call->first != initialize_) fail_call(call->first, call->second.subtype);
  }
  for (Queued& waiting : std::exchange(queued_, {})) {
    if (waiting.call != 0) fail_call(waiting.call, waiting.request.subtype);
  }
  while (auto turn = turns_.take_any()) {
    post<TurnEnded>(TurnEnded{.turn = *turn, .result = {}, .error = for_turns, .cost_usd = {}});
  }
  change_state(ending.how == SessionEnded::How::failed ? SessionState::failed
                                                       : SessionState::stopped);
  post<SessionEnded>(std::move(ending));
}

// How the CLI ended, for people.
Error Engine::death() const {
  const Exit& exit = peer_end_->exit;
  Error error{.code = Errc::exited, .message = "The CLI ended", .where = "the CLI's process"};
  if (!peer_end_->instead_of_exit.empty()) error.message = peer_end_->instead_of_exit;
  if (exit.code) error.message = "The CLI exited with code " + std::to_string(*exit.code);
  if (exit.signal) error.message = "The CLI was killed by signal " + std::to_string(*exit.signal);
  if (framer_.pending() > 0) {
    error.message += ", in the middle of a line of " + std::to_string(framer_.pending()) + " bytes";
  }
  error.exit_code = exit.code;
  error.signal = exit.signal;
  error.stderr_tail = peer_end_->stderr_tail;
  error.cli_text = startup_text_;
  error.advice = error.stderr_tail.empty() ? "It wrote nothing to stderr." : "Read its stderr.";
  if (std::string skipped = advice_on_skipped(); !skipped.empty()) error.advice += " " + skipped;
  error.advice += " A new session with Options::resume goes on from what this one has done.";
  return error;
}

void Engine::change_state(SessionState to) {
  assert(!ended());
  post<StateChanged>(std::exchange(state_, to), to);
}

// After the end nobody wants to know any more.
void Engine::note(LogLevel level, std::string_view kind, std::string text) {
  if (setup_.diagnostics && !ended()) post<Diagnostic>(level, kind, std::move(text));
}

}  // namespace claude::core
