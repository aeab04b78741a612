// A session's life and its operations. Its pipes are in live_io.cpp, what they bring in
// live_events.cpp.
#include "session/live.h"

#include "session/access.h"
#include "session/call_state.h"
#include "session/child_transport.h"
#include "session/ids.h"
#include "session/mailbox.h"

namespace claude {
namespace {

std::string_view to_wire(Priority priority) {
  switch (priority) {
    case Priority::now:
      return "now";
    case Priority::next:
      return "next";
    case Priority::later:
      return "later";
    default:
      return {};
  }
}

}  // namespace

// ---- The lock ----------------------------------------------------------------------------------

LiveSession::Lock::~Lock() {
  release();
}

void LiveSession::Lock::release() {
  if (!held_) return;
  held_ = false;
  if (session_.later_.empty()) return session_.mutex_.unlock();
  release_and_run();
}

void LiveSession::Lock::release_and_run() {
  if (!running_) running_.emplace();
  running_->swap(session_.later_);
  session_.mutex_.unlock();
  for (auto& [here, on_pool, let_go] : *running_) {
    if (on_pool) RuntimeAccess::pool(*session_.runtime_).run(std::move(on_pool));
    if (here) here();
  }
  running_->clear();
}

// ---- Life --------------------------------------------------------------------------------------

LiveSession::LiveSession(Options options, std::shared_ptr<Runtime> runtime, Connection connection,
                         core::Setup setup)
    : options_(std::move(options)),
      runtime_(std::move(runtime)),
      loop_(*RuntimeAccess::loop(*runtime_)),
      connection_(std::move(connection)),
      engine_(std::move(setup)),
      has_callbacks_(!connection_.one_way &&  // there nobody is asked
                     (!options_.hooks.empty() || options_.can_use_tool ||
                      options_.can_use_tool_later || options_.on_question ||
                      !options_.mcp_servers.in_process().empty())) {}

LiveSession::~LiveSession() = default;

void LiveSession::begin() {
  Lock lock(*this);
  Transport& transport = *connection_.transport;
  loop_id_ = loop_.add(shared_from_this());
  if (transport.error_fd() >= 0) {
    loop_.watch(loop_id_, Runtime::Loop::Channel::errors, transport.error_fd());
  } else {
    errors_closed_ = true;
  }
  if (transport.exit_fd() >= 0) {
    loop_.watch(loop_id_, Runtime::Loop::Channel::exit, transport.exit_fd());
  } else {
    ask_pause_ = kAskAgain;
    plan_next_look();
  }
  if (connection_.one_way) {
    transport.close_input();
    write_closed_ = true;
  }
  engine_.start(Clock::now());
  dispatch_queued(lock);
  flush();
}

io::Ladder LiveSession::ladder() const {
  return {.eof_grace = has_run() ? options_.timeouts.exit_grace : std::chrono::milliseconds(0),
          .term_grace = options_.timeouts.terminate_grace};
}

EndStage LiveSession::close(io::Ladder ladder, bool wait_for_it) {
  Lock lock(*this);
  // Before the engine stops: what that sets off would begin the normal ladder.
  start_ending(ladder);
  engine_.stop();
  dispatch_queued(lock);
  climb();
  lock.release();
  lock.acquire();
  // On the loop's own thread, and inside an inline callback, waiting would be for ourselves.
  bool can_wait = wait_for_it && !loop_.on_own_thread() && reader_ != this_thread::get_id();
  // The loop climbs too, unless its thread is in a callback that waits.
  auto next_step = [this] { return ending_.next_deadline().value_or(TimePoint::max()); };
  while (can_wait && !wait(lock, [this] { return gone_; }, next_step())) {
    climb();
    lock.release();
    lock.acquire();
  }
  switch (ending_.reached()) {
    case io::Stage::none:
    case io::Stage::eof:
      return EndStage::input_closed;
    case io::Stage::term:
      return EndStage::terminated;
    default:
      return EndStage::killed;
  }
}

bool LiveSession::has_open_turns() {
  Lock lock(*this);
  return engine_.has_open_turns();
}

// ---- Operations --------------------------------------------------------------------------------

std::shared_ptr<CallState> LiveSession::call(wire::Request request,
                                             std::chrono::milliseconds timeout) {
  auto state = std::make_shared<CallState>();
  state->session = shared_from_this();
  Lock lock(*this);
  auto call = engine_.call(std::move(request), timeout, Clock::now());
  dispatch_queued(lock);
  if (!call) {
    state->answer = std::unexpected(call.error());
    return state;
  }
  calls_.add(*call, state);
  flush();
  // Its deadline may be earlier than the one that the reader waits for.
  kick();
  return state;
}

std::shared_ptr<Mailbox> LiveSession::send(const Prompt& prompt) {
  auto mailbox = std::make_shared<Mailbox>(shared_from_this(), options_.limits.mailbox_bytes);
  mailbox->uuid = random_uuid();
  Lock lock(*this);
  auto turn = engine_.send(prompt.content, mailbox->uuid, to_wire(prompt.priority), Clock::now());
  if (!turn) {
    mailbox->ended = core::TurnEnded{.error = turn.error()};
    mailbox->close();
    return mailbox;
  }
  turns_.add(*turn, mailbox);
  flush();
  left();
  return mailbox;
}

std::shared_ptr<Mailbox> LiveSession::open_told() {
  auto mailbox = std::make_shared<Mailbox>(shared_from_this(), options_.limits.mailbox_bytes);
  Lock lock(*this);
  turns_.add(engine_.open_told(), mailbox);
  return mailbox;
}

std::shared_ptr<Mailbox> LiveSession::open_messages() {
  Lock lock(*this);
  auto box = messages_.lock();
  if (!box) {
    box = std::make_shared<Mailbox>(shared_from_this(), options_.limits.mailbox_bytes);
    messages_ = box;
    if (ended_) box->close();
  }
  return box;
}

std::shared_ptr<Mailbox> LiveSession::open_events() {
  return open_among(event_boxes_);
}

std::shared_ptr<Mailbox> LiveSession::open_everything() {
  return open_among(everything_boxes_);
}

std::shared_ptr<Mailbox> LiveSession::open_among(std::vector<std::weak_ptr<Mailbox>>& boxes) {
  Lock lock(*this);
  // Their memory stays for as long as they are known.
  std::erase_if(boxes, [](const auto& box) { return box.expired(); });
  auto box = std::make_shared<Mailbox>(shared_from_this(), options_.limits.mailbox_bytes);
  boxes.push_back(box);
  if (ended_) {
    box->put(event_of(*ended_));
    box->close();
  }
  return box;
}

std::string LiveSession::stderr_tail() {
  Lock lock(*this);
  return stderr_tail_;
}

Counts LiveSession::counts() {
  Lock lock(*this);
  return engine_.counts();
}

}  // namespace claude
