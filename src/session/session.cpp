// The public face of a session: Session, Turn, Stream, Call.
#include <claude/session.h>

#include "io/host_process.h"
#include "json/parse.h"
#include "session/call_state.h"
#include "session/live.h"
#include "session/mailbox.h"
#include "session/quietly.h"
#include "session/start.h"
#include "wire/decode_answers.h"
#include "wire/encode.h"
#include "wire/names.h"

namespace claude {
namespace {

// An operation that could not even begin.
std::shared_ptr<CallState> refused(std::shared_ptr<LiveSession> session, Error why) {
  auto state = std::make_shared<CallState>();
  state->session = std::move(session);
  state->answer = std::unexpected(std::move(why));
  return state;
}

}  // namespace

// ---- Session -----------------------------------------------------------------------------------

struct Session::Handle {
  explicit Handle(std::shared_ptr<LiveSession> session) : live(std::move(session)) {}
  ~Handle() {
    if (!host.is_this_one()) return;
    io::Ladder ladder = live->ladder();
    if (live->has_open_turns()) ladder.eof_grace = std::chrono::milliseconds(0);
    live->close(ladder, true);
  }
  std::shared_ptr<LiveSession> live;
  io::HostProcess host;
};

LiveSession& Session::live() const {
  return *handle_->live;
}

Result<Session> Session::start(Options options) {
  return start(std::move(options), nullptr);
}

Result<Session> Session::start(Options options, ToldPrompt* told) {
  auto live = start_session(std::move(options), told);
  if (!live) return std::unexpected(live.error());
  return Session(std::make_shared<Handle>(std::move(*live)));
}

Turn Session::send(Prompt prompt) {
  return Turn(live().send(prompt));
}

Call<InterruptReceipt> Session::interrupt(bool cancel_queued) {
  return Call<InterruptReceipt>(
      live().call(wire::interrupt_request(cancel_queued), live().options().timeouts.interrupt));
}

Call<PermissionModeSet> Session::set_permission_mode(PermissionMode mode) {
  return Call<PermissionModeSet>(live().call(wire::set_permission_mode_request(mode),
                                             live().options().timeouts.set_permission_mode));
}

Call<ModelSet> Session::set_model(std::string model) {
  return Call<ModelSet>(
      live().call(wire::set_model_request(std::move(model)), live().options().timeouts.set_model));
}

Call<ModelSet> Session::reset_model() {
  return Call<ModelSet>(
      live().call(wire::set_model_request(std::nullopt), live().options().timeouts.set_model));
}

Call<RewindResult> Session::rewind_files(std::string_view user_message_id, bool dry_run) {
  if (!live().options().file_checkpointing) {
    return Call<RewindResult>(
        refused(handle_->live, {.code = Errc::checkpointing_not_enabled,
                                .message = "This session keeps no checkpoints of files",
                                .where = std::string(wire::kRewindFiles),
                                .advice = "Set Options::file_checkpointing."}));
  }
  return Call<RewindResult>(live().call(wire::rewind_files_request(user_message_id, dry_run),
                                        live().options().timeouts.rewind_files));
}

Call<McpStatus> Session::mcp_status() {
  return Call<McpStatus>(
      live().call(wire::mcp_status_request(), live().options().timeouts.operation));
}

Call<Json> Session::call(std::string subtype, Json fields,
                         std::optional<std::chrono::milliseconds> timeout) {
  if (!fields.is_object() && !fields.is_null()) {
    return Call<Json>(refused(handle_->live, {.code = Errc::invalid_option,
                                              .message = "The fields of a request are an object",
                                              .where = std::move(subtype)}));
  }
  return Call<Json>(live().call(wire::request(subtype, fields),
                                timeout.value_or(live().options().timeouts.operation)));
}

Call<Json> Session::send_mcp(std::string server, Json message) {
  return call(std::string(wire::kMcpMessage),
              Json::object({{"server_name", std::move(server)}, {"message", std::move(message)}}));
}

EndStage Session::close() {
  if (!handle_->host.is_this_one()) return EndStage::alive;
  return live().close(live().ladder(), true);
}

const std::string& Session::id() const {
  return live().connection().session_id;
}
SessionState Session::state() const {
  return live().state();
}
const ServerInfo& Session::server_info() const {
  return live().server_info();
}
std::optional<int> Session::pid() const {
  LiveSession::Lock lock(live());  // a user's transport is asked one thing at a time
  return live().connection().transport->pid();
}
std::string Session::cli_path() const {
  return live().connection().command.program;
}
Counts Session::counts() const {
  return live().counts();
}
Stream<Message> Session::messages() {
  return Stream<Message>(live().open_messages());
}
Stream<SessionEvent> Session::events() {
  return Stream<SessionEvent>(live().open_events());
}
Stream<MessageOrEvent> Session::subscribe() {
  return Stream<MessageOrEvent>(live().open_everything());
}

// ---- Mailboxes ---------------------------------------------------------------------------------

namespace {

void wait_for_item(LiveSession::Lock& lock, const std::shared_ptr<Mailbox>& box, TimePoint until) {
  box->session().wait(lock, [&] { return box->has_item() || box->closed(); }, until);
}

[[gnu::hot]] void next_message(const std::shared_ptr<Mailbox>& box, TimePoint until,
                               std::optional<Message>& into) {
  into.reset();
  LiveSession::Lock lock(box->session());
  box->take_message(into);
  if (into || box->closed()) return;
  // Two threads may wait for one turn: the first has his hands out, the other looks into the box.
  bool first = box->hands == nullptr;
  if (first) box->hands = &into;
  box->session().wait(lock, [&] { return into || box->has_item() || box->closed(); }, until);
  if (first) box->hands = nullptr;
  if (!into) box->take_message(into);
}

TimePoint after(std::chrono::milliseconds limit) {
  return core::after(Clock::now(), limit);
}

void drop(const std::shared_ptr<Mailbox>& turn) {
  if (!turn || !turn->session().is_of_this_process()) return;
  LiveSession::Lock lock(turn->session());
  turn->session().drop_turn(*turn);
}

// What a stream of Items makes of an item of a mailbox.
template <class Item>
std::optional<Item> as(std::optional<MessageOrEvent> item) {
  if (!item) return std::nullopt;
  if constexpr (std::same_as<Item, MessageOrEvent>) {
    return item;
  } else {
    return std::move(std::get<Item>(*item));
  }
}

template <class Item>
std::optional<Item> next_item(const std::shared_ptr<Mailbox>& box, TimePoint until) {
  if (!box) return std::nullopt;  // moved from, here and below
  if constexpr (std::same_as<Item, Message>) {
    std::optional<Message> message;
    next_message(box, until, message);
    return message;
  } else {
    LiveSession::Lock lock(box->session());
    wait_for_item(lock, box, until);
    return as<Item>(box->take());
  }
}

template <class Item>
void take_later(const std::shared_ptr<Mailbox>& box, std::function<void(std::optional<Item>)> fn) {
  if (!box) return quietly([&] { fn(std::nullopt); });
  LiveSession::Lock lock(box->session());
  box->next_waiters.push_back(
      [fn = std::move(fn)](std::optional<MessageOrEvent> item) { fn(as<Item>(std::move(item))); });
  box->session().want_service();
  box->session().serve_mailbox(box);
}

template <class Item>
void call_for_each(const std::shared_ptr<Mailbox>& box, std::function<void(const Item&)> fn) {
  if (!box) return;
  Mailbox::OnItem call = [fn = std::move(fn)](const MessageOrEvent& item) {
    if constexpr (std::same_as<Item, MessageOrEvent>) {
      fn(item);
    } else {
      fn(std::get<Item>(item));
    }
  };
  auto other = std::make_shared<const Mailbox::OnItem>(std::move(call));
  LiveSession::Lock lock(box->session());
  box->on_item.swap(other);  // the one before goes after the lock
  box->session().want_service();
  box->session().serve_mailbox(box);
}

Result<TurnResult> result_of_moved() {
  return std::unexpected(Error{.code = Errc::cancelled,
                               .message = "This Turn was moved from: another one has the result",
                               .where = "Turn"});
}

Result<TurnResult> result_of(const Mailbox& box) {
  if (box.overflow()) return std::unexpected(*box.overflow());
  if (box.ended->error) return std::unexpected(*box.ended->error);
  return TurnResult{*box.ended->result, box.ended->folded, box.ended->cost_usd};
}

}  // namespace

template <class Item>
std::optional<Item> Stream<Item>::next() {
  return next_item<Item>(mailbox_, TimePoint::max());
}
template <class Item>
std::optional<Item> Stream<Item>::next(std::chrono::milliseconds limit) {
  return next_item<Item>(mailbox_, after(limit));
}
template <class Item>
void Stream<Item>::next_into(std::optional<Item>& item) {
  item = next();
}
template <class Item>
void Stream<Item>::next_later(std::function<void(std::optional<Item>)> fn) {
  take_later<Item>(mailbox_, std::move(fn));
}
template <class Item>
void Stream<Item>::on_item(std::function<void(const Item&)> fn) {
  call_for_each<Item>(mailbox_, std::move(fn));
}
template <class Item>
std::optional<Error> Stream<Item>::error() const {
  if (!mailbox_) return std::nullopt;
  LiveSession::Lock lock(mailbox_->session());
  return mailbox_->overflow();
}
template class Stream<Message>;
template class Stream<SessionEvent>;
template class Stream<MessageOrEvent>;

// ---- Turn --------------------------------------------------------------------------------------

Turn& Turn::operator=(Turn&& other) noexcept {
  if (this != &other) drop(std::exchange(mailbox_, std::move(other.mailbox_)));
  return *this;
}

Turn::~Turn() {
  drop(mailbox_);
}

std::optional<Message> Turn::next() {
  return next_item<Message>(mailbox_, TimePoint::max());
}

std::optional<Message> Turn::next(std::chrono::milliseconds limit) {
  return next_item<Message>(mailbox_, after(limit));
}

[[gnu::hot]] void Turn::next_into(std::optional<Message>& message) {
  if (!mailbox_) return message.reset();
  next_message(mailbox_, TimePoint::max(), message);
}

bool Turn::done() const {
  if (!mailbox_) return true;
  LiveSession::Lock lock(mailbox_->session());
  return mailbox_->over();
}

void Turn::next_later(std::function<void(std::optional<Message>)> fn) {
  take_later<Message>(mailbox_, std::move(fn));
}

void Turn::on_message(std::function<void(const Message&)> fn) {
  call_for_each<Message>(mailbox_, std::move(fn));
}

Result<TurnResult> Turn::result() {
  if (!mailbox_) return result_of_moved();
  LiveSession::Lock lock(mailbox_->session());
  mailbox_->session().wait(lock, [&] {
    // What nobody takes is passed over; on_message() takes what it is there for.
    while (mailbox_->has_item() && !mailbox_->on_item) mailbox_->take();
    return mailbox_->closed();
  });
  return result_of(*mailbox_);
}

void Turn::then(std::function<void(Result<TurnResult>)> fn) {
  if (!mailbox_) return quietly([&] { fn(result_of_moved()); });
  LiveSession::Lock lock(mailbox_->session());
  mailbox_->on_end.push_back([fn = std::move(fn)](const Mailbox& box) { fn(result_of(box)); });
  mailbox_->session().want_service();
  mailbox_->session().serve_mailbox(mailbox_);
}

std::string_view Turn::uuid() const {
  return mailbox_ ? std::string_view(mailbox_->uuid) : std::string_view();
}

bool TurnResult::interrupted() const {
  return message.terminal_reason.value_or({}).starts_with("aborted");
}

std::optional<Error> TurnResult::error() const {
  if (ok()) return std::nullopt;
  Error error{.code = interrupted() ? Errc::cancelled : Errc::turn_failed,
              .message = interrupted() ? "The turn was interrupted" : "The turn ended in an error",
              .where = std::string(message.subtype)};
  error.cli_text = message.result.value_or({});
  for (std::string_view text : message.errors) {
    if (!error.cli_text.empty()) error.cli_text += '\n';
    error.cli_text += text;
  }
  return error;
}

// ---- Call --------------------------------------------------------------------------------------

namespace {

template <class T>
Result<T> value_of(const Result<core::Answer>& answer) {
  if (!answer) return std::unexpected(answer.error());
  if constexpr (std::same_as<T, Json>) {
    const std::string_view text = answer->payload.text();
    if (text.empty()) return Json();
    return json::parse_padded(text, {text, answer->tokens});
  } else {
    return wire::decode_answer<T>(answer->payload, {answer->keep, answer->tokens});
  }
}

}  // namespace

template <class T>
Result<T> Call<T>::get() {
  LiveSession::Lock lock(*state_->session);
  state_->session->wait(lock, [&] { return state_->answer.has_value(); });
  return value_of<T>(*state_->answer);
}

template <class T>
Result<T> Call<T>::get(std::chrono::milliseconds limit) {
  LiveSession::Lock lock(*state_->session);
  if (state_->session->wait(lock, [&] { return state_->answer.has_value(); }, after(limit))) {
    return value_of<T>(*state_->answer);
  }
  return std::unexpected(Error{
      .code = Errc::timeout,
      .message = "No answer within " + std::to_string(limit.count()) + " ms; the operation goes on",
      .where = "Call::get",
      .advice = "Ask again with get(), or be called with then(); Options::timeouts end it."});
}

template <class T>
bool Call<T>::ready() const {
  LiveSession::Lock lock(*state_->session);
  return state_->session->wait(lock, [&] { return state_->answer.has_value(); }, Clock::now());
}

template <class T>
void Call<T>::then(std::function<void(Result<T>)> fn) {
  LiveSession::Lock lock(*state_->session);
  auto go_on = [fn = std::move(fn), state = state_] { fn(value_of<T>(*state->answer)); };
  if (state_->answer) return state_->session->execute_later(std::move(go_on));
  state_->on_answer.push_back(std::move(go_on));
  state_->session->want_service();
}

template class Call<InterruptReceipt>;
template class Call<PermissionModeSet>;
template class Call<ModelSet>;
template class Call<RewindResult>;
template class Call<McpStatus>;
template class Call<Json>;

std::string_view to_string(SessionState state) {
  switch (state) {
    case SessionState::starting:
      return "starting";
    case SessionState::initializing:
      return "initializing";
    case SessionState::running:
      return "running";
    case SessionState::stopped:
      return "stopped";
    case SessionState::failed:
      return "failed";
  }
  return {};
}

}  // namespace claude
