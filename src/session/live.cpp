// Reading, writing and ending. What comes of it is in live_events.cpp.
#include "session/live.h"

#include "session/access.h"
#include "session/call_state.h"
#include "session/handlers.h"
#include "session/ids.h"
#include "session/mailbox.h"
#include "session/quietly.h"

#include <algorithm>

namespace claude {
namespace {

constexpr std::size_t kStderrTailBytes = std::size_t{64} << 10;
// A CLI that has closed its output is about to exit; one that does not within this has only
// closed it, and is ended.
constexpr std::chrono::milliseconds kExitAfterEof{1'000};
// How soon to look again at an exit that the reading thread ought to have seen.
constexpr std::chrono::milliseconds kExitRecheck{20};

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

void LiveSession::Lock::release() {
  if (!held_) return;
  held_ = false;
  auto later = std::exchange(session_.later_, {});
  session_.mutex_.unlock();
  for (auto& work : later) work();
}

void LiveSession::run_later(std::function<void()> work) {
  later_.push_back(std::move(work));
}

// ---- Life --------------------------------------------------------------------------------------

LiveSession::LiveSession(Options options, std::shared_ptr<Runtime> runtime, Connection connection,
                         core::Setup setup)
    : options_(std::move(options)),
      runtime_(std::move(runtime)),
      loop_(*RuntimeAccess::loop(*runtime_)),
      connection_(std::move(connection)),
      engine_(std::move(setup)) {}

LiveSession::~LiveSession() = default;

Result<void> LiveSession::begin() {
  auto wake = io::Wake::create();
  if (!wake) return std::unexpected(wake.error());
  Lock lock(*this);
  wake_ = std::move(*wake);
  loop_id_ = loop_.add(shared_from_this());
  Transport& transport = *connection_.transport;
  if (transport.error_fd() >= 0) {
    loop_.watch(loop_id_, Runtime::Loop::Channel::errors, transport.error_fd());
  } else {
    errors_closed_ = true;
  }
  if (transport.exit_fd() >= 0) {
    loop_.watch(loop_id_, Runtime::Loop::Channel::exit, transport.exit_fd());
  }
  engine_.start(Clock::now());
  dispatch_queued(lock);
  flush();
  return {};
}

io::Ladder LiveSession::ladder() const {
  return {.eof_grace = options_.timeouts.exit_grace,
          .term_grace = options_.timeouts.terminate_grace};
}

EndStage LiveSession::close(io::Ladder ladder, bool wait_for_it) {
  Lock lock(*this);
  // Before the engine stops: what that sets off would begin the normal ladder.
  start_ending(ladder);
  engine_.stop();
  dispatch_queued(lock);
  lock.release();
  lock.acquire();
  // On the loop's own thread, and inside an inline callback, waiting would be for ourselves.
  bool can_wait = wait_for_it && !loop_.on_own_thread() && reader_ != std::this_thread::get_id();
  while (can_wait && !gone_) {
    std::unique_lock borrowed(mutex_, std::adopt_lock);
    changed_.wait(borrowed);
    borrowed.release();
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

void LiveSession::start_ending(io::Ladder ladder) {
  if (std::exchange(ending_started_, true)) return;
  ending_ = io::Ending(ladder);
  ending_.start(Clock::now());
  watch_ = watch_ == Watch::armed ? watch_ : Watch::watching;
  left_at_ = TimePoint::min();
  loop_.set_timer(loop_id_, TimePoint::min());
}

bool LiveSession::has_open_turns() {
  Lock lock(*this);
  return engine_.has_open_turns();
}

// One look at the ladder: what is due is done. On the loop's thread.
void LiveSession::climb() {
  Transport& transport = *connection_.transport;
  while (!gone_) {
    check_exit();
    switch (ending_.step(Clock::now(), exit_.has_value())) {
      case io::Action::wait:
        if (auto next = ending_.next_deadline()) loop_.set_timer(loop_id_, *next);
        return;
      case io::Action::close_stdin:
        write_closed_ = true;
        transport.close_input();
        break;
      case io::Action::terminate_group:
        transport.terminate();
        break;
      case io::Action::kill_group:
        transport.kill();
        break;
      case io::Action::reap:
      case io::Action::abandon:
        gone_ = true;
        for (int fd : {transport.read_fd(), transport.error_fd(), transport.exit_fd(),
                       transport.write_fd()}) {
          if (fd >= 0) loop_.unwatch(fd);
        }
        changed_.notify_all();
        loop_.remove(loop_id_);
        return;
    }
  }
}

// ---- Reading -----------------------------------------------------------------------------------

void LiveSession::poll_once(Lock& lock, TimePoint until) {
  flush();
  Transport& transport = *connection_.transport;
  std::array<io::PollItem, 4> items{{
      {.fd = read_closed_ ? -1 : transport.read_fd()},
      {.fd = wake_->fd()},
      {.fd = exit_ ? -1 : transport.exit_fd()},
      {.fd = output_waits() ? transport.write_fd() : -1, .interest = io::Interest::write},
  }};
  TimePoint next = std::min({until, engine_.next_deadline(), exit_expected_});
  io::Timeout timeout;
  if (next != TimePoint::max()) {
    timeout = std::max<std::chrono::nanoseconds>(next - Clock::now(), std::chrono::nanoseconds(0));
  }
  lock.release();
  io::poll_few(items, timeout);
  lock.acquire();
  auto ready = [](const io::PollItem& item) { return item.readable || item.hangup; };
  if (ready(items[1])) wake_->drain();
  if (ready(items[0])) read_pipe();
  if (ready(items[2]) || exit_expected_ <= Clock::now()) check_exit();
}

IoStatus LiveSession::read_some() {
  if (engine_.ended()) {
    // Nobody wants it, but a CLI that cannot write cannot exit either.
    std::array<char, 16384> scratch;
    return connection_.transport->read(scratch).status;
  }
  IoResult result = connection_.transport->read(engine_.space());
  if (result.status == IoStatus::ok) engine_.filled(result.bytes);
  return result.status;
}

void LiveSession::read_pipe() {
  if (read_closed_ || read_some() != IoStatus::closed) return;
  read_closed_ = true;
  exit_expected_ = Clock::now() + kExitAfterEof;
  check_exit();
}

void LiveSession::read_errors() {
  std::array<char, 16384> chunk;
  while (!errors_closed_) {
    IoResult result = connection_.transport->read_errors(chunk);
    if (result.status == IoStatus::would_block) return;
    errors_closed_ = result.status == IoStatus::closed;
    std::string_view text(chunk.data(), result.bytes);
    if (options_.on_stderr && !text.empty()) {
      run_later([this, self = shared_from_this(), copy = std::string(text)] {
        quietly([&] { options_.on_stderr(copy); });
      });
    }
    stderr_tail_ += text;
    if (stderr_tail_.size() > 2 * kStderrTailBytes) {
      stderr_tail_.erase(0, stderr_tail_.size() - kStderrTailBytes);
    }
  }
}

// Has the CLI ended? Then all that it said before is read, and the engine is told.
void LiveSession::check_exit() {
  if (exit_) return;
  Transport& transport = *connection_.transport;
  exit_ = transport.exited();
  // Where nobody watches a process, the end of the stream is the end.
  if (!exit_ && read_closed_ && transport.exit_fd() < 0 && !transport.pid()) exit_ = Exit{};
  bool overdue = exit_expected_ <= Clock::now();
  if (!exit_ && !overdue) return;
  exit_expected_ = TimePoint::max();
  while (!read_closed_) read_closed_ = read_some() != IoStatus::ok;
  read_errors();
  if (stderr_tail_.size() > kStderrTailBytes) {
    stderr_tail_.erase(0, stderr_tail_.size() - kStderrTailBytes);
  }
  write_closed_ = true;
  engine_.peer_ended(exit_.value_or(Exit{}), stderr_tail_);
}

void LiveSession::flush() {
  std::string& output = engine_.output();
  std::size_t written = 0;
  while (written < output.size() && !write_closed_) {
    IoResult result = connection_.transport->write(std::string_view(output).substr(written));
    if (result.status == IoStatus::would_block) break;
    if (result.status == IoStatus::closed) write_closed_ = true;
    written += result.bytes;
  }
  if (write_closed_) {
    output.clear();
  } else {
    output.erase(0, written);
  }
  if (!output_waits()) return;
  if (reader_ == std::thread::id()) {
    loop_.watch(loop_id_, Runtime::Loop::Channel::write, connection_.transport->write_fd());
  } else {
    kick();
  }
}

// Has the reading thread look again: for output, for a deadline, for its own condition.
void LiveSession::kick() {
  changed_.notify_all();
  if (reader_ != std::thread::id() && reader_ != std::this_thread::get_id()) wake_->notify();
}

// ---- The loop's part ---------------------------------------------------------------------------

bool LiveSession::needs_service() const {
  return continuations_ > 0 || ending_started_ || !options_.hooks.empty() ||
         options_.can_use_tool || options_.can_use_tool_later || options_.on_question ||
         !options_.mcp_servers.in_process().empty();
}

// The last waiting thread goes. Costs a system call only when the loop has stopped watching.
void LiveSession::left() {
  if (watch_ == Watch::armed || !needs_service()) return;
  left_at_ = Clock::now();
  if (std::exchange(watch_, Watch::watching) == Watch::watching) return;
  loop_.set_timer(loop_id_, left_at_ + RuntimeAccess::options(*runtime_).lease);
}

void LiveSession::want_service() {
  ++continuations_;
  if (reader_ != std::thread::id() || watch_ == Watch::armed) return;
  watch_ = Watch::watching;
  left_at_ = TimePoint::min();
  loop_.set_timer(loop_id_, TimePoint::min());
}

void LiveSession::serve_from_loop(Lock& lock) {
  if (reader_ != std::thread::id() || waiters_ > 0) {
    watch_ = Watch::parked;
    return;
  }
  reader_ = std::this_thread::get_id();
  read_pipe();
  pump(lock, [] { return false; });
  if (exit_expected_ <= Clock::now()) check_exit();
  pump(lock, [] { return false; });
  flush();
  reader_ = {};
  changed_.notify_all();
  if (exit_ && ending_started_) return climb();
  if (!read_closed_) {
    watch_ = Watch::armed;
    loop_.watch(loop_id_, Runtime::Loop::Channel::read, connection_.transport->read_fd());
  }
  TimePoint next = std::min(engine_.next_deadline(), exit_expected_);
  if (next != TimePoint::max()) loop_.set_timer(loop_id_, next);
}

void LiveSession::on_readable() {
  Lock lock(*this);
  serve_from_loop(lock);
}

void LiveSession::on_writable() {
  Lock lock(*this);
  flush();
}

void LiveSession::on_errors() {
  Lock lock(*this);
  read_errors();
  if (!errors_closed_) {
    loop_.watch(loop_id_, Runtime::Loop::Channel::errors, connection_.transport->error_fd());
  }
}

void LiveSession::on_exit() {
  Lock lock(*this);
  if (reader_ != std::thread::id()) {
    // The reading thread has seen it too; if it left in the same moment, nobody has.
    loop_.set_timer(loop_id_, Clock::now() + kExitRecheck);
    return;
  }
  check_exit();
  pump(lock, [] { return false; });
  changed_.notify_all();
  if (ending_started_) climb();
}

void LiveSession::on_time() {
  Lock lock(*this);
  if (reader_ == std::thread::id() && !exit_) {
    check_exit();
    if (exit_) {
      pump(lock, [] { return false; });
      changed_.notify_all();
    }
  }
  if (ending_started_) climb();
  if (gone_ || watch_ == Watch::parked) return;
  TimePoint due = left_at_ + RuntimeAccess::options(*runtime_).lease;
  if (watch_ == Watch::watching && left_at_ != TimePoint::min() && due > Clock::now() &&
      waiters_ == 0) {
    return loop_.set_timer(loop_id_, due);
  }
  serve_from_loop(lock);
}

// ---- Operations --------------------------------------------------------------------------------

std::shared_ptr<CallState> LiveSession::call(Json request, std::chrono::milliseconds timeout) {
  auto state = std::make_shared<CallState>();
  state->session = shared_from_this();
  Lock lock(*this);
  auto call = engine_.call(std::move(request), timeout, Clock::now());
  dispatch_queued(lock);
  if (!call) {
    state->answer = std::unexpected(call.error());
    return state;
  }
  calls_.emplace(*call, state);
  flush();
  // Its deadline may be earlier than the one that the reader waits for.
  kick();
  return state;
}

std::shared_ptr<Mailbox> LiveSession::send(const Prompt& prompt) {
  auto mailbox = std::make_shared<Mailbox>(shared_from_this(), options_.limits.mailbox_bytes);
  mailbox->uuid = random_uuid();
  Lock lock(*this);
  Result<core::TurnId> turn;
  if (engine_.output().size() > options_.limits.output_bytes) {
    turn = std::unexpected(
        Error{.code = Errc::write_failed,
              .message = "The CLI does not read: " + std::to_string(engine_.output().size()) +
                         " bytes wait to be written",
              .where = "send",
              .advice = "Wait for it, or close the session."});
  } else {
    turn = engine_.send(prompt.content, mailbox->uuid, to_wire(prompt.priority), Clock::now());
  }
  if (!turn) {
    mailbox->ended = core::TurnEnded{.error = turn.error()};
    mailbox->close();
    return mailbox;
  }
  turns_.emplace(*turn, mailbox);
  flush();
  left();
  return mailbox;
}

std::shared_ptr<Mailbox> LiveSession::open_messages() {
  Lock lock(*this);
  if (!messages_) {
    messages_ = std::make_shared<Mailbox>(shared_from_this(), options_.limits.mailbox_bytes);
    if (ended_) messages_->close();
  }
  return messages_;
}

std::shared_ptr<Mailbox> LiveSession::open_events() {
  Lock lock(*this);
  auto box = std::make_shared<Mailbox>(shared_from_this(), options_.limits.mailbox_bytes);
  event_boxes_.push_back(box);
  if (ended_) {
    box->put(event_of(*ended_));
    box->close();
  }
  return box;
}

std::shared_ptr<Mailbox> LiveSession::open_everything() {
  Lock lock(*this);
  auto box = std::make_shared<Mailbox>(shared_from_this(), options_.limits.mailbox_bytes);
  everything_boxes_.push_back(box);
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
