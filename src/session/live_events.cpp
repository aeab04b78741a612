// What the engine reports, handed to whoever it concerns.
#include "session/live.h"

#include "launch/mask.h"
#include "session/access.h"
#include "session/call_state.h"
#include "session/handlers.h"
#include "session/mailbox.h"
#include "session/quietly.h"
#include "wire/decode_answers.h"

#include <algorithm>

namespace claude {
namespace {

// More may be at work than asks are open: a callback may go on after it has replied.
constexpr std::size_t kCallbacksPerOpenAsk = 4;
// Of a longer one the memory is given back at once, whoever does it.
constexpr std::size_t kKeptLineBytes = std::size_t{16} << 10;

}  // namespace

void LiveSession::dispatch(Lock& lock, core::Event& event) {
  if (auto* arrived = std::get_if<core::MessageArrived>(&event)) return deliver(*arrived);
  dispatch_other(lock, event);
}

void LiveSession::dispatch_other(Lock& lock, core::Event& event) {
  if (auto* turn = std::get_if<core::TurnEnded>(&event)) {
    on_turn_ended(std::move(*turn));
  } else if (std::holds_alternative<core::ResultLost>(event)) {
    on_result_lost();
  } else if (auto* call = std::get_if<core::CallEnded>(&event)) {
    on_call_ended(std::move(*call));
  } else if (auto* asked = std::get_if<core::Asked>(&event)) {
    on_asked(lock, *asked);
  } else if (auto* withdrawn = std::get_if<core::AskWithdrawn>(&event)) {
    if (auto cancel = asks_.take(withdrawn->ask)) {
      run_later([cancel = std::move(*cancel)] { cancel.request(); });
    }
  } else if (auto* changed = std::get_if<core::StateChanged>(&event)) {
    if (changed->to == SessionState::running && engine_.server_info()) {
      const core::Answer& info = *engine_.server_info();
      server_info_ = wire::decode_answer<ServerInfo>(info.payload, {info.keep});
    }
    state_.store(changed->to, std::memory_order_release);
    observe(
        [&](Observer& watching) { watching.on_state(changed->from, changed->to, Clock::now()); });
  } else if (auto* diagnostic = std::get_if<core::Diagnostic>(&event)) {
    diagnose(*diagnostic);
  } else if (auto* ended = std::get_if<core::SessionEnded>(&event)) {
    on_session_ended(std::move(*ended));
  }
}

// What an operation of ours has caused, without reading further lines: that is the reader's.
void LiveSession::dispatch_queued(Lock& lock) {
  if (!engine_.has_queued()) return;
  core::Event event;
  while (engine_.next_queued(event)) dispatch(lock, event);
  kick();
}

void LiveSession::deliver(core::MessageArrived& arrived) {
  if (!everything_boxes_.empty()) deliver_copies(arrived.message);
  if (auto* turn = turns_.find(arrived.turn); turn && (*turn)->wanted()) {
    (*turn)->put(std::move(arrived.message));
    serve_mailbox(*turn);
  } else if (auto box = messages_.lock()) {
    box->put(std::move(arrived.message));
    serve_mailbox(box);
    let_go(std::move(box));
  }
}

void LiveSession::deliver_copies(const Message& message) {
  std::erase_if(everything_boxes_, [](const auto& box) { return box.expired(); });
  for (const auto& each : everything_boxes_) {
    auto box = each.lock();
    if (!box) continue;
    box->put(Message(message));
    serve_mailbox(box);
    let_go(std::move(box));
  }
}

// What has come for it already goes where all that is still to come will go: how early a Turn is
// dropped must not decide what is seen of it.
void LiveSession::drop_turn(Mailbox& turn) {
  auto box = turn.has_item() ? messages_.lock() : nullptr;
  if (box) {
    std::optional<Message> message;
    while (turn.has_item()) {
      turn.take_message(message);
      box->put(std::move(*message));
    }
    serve_mailbox(box);
    kick();
    let_go(std::move(box));
  }
  turn.discard();
  let_go(turn);
}

void LiveSession::let_go(Mailbox& box) {
  if (box.on_item) run_later([gone = std::exchange(box.on_item, nullptr)] {});
}

void LiveSession::on_turn_ended(core::TurnEnded ended) {
  auto found = turns_.take(ended.turn);
  if (!found) return;
  auto& box = *found;
  box->ended = std::move(ended);
  box->close();
  serve_mailbox(box);
}

void LiveSession::on_result_lost() {
  for (const auto& each : everything_boxes_) {
    auto box = each.lock();
    if (!box) continue;
    box->lost_result = box->size();
    let_go(std::move(box));
  }
}

void LiveSession::on_call_ended(core::CallEnded ended) {
  auto found = calls_.take(ended.call);
  if (!found) return;
  auto& state = *found;
  state->answer = std::move(ended.result);
  for (auto& next : std::exchange(state->on_answer, {})) {
    end_service();
    execute_later(std::move(next));
  }
}

void LiveSession::on_session_ended(core::SessionEnded ended) {
  ended_ = std::move(ended);
  SessionEvent event = event_of(*ended_);
  auto close = [&](const std::weak_ptr<Mailbox>& each, bool with_event) {
    auto box = each.lock();
    if (!box) return;
    if (with_event) box->put(event);
    box->close();
    serve_mailbox(box);
    let_go(std::move(box));
  };
  for (const auto& box : event_boxes_) close(box, true);
  for (const auto& box : everything_boxes_) close(box, true);
  close(messages_, false);
  if (ended_->error) log(LogLevel::error, ended_->error->to_string());
  wake_sleepers();
  // Whatever ended it, the process is not left behind.
  start_ending(ladder());
}

// Calls of on_item that are under way, as long as somebody has this.
class LiveSession::Delivery {
 public:
  explicit Delivery(std::shared_ptr<Mailbox> box) : box_(std::move(box)) {}
  // The user's executor has dropped it, maybe long ago: nobody is called from here.
  ~Delivery() {
    if (!box_ || !box_->session().is_of_this_process()) return;
    Lock lock(box_->session());
    box_->delivering = false;
  }
  Delivery(const Delivery&) = delete;

