// The laws, one by one.
#include "laws.h"

#include <algorithm>
#include <charconv>

namespace claude::simulation {
namespace {

using namespace std::chrono_literals;

// Leases and rounded timeouts: what is due may take this long. So may what ends with the CLI, of
// which F1 and F5 promise no more than that it takes 200 ms.
constexpr Duration kSlack = 20ms;

template <class Number = int>
Number number_at(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

Mark mark_in(std::string_view line) {
  std::size_t begin = line.find("mark:");
  if (begin == line.npos) return {};
  line.remove_prefix(begin + 5);
  std::size_t in_turn = line.find('#');
  std::size_t number = line.find('@');
  return {line.substr(0, in_turn), number_at(line.substr(in_turn + 1)),
          number_at<std::size_t>(line.substr(number + 1))};
}

std::string_view member(std::string_view line, std::string_view name) {
  std::string key = "\"" + std::string(name) + "\":\"";
  std::size_t at = line.find(key);
  if (at == line.npos) return {};
  line.remove_prefix(at + key.size());
  return line.substr(0, line.find('"'));
}

TurnRecord& Laws::turn(std::string_view uuid) {
  auto found = turns_.find(uuid);
  if (found == turns_.end()) {
    found = turns_.emplace(uuid, TurnRecord{.uuid = std::string(uuid)}).first;
  }
  return found->second;
}

// ---- What the session writes -------------------------------------------------------------------

void Laws::session_wrote(std::string_view bytes) {
  written_ += bytes;
  for (std::size_t end; (end = written_.find('\n')) != written_.npos;) {
    session_wrote_line(std::string_view(written_).substr(0, end));
    written_.erase(0, end + 1);
  }
}

void Laws::session_wrote_line(std::string_view line) {
  world_.event("the session writes ", line);
  std::string_view type = member(line, "type");
  if (type == "user") {
    turn(member(line, "uuid")).on_wire = true;
    if (first_prompt_.empty()) first_prompt_ = member(line, "uuid");
  }
  if (type == "control_response") answered(line);
}

void Laws::answered(std::string_view line) {
  std::string id(member(line, "request_id"));
  auto found = asks_.find(id);
  if (found == asks_.end()) return world_.fail("an answer to nothing: " + id);
  AskRecord& ask = found->second;
  if (++ask.answers > ask.asked) world_.fail("two answers to " + id);
  if (ask.kind != AskKind::permission && ask.kind != AskKind::question) return;
  bool allows = line.find(R"("behavior":"allow")") != line.npos;
  if (allows && !ask.allowed) world_.fail("a permission that nobody gave: " + id);
}

// ---- What users are given ----------------------------------------------------------------------

void Laws::user_got(TurnRecord& turn, const Message& message) {
  took(message);
  Mark mark = mark_in(message.raw());
  if (mark.prompt != turn.uuid) return;
  world_.event("message ", mark.in_turn, " of ", turn.uuid);
  if (turn.ended && !turn.shared) world_.fail("a message after the end of " + turn.uuid);
  if (mark.in_turn != turn.got + 1 && !turn.shared)
    world_.fail("not the next message of " + turn.uuid);
  if (mark.in_turn > turn.said) world_.fail("a message that was never said");
  ++turn.got;
}

void Laws::took(const Message& message) {
  Mark mark = mark_in(message.raw());
  if (mark.number == 0) return;
  if (!taken_.insert(mark.number).second) {
    world_.fail("message " + std::to_string(mark.number) + " comes twice");
  }
  untaken_.erase(mark.number);
  if (mark.prompt != kBackground) ++turn(mark.prompt).taken;
}

bool Laws::owes_collector() const {
  return std::ranges::any_of(turns_, [](const auto& each) {
    return each.second.passed_on && each.second.said > each.second.taken;
  });
}

// What names no prompt may have gone to any turn.
void Laws::check_lost() const {
  bool all_goes = std::ranges::all_of(
      turns_, [](const auto& each) { return each.second.all_goes || each.second.refused; });
  for (const auto& [number, prompt] : untaken_) {
    auto turn = turns_.find(prompt);
    if (prompt == kBackground ? all_goes : turn != turns_.end() && turn->second.all_goes) {
      return world_.fail("message " + std::to_string(number) + " is lost, one of " + prompt);
    }
  }
}

void Laws::turn_ended(TurnRecord& turn, const Error* error) {
  world_.event("the end of ", turn.uuid, error ? ": " + std::string(to_string(error->code)) : "");
  if (!error) {
    if (!turn.over || turn.lost) world_.fail("a result of " + turn.uuid + " that was never said");
    return reached(Reached::turn_result);
  }
  switch (error->code) {
    case Errc::cancelled:
      if (!turn.over) world_.fail(turn.uuid + " was never cancelled");
      return reached(Reached::turn_cancelled);
    case Errc::session_stopped:
      if (!closing && !ended) world_.fail(turn.uuid + " was stopped by nobody");
      return reached(Reached::turn_stopped);
    // With it end those before it of which the CLI said nothing more.
    case Errc::invalid_json:
      if (turn.over && !turn.lost) world_.fail(turn.uuid + " has a result, but it was lost");
      return reached(Reached::turn_lost);
    case Errc::mailbox_overflow:
      return reached(Reached::turn_overflow);
    case Errc::write_failed:
      return reached(ended ? Reached::turn_unread : Reached::turn_refused);
    default:
      if (turn.over && !closing && !pipe_broken)
        world_.fail(turn.uuid + " has a result, but ended without");
      return reached(Reached::turn_died);
  }
}

void Laws::call_ended(CallRecord& call, const Error* error) {
  world_.event("the end of call ", call.number,
               error ? ": " + std::string(to_string(error->code)) : "");
  const CallRecord& heard = call.is_interrupt ? calls_[kInterrupts] : call;
  if (!error) {
    if (!heard.answered) world_.fail("an answer to a call that was never given");
    return reached(Reached::call_answered);
  }
  switch (error->code) {
    case Errc::cli_error:
      if (!heard.refused) world_.fail("a call was refused by nobody");
      return reached(Reached::call_refused);
    case Errc::timeout:
      if (world_.now() < call.due) world_.fail("a call timed out before its time");
      return reached(Reached::call_timeout);
    case Errc::session_stopped:
      if (!closing && !ended) world_.fail("a call was stopped by nobody");
      return reached(Reached::call_stopped);
    case Errc::too_many_pending:
      return reached(Reached::call_too_many);
    case Errc::not_supported:
      return reached(Reached::call_not_supported);
    default:
      return reached(Reached::call_died);
  }
}

void Laws::user_code_begins() {
  world_.point();
  if (world_.locks() > 0) world_.fail("user code runs under a lock");
}

void Laws::belonging_goes() {
  if (world_.locks() > 0) world_.fail("what a callback owns goes under a lock");
}

// ---- Whenever nothing can run ------------------------------------------------------------------

Laws::Debt Laws::waits(std::string what, std::function<bool()> due) {
  int self = world_.self();
  return owed_.insert(owed_.end(),
                      {std::move(what), std::move(due), self, callbacks_of_thread_[self]});
}

Laws::Debt Laws::is_to_be_called(std::string what, std::function<bool()> due) {
  return owed_.insert(owed_.end(), {std::move(what), std::move(due), 0, 0});
}

bool Laws::can_happen(const Owed& owed) const {
  if (owed.thread == 0) return pool_is_free();
  return callbacks_of_thread_.at(owed.thread) == owed.callbacks;
}

Laws::Callback::Callback(Laws& laws) : laws_(laws), thread_(laws.world_.self()) {
  ++laws_.callbacks_;
  ++laws_.callbacks_of_thread_[thread_];
}

Laws::Callback::~Callback() {
  --laws_.callbacks_;
  --laws_.callbacks_of_thread_[thread_];
}

void Laws::check_idle(Duration jump) {
  if (jump <= kSlack || sleeping > 0) return;
  TimePoint before = world_.now() - kSlack;
  for (const Owed& owed : owed_) {
    if (can_happen(owed) && owed.due()) return world_.fail(owed.what + ", but waits");
  }
  if (!is_running() || input->room() == 0) return;
  for (const auto& [uuid, turn] : turns_) {
    if (!turn.on_wire && !turn.ended && !turn.refused)
      return world_.fail("the prompt " + uuid + " is unwritten");
  }
  if (!is_served) return;
  for (const auto& [id, ask] : asks_) {
    bool has_token = ask.kind != AskKind::mcp && ask.begun == 1 && ask.asked == 1;
    // Without a pool the callback itself may hold up the news.
    if (has_token && ask.withdrawal_read && !ask.cancel_told && pool_threads > 0) {
      return world_.fail("the callback of " + id + " does not know that it was withdrawn");
    }
  }
  for (const auto& [id, ask] : asks_) {
    if (ask.answers > 0 || ask.withdrawn || ask.said_at == TimePoint::max()) continue;
    if (ask.decided) return world_.fail("the answer to " + id + " is unwritten");
    if (ask.due < before) return world_.fail(id + " is overdue and not answered for");
    if (ask.begun == 0 && pool_is_free()) return world_.fail("nobody was asked " + id);
  }
}

void Laws::check_end() {
  if (!transport_freed) world_.fail("the session was never freed");
  if (collecting_) check_lost();
  for (const Owed& owed : owed_) world_.fail(owed.what + ", but nobody was told");
  for (const auto& [uuid, turn] : turns_) {
    if (turn.told > 1) world_.fail(uuid + " ended twice");
  }
  for (const auto& [number, call] : calls_) {
    if (call.ends > 1) world_.fail("a call was answered twice");
  }
  if (!tapped_odd_.empty()) world_.fail(tapped_odd_ + " was not answered for");
  for (const auto& [id, ask] : asks_) {
    if (ask.begun > ask.asked) world_.fail("a callback was called twice for " + id);
  }
}

// ---- The tap: exactly what the engine sees, in its order ---------------------------------------

void Laws::on_line(Direction direction, std::string_view line, TimePoint) {
  std::string_view type = member(line, "type");
  std::string id(member(line, "request_id"));
  if (direction == Direction::from_cli) {
    if (!tapped_odd_.empty()) world_.fail(tapped_odd_ + " was not answered for");
    if (tapped_asks_.size() > open_asks_limit) world_.fail("more asks are open than allowed");
    if (type == "control_request" && asks_.contains(id)) heard_request(id);
    if (type == "control_cancel_request" && tapped_asks_.erase(id) > 0) {
      asks_[id].withdrawal_read = true;
    }
    if (type == "control_response") tapped_calls_.erase(id);
    if (collecting_) heard_message(line);
  } else {
    if (type == "control_response" && tapped_asks_.erase(id) == 0 && asks_.contains(id)) {
      world_.fail("an answer to " + id + ", which is not open");
    }
    if (type == "control_response" && id == tapped_odd_) tapped_odd_.clear();
    if (type == "control_request") tapped_calls_.emplace(id, member(line, "subtype"));
    if (tapped_calls_.size() > pending_calls_limit) world_.fail("more calls wait than allowed");
  }
}

void Laws::heard_message(std::string_view line) {
  if (Mark mark = mark_in(line); mark.number != 0) untaken_.emplace(mark.number, mark.prompt);
}

void Laws::heard_request(const std::string& id) {
  AskRecord& ask = asks_[id];
  if (ask.kind == AskKind::left) return;
  tapped_asks_.insert(id);
  if (ask.kind == AskKind::hook) ask.due = world_.now() + kHookTimeout;
  bool is_permission = ask.kind == AskKind::permission || ask.kind == AskKind::question;
  if (is_permission && permission_timeout) ask.due = world_.now() + *permission_timeout;
  if (ask.kind == AskKind::odd || !is_served) tapped_odd_ = id;
}

void Laws::on_state(SessionState, SessionState to, TimePoint) {
  ended = to == SessionState::stopped || to == SessionState::failed;
  reached(to == SessionState::running   ? Reached::state_running
          : to == SessionState::stopped ? Reached::state_stopped
          : to == SessionState::failed  ? Reached::state_failed
                                        : Reached::state_initializing);
}

void Laws::on_diagnostic(std::string_view kind, std::string_view detail) {
  world_.event("note ", kind, ": ", detail);
  if (!reached_note(kind)) world_.fail("a note of an unknown kind: " + std::string(kind));
  if (kind == "timeout") forget_call(detail.substr(0, detail.find(' ')));
  if (kind == "no_initialize_answer") forget_call("initialize");
}

// Its time is over. Which of several of its name it was does not matter here.
void Laws::forget_call(std::string_view subtype) {
  auto found = std::ranges::find(tapped_calls_, subtype,
                                 [](const auto& call) -> std::string_view { return call.second; });
  if (found != tapped_calls_.end()) tapped_calls_.erase(found);
}

}  // namespace claude::simulation
