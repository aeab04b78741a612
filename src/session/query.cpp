// One question: a session that ends with its answer.
#include <claude/query.h>

#include "launch/arguments.h"
#include "session/live.h"
#include "session/mailbox.h"
#include "session/quietly.h"
#include "session/start.h"

#include <algorithm>

namespace claude {

struct Query::State {
  Result<void> start(const Prompt& prompt, Options options);

  std::optional<Error> start_error;
  std::optional<Session> session;
  std::shared_ptr<Mailbox> turn;  // only its end is of interest here
  std::shared_ptr<Mailbox> everything;
  bool has_budget = false;
  bool one_way = false;   // the prompt is on the command line
  bool answered = false;  // the result of our own prompt has come
  bool over = false;
  // By the messages that were handed out, not by those that lie read.
  BackgroundTasks alive;
  bool turn_follows = false;

  // What a message that is handed out means for the end.
  void follow(const Message& message) {
    if (auto* tasks = std::get_if<BackgroundTasks>(&message)) alive = *tasks;
    // What ended before the answer the model may have heard of in its own turn.
    auto* task = std::get_if<TaskNotification>(&message);
    if (answered && task != nullptr && brings_turn(*task)) turn_follows = true;
    auto* result = std::get_if<ResultMessage>(&message);
    if (result == nullptr) return;
    if (!core::is_prompted(*result)) turn_follows = false;
    if (is_ours(*result)) answered = true;
  }
  // After the result the CLI may have background work left, which brings further turns.
  bool is_idle() const { return alive.tasks.empty() && !turn_follows; }
  bool has_ended() const { return (answered || failed()) && is_idle(); }
  // There will be no result: the prompt was cancelled, say.
  bool failed() const { return turn->closed() && !(turn->ended && turn->ended->result); }
  // Seen on CLI 2.1.325: what has ended by itself does. Of what was stopped an agent does, unless
  // it was stopped because it had spent the budget.
  bool brings_turn(const TaskNotification& task) const {
    if (task.status != "stopped") return true;
    auto stopped = std::ranges::find(alive.tasks, task.task_id, &BackgroundTasks::Task::task_id);
    return stopped != alive.tasks.end() && stopped->task_type == "local_agent" && !has_budget;
  }
  // An older CLI names no prompts; then it is the only one.
  bool is_ours(const ResultMessage& result) const {
    if (one_way) return core::is_prompted(result);
    const auto& named = result.user_message_uuids;
    if (result.user_message_uuid.value_or({}) == turn->uuid) return true;
    if (std::ranges::find(named, turn->uuid) != named.end()) return true;
    return !core::names_prompts(result) && core::is_prompted(result);
  }
};

Result<void> Query::State::start(const Prompt& prompt, Options options) {
  if (!one_way) {
    auto started = Session::start(std::move(options));
    if (!started) return std::unexpected(started.error());
    session = std::move(*started);
    everything = session->live().open_everything();
    turn = session->live().send(prompt);
    return {};
  }
  if (!prompt.content.is_string()) {
    return std::unexpected(Error{.code = Errc::invalid_option,
                                 .message = "A prompt on the command line can only be text",
                                 .where = "Options::legacy_argv"});
  }
  if (auto warning = launch::legacy_warning(options); !warning.empty() && options.log) {
    quietly([&] { options.log(LogLevel::warning, warning); });
  }
  ToldPrompt told{.text = std::string(prompt.content.text())};
  auto started = Session::start(std::move(options), &told);
  if (!started) return std::unexpected(started.error());
  session = std::move(*started);
  everything = std::move(told.everything);
  turn = std::move(told.turn);
  return {};
}

Query::Query(std::unique_ptr<State> state) : state_(std::move(state)) {}
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;
Query::~Query() = default;

Query query(Prompt prompt, Options options) {
  auto state = std::make_unique<Query::State>();
  state->has_budget = options.max_budget_usd.has_value();
  state->one_way = options.legacy_argv;
  if (auto started = state->start(prompt, std::move(options)); !started) {
    state->start_error = started.error();
    return Query(std::move(state));
  }
  LiveSession::Lock lock(state->session->live());
  state->turn->discard();
  return Query(std::move(state));
}

std::optional<Message> Query::next() {
  if (state_->start_error || state_->over) return std::nullopt;
  LiveSession& live = state_->session->live();
  Mailbox& box = *state_->everything;
  LiveSession::Lock lock(live);
  live.wait(lock, [&] {
    if (box.lost_result == 0) {
      box.lost_result.reset();
      state_->turn_follows = false;
    }
    return box.has_item() || box.closed() || state_->has_ended();
  });
  auto item = box.take();
  auto* message = item ? std::get_if<Message>(&*item) : nullptr;
  state_->over = message == nullptr;
  if (message == nullptr) return std::nullopt;
  live.dispatch_queued(lock);  // what came of this message
  state_->follow(*message);
  state_->over = state_->answered && state_->is_idle();
  return std::move(*message);
}

Result<TurnResult> Query::result() {
  if (state_->start_error) return std::unexpected(*state_->start_error);
  while (next()) {
  }
  LiveSession& live = state_->session->live();
  LiveSession::Lock lock(live);
  if (const auto& lagged = state_->everything->overflow()) return std::unexpected(*lagged);
  live.wait(lock, [&] { return state_->turn->closed(); });
  const auto& ended = state_->turn->ended;
  if (ended && ended->error) return std::unexpected(*ended->error);
  // The answer came, but what it had left in the background was cut off.
  const bool is_cut = live.ended() && live.ended()->error && !state_->is_idle();
  if (is_cut) return std::unexpected(*live.ended()->error);
  if (ended && ended->result) return TurnResult{*ended->result, ended->folded, ended->cost_usd};
  return std::unexpected(
      Error{.code = Errc::ended_without_result, .message = "The messages ended before the result"});
}

Session* Query::session() {
  return state_->session && !state_->one_way ? &*state_->session : nullptr;
}

}  // namespace claude