  void run() {
    if (auto box = std::exchange(box_, nullptr)) box->session().hand_out(box);
  }

 private:
  std::shared_ptr<Mailbox> box_;
};

void LiveSession::serve_mailbox(const std::shared_ptr<Mailbox>& box) {
  if (box->has_calls() || box->closed()) make_calls(box);
}

void LiveSession::make_calls(const std::shared_ptr<Mailbox>& box) {
  while (!box->next_waiters.empty() && (box->has_item() || box->over())) {
    auto waiter = std::move(box->next_waiters.front());
    box->next_waiters.erase(box->next_waiters.begin());
    end_service();
    execute_later(
        [waiter = std::move(waiter), item = box->take()]() mutable { waiter(std::move(item)); });
  }
  if (box->on_item && box->has_item() && !box->delivering) {
    box->delivering = true;
    run_later(
        [self = shared_from_this(), box, delivery = std::make_shared<Delivery>(box)]() mutable {
          self->execute([delivery = std::move(delivery)] { delivery->run(); });
          self->see_to_end(box);
        });
  }
  // After the last call of on_item; messages that wait for somebody to take them do not hold it up.
  if (box->closed() && !box->delivering) {
    for (auto& next : std::exchange(box->on_end, {})) {
      end_service();
      execute_later([next = std::move(next), box] { next(*box); });
    }
    let_go(*box);
  }
}

// The user's executor may have dropped the delivery. What is still to come may be luckier; if
// nothing is, the end must not wait for it.
void LiveSession::see_to_end(const std::shared_ptr<Mailbox>& box) {
  Lock lock(*this);
  if (box->delivering || !box->closed()) return;
  let_go(*box);
  serve_mailbox(box);
}

void LiveSession::hand_out(const std::shared_ptr<Mailbox>& box) {
  while (true) {
    std::optional<MessageOrEvent> item;
    std::shared_ptr<const Mailbox::OnItem> call;
    {
      Lock lock(*this);
      item = box->take();
      if (!item) {
        box->delivering = false;
        return serve_mailbox(box);
      }
      call = box->on_item;
    }
    run_guarded([&] { (*call)(*item); });
  }
}

void LiveSession::execute_later(std::function<void()> work) {
  run_later([self = shared_from_this(), work = std::move(work)]() mutable {
    self->execute(std::move(work));
  });
}

void LiveSession::execute(std::function<void()> work) {
  auto guarded = [self = shared_from_this(), work = std::move(work)] { self->run_guarded(work); };
  run_guarded([&] {
    if (options_.executor) {
      options_.executor(std::move(guarded));
    } else {
      runtime_->run(std::move(guarded));
    }
  });
}

void LiveSession::run_guarded(const std::function<void()>& continuation) {
  auto thrown = thrown_by(continuation);
  if (!thrown) return;
  Lock lock(*this);
  log(LogLevel::error, "a continuation threw: " + *thrown);
}

void LiveSession::diagnose(const core::Diagnostic& diagnostic) {
  if (options_.log) {  // where others read than those who have the wire
    log(diagnostic.level, std::string(diagnostic.kind) + ": " + launch::masked(diagnostic.text));
  }
  observe([&](Observer& watching) { watching.on_diagnostic(diagnostic.kind, diagnostic.text); });
}

void LiveSession::log(LogLevel level, std::string_view text) {
  if (options_.log) quietly([&] { options_.log(level, text); });
}

template <class F>
void LiveSession::observe(F tell) {
  if (options_.observer) quietly([&] { tell(*options_.observer); });
}

// ---- Asks --------------------------------------------------------------------------------------

// A CLI that withdraws what it asks has few asks open, and may ask without end. Where a callback
// runs here and waits for its session, the next runs inside it; on the pool they are in the way of
// other sessions.
bool LiveSession::may_call_back(const core::Asked& asked, bool here) const {
  const Limits& limits = options_.limits;
  if (callback_bytes_ + asked.request.line.size() > limits.ask_bytes) return false;
  if (callbacks_ < limits.open_asks) return true;
  if (callbacks_ >= kCallbacksPerOpenAsk * limits.open_asks) return false;
  const auto coming = std::ranges::count_if(later_, &Later::is_for_pool);
  return here || RuntimeAccess::pool(*runtime_).has_plenty(static_cast<std::size_t>(coming));
}

void LiveSession::on_asked(Lock& lock, core::Asked& asked) {
  const bool here = runs_inline(options_, asked);
  if (!may_call_back(asked, here)) {
    return engine_.answer_failed(asked.ask, "too many callbacks are at work");
  }
  CancelToken token = asks_.add(asked.ask, take_cancel_source()).token();
  const std::size_t line_bytes = asked.request.line.size();
  callback_begins(line_bytes);
  if (here) {
    // What was read before it may be what another thread waits for: that one need not wait for it.
    wake_sleepers();
    lock.release();
    // Keeps no token for itself: with the last one functions of the user's go.
    run_ask(*this, asked, std::move(token), Where::here);
    lock.acquire();
    read_before_deadlines();
  } else {
    asked_line_ = line_bytes <= kKeptLineBytes ? asked.request.keep : nullptr;
    later_.push_back({.on_pool = run_ask(*this, asked, std::move(token), Where::elsewhere)});
  }
}

// That of the last ask, if nobody holds its token any more.
CancelSource LiveSession::take_cancel_source() {
  auto spare = std::exchange(spare_cancel_, std::nullopt);
  return spare && spare->renew() ? *std::move(spare) : CancelSource();
}

void LiveSession::settle(const Asking& asking, std::string_view text, Outcome outcome) {
  std::vector<std::function<void()>> functions;  // of the user's: they go after the lock
  Lock lock(*this);
  auto over = asks_.take(asking.ask);
  if (!over) return;  // withdrawn, or answered for
  if (outcome == Outcome::answered) {
    engine_.answer(asking.ask, text);
  } else {
    engine_.answer_failed(asking.ask, text);
  }
  if (is_watched()) tell_watchers(asking, outcome);
  dispatch_queued(lock);
  functions = over->end();
  spare_cancel_ = std::move(over);
  // What goes with them may wait for it to be written.
  if (!asking.written_later || !functions.empty()) flush();
}

// On a thread of the pool that counts as free: what is to be called is for another one.
void LiveSession::after_work() {
  bool calls = false;
  {
    std::lock_guard held(mutex_);
    flush();
    calls = !later_.empty();
  }
  if (calls) runtime_->run([self = shared_from_this()] { Lock runs_it(*self); });
}

void LiveSession::tell_watchers(const Asking& asking, Outcome outcome) {
  auto took = Clock::now() - asking.since;
  auto us = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  std::string name = asking.name.text();
  log(LogLevel::debug, "callback " + name + " took " + std::to_string(us) + " us");
  observe(
      [&](Observer& watching) { watching.on_callback(name, took, outcome == Outcome::failed); });
}

std::string CallbackName::text() const {
  return std::string(kind) + " " + std::string(of);
}

SessionEvent event_of(const core::SessionEnded& ended) {
  switch (ended.how) {
    case core::SessionEnded::How::completed:
      return SessionCompleted{};
    case core::SessionEnded::How::stopped:
      return SessionStopped{};
    default:
      return SessionFailed{ended.error.value_or(Error{}), ended.exit.code};
  }
}

}  // namespace claude
