// What the user wants, the clock, and the life of a session. Lines are in engine_lines.cpp.
#include "core/engine.h"

#include "base/text.h"
#include "wire/encode.h"
#include "wire/names.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace claude::core {

Engine::Engine(Setup setup)
    : setup_(std::move(setup)),
      framer_(setup_.limits.line_bytes),
      calls_(setup_.limits.pending_operations, setup_.id_suffix),
      asks_(setup_.limits.open_asks) {}

// ---- From the pipe -----------------------------------------------------------------------------

void Engine::start(TimePoint now) {
  assert(state_ == SessionState::starting);
  change_state(SessionState::initializing);
  initialize_ = calls_.reserve();
  calls_.open(initialize_, std::string(wire::kInitialize), now + setup_.timeouts.initialize);
  write(wire::encode_request(calls_.request_id(initialize_), setup_.initialize));
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

void Engine::peer_ended(Exit exit, std::string stderr_tail) {
  if (!peer_end_) peer_end_ = PeerEnd{exit, std::move(stderr_tail)};
}

// ---- To the user -------------------------------------------------------------------------------

bool Engine::next(Event& event, TimePoint now) {
  // Lines come before deadlines, and both before the end: an answer that has arrived counts.
  if (take_event(event) || read_line(event, now)) return true;
  end_overdue(now);
  finish_if_peer_ended();
  return take_event(event);
}

bool Engine::take_event(Event& event) {
  if (events_.empty()) return false;
  event = std::move(events_.front());
  events_.pop_front();
  return true;
}

TimePoint Engine::next_deadline() const {
  return ended() ? TimePoint::max() : std::min(calls_.next_deadline(), asks_.next_deadline());
}

void Engine::end_overdue(TimePoint now) {
  if (next_deadline() > now) return;
  while (auto overdue = calls_.take_overdue(now)) {
    auto& [call, entry] = *overdue;
    if (call == initialize_) {
      on_initialize_timeout(now);
      continue;
    }
    note(LogLevel::error, "timeout", entry.subtype + " was not answered in time");
    events_.push_back(CallEnded{
        call, std::unexpected(Error{.code = Errc::timeout,
                                    .message = "The CLI did not answer in time",
                                    .where = entry.subtype + " (" + entry.request_id + ")",
                                    .advice = "Allow it more time (Options::timeouts), or look at "
                                              "what the CLI is busy with."})});
  }
  while (auto overdue = asks_.take_overdue(now)) {
    auto& [id, ask] = *overdue;
    write(wire::encode_success(ask.id, ask.if_failed));
    events_.push_back(AskWithdrawn{id});
    auto took = std::chrono::duration_cast<std::chrono::milliseconds>(now - ask.opened);
    note(LogLevel::warning, "callback_timeout",
         "the callback " + ask.name + " gave no answer within " + std::to_string(took.count()) +
             " ms and was answered for");
  }
}

void Engine::on_initialize_timeout(TimePoint now) {
  if (confirmed_) {
    note(LogLevel::warning, "no_initialize_answer",
         "initialize was not answered, but the CLI is there: going on without its capabilities");
    return become_running(now);
  }
  fail_start({.code = Errc::init_timeout,
              .message = "The CLI did not answer initialize within " +
                         std::to_string(setup_.timeouts.initialize.count()) + " ms",
              .where = std::string(wire::kInitialize),
              .advice = "Slow MCP servers and hooks delay it: allow more time "
                        "(Options::timeouts.initialize)."});
}

// ---- From the user -----------------------------------------------------------------------------

Result<CallId> Engine::call(Json request, std::chrono::milliseconds timeout, TimePoint now) {
  std::string subtype(request["subtype"].text());
  auto refused = [&](Errc code, std::string message, std::string advice) {
    return std::unexpected(Error{.code = code,
                                 .message = std::move(message),
                                 .where = subtype,
                                 .advice = std::move(advice)});
  };
  if (ended()) return refused(Errc::session_stopped, "The session has ended", "Start a new one.");
  if (state_ != SessionState::running) {
    std::size_t limit = setup_.limits.queued_operations;
    if (queued_.size() >= limit) {
      note(LogLevel::warning, "queue_full", std::to_string(queued_.size()) + " operations wait");
      return refused(Errc::init_queue_overflow,
                     "Too many control operations queued during initialization (max " +
                         std::to_string(limit) + "). Is the CLI responding?",
                     "Check the version of the CLI, or do less before the session is ready.");
    }
    queued_.push_back({calls_.reserve(), std::move(request), timeout, {}});
    return queued_.back().call;
  }
  if (calls_.is_full()) {
    note(LogLevel::warning, "calls_full", std::to_string(calls_.size()) + " operations wait");
    return refused(Errc::too_many_pending,
                   "Too many pending control requests (max " +
                       std::to_string(setup_.limits.pending_operations) +
                       "). Check for stuck operations or excessive concurrency.",
                   "Let earlier operations end first, or raise Limits::pending_operations.");
  }
  CallId call = calls_.reserve();
  calls_.open(call, std::move(subtype), now + timeout);
  write(wire::encode_request(calls_.request_id(call), request));
  return call;
}

Result<TurnId> Engine::send(const Json& content, std::string uuid, std::string_view priority,
                            TimePoint) {
  if (ended()) {
    return std::unexpected(Error{.code = Errc::session_stopped,
                                 .message = "The session has ended",
                                 .where = "send",
                                 .advice = "Start a new one."});
  }
  std::string line = wire::encode_user(content, uuid, priority);
  if (state_ == SessionState::running) {
    write(std::move(line));
  } else {
    queued_.push_back({0, {}, {}, std::move(line)});
  }
  return turns_.open(std::move(uuid));
}

void Engine::answer(AskId id, std::string_view payload) {
  auto ask = asks_.take(id);
  if (!ask) return note(LogLevel::debug, "late_answer", "an answer came after its ask had ended");
  write(wire::encode_success(ask->id, payload));
}

void Engine::answer_failed(AskId id, std::string_view why) {
  auto ask = asks_.take(id);
  if (!ask) return;
  note(LogLevel::error, "callback_failed",
       "the callback " + ask->name + " failed: " + std::string(why));
  write(wire::encode_success(ask->id, ask->if_failed));
}

void Engine::stop() {
  if (ended()) return;
  end({.how = SessionEnded::How::stopped, .exit = {}, .error = {}},
      {.code = Errc::session_stopped, .message = "The session was stopped"});
}

// ---- Life --------------------------------------------------------------------------------------

void Engine::become_running(TimePoint now) {
  change_state(SessionState::running);
  // In order, without waiting, each with its own id and timer.
  for (Queued& waiting : std::exchange(queued_, {})) {
    if (waiting.call == 0) {
      write(std::move(waiting.line));
    } else {
      calls_.open(waiting.call, std::string(waiting.request["subtype"].text()),
                  now + waiting.timeout);
      write(wire::encode_request(calls_.request_id(waiting.call), waiting.request));
    }
  }
}

void Engine::fail_start(Error error) {
  Error for_waiting{.code = Errc::session_not_initialized,
                    .message = "The session never became ready: " + error.message};
  end({.how = SessionEnded::How::failed,
       .exit = peer_end_ ? peer_end_->exit : Exit{},
       .error = std::move(error)},
      for_waiting);
}

void Engine::end(SessionEnded ending, const Error& for_waiting) {
  while (auto ask = asks_.take_any()) events_.push_back(AskWithdrawn{ask->first});
  while (auto call = calls_.take_any()) {
    if (call->first == initialize_) continue;
    Error error = for_waiting;
    error.where = call->second.subtype;
    events_.push_back(CallEnded{call->first, std::unexpected(std::move(error))});
  }
  for (Queued& waiting : std::exchange(queued_, {})) {
    if (waiting.call != 0) events_.push_back(CallEnded{waiting.call, std::unexpected(for_waiting)});
  }
  while (auto turn = turns_.take_any()) {
    events_.push_back(TurnEnded{.turn = *turn, .result = {}, .error = for_waiting, .cost_usd = {}});
  }
  auto how = ending.how;
  change_state(how == SessionEnded::How::failed ? SessionState::failed : SessionState::stopped);
  events_.push_back(std::move(ending));
}

void Engine::finish_if_peer_ended() {
  if (!peer_end_ || ended()) return;
  Error error = death();
  if (state_ != SessionState::running) {
    error.code = Errc::exited_during_init;
    return fail_start(std::move(error));
  }
  // After an error result the CLI exits with 1 at the end of its input: that was told already.
  const Exit& exit = peer_end_->exit;
  bool fine = turns_.empty() && (exit.code == 0 || (exit.code == 1 && last_result_failed_));
  SessionEnded ending{.how = fine ? SessionEnded::How::completed : SessionEnded::How::failed,
                      .exit = exit,
                      .error = {}};
  if (exit.code == 0) {
    error.code = Errc::ended_without_result;
    error.message = "The CLI ended before the turn had a result";
  }
  if (!fine) ending.error = error;
  end(std::move(ending), error);
}

// How the CLI ended, for people.
Error Engine::death() const {
  const Exit& exit = peer_end_->exit;
  Error error{.code = Errc::exited, .message = "The CLI ended", .where = "the CLI's process"};
  if (exit.code) error.message = "The CLI exited with code " + std::to_string(*exit.code);
  if (exit.signal) error.message = "The CLI was killed by signal " + std::to_string(*exit.signal);
  if (framer_.pending() > 0) {
    error.message += ", in the middle of a line of " + std::to_string(framer_.pending()) + " bytes";
  }
  error.exit_code = exit.code;
  error.signal = exit.signal;
  error.stderr_tail = peer_end_->stderr_tail;
  error.cli_text = startup_text_;
  error.advice = "Read what it wrote to stderr; start a new session to go on.";
  return error;
}

void Engine::change_state(SessionState to) {
  events_.push_back(StateChanged{std::exchange(state_, to), to});
}

void Engine::write(std::string line) {
  ++counts_.lines_out;
  if (setup_.tap) setup_.tap(Direction::to_cli, std::string_view(line).substr(0, line.size() - 1));
  output_ += line;
}

void Engine::note(LogLevel level, std::string_view kind, std::string text) {
  if (setup_.diagnostics) events_.push_back(Diagnostic{level, kind, std::move(text)});
}

}  // namespace claude::core
