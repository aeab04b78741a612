// Reading, writing and ending: which thread does it, and when.
#include "session/live.h"

#include "session/access.h"
#include "session/child_transport.h"
#include "session/guarded_transport.h"
#include "session/quietly.h"

#include <algorithm>

namespace claude {
namespace {

// What is written at a time without the lock, and copied for that.
constexpr std::size_t kWrittenApartBytes = std::size_t{64} << 10;
// What a pipe holds at most.
constexpr std::size_t kReadBeforeDeadlineBytes = std::size_t{1} << 20;
// What the loop reads at a time where no descriptor tells of more.
constexpr std::size_t kReadUnwatchedBytes = std::size_t{1} << 20;

}  // namespace

// ---- Reading -----------------------------------------------------------------------------------

void LiveSession::poll_once(Lock& lock, TimePoint until) {
  flush();
  if (later_.empty() && may_be_answered()) {
    answered_at_once_ = read_pipe() > 0;
    if (answered_at_once_) return;
  }
  // What runs on this thread when the lock is given back may change what to wait for, or be it.
  // And reading or writing may have found that the CLI is gone.
  if (!later_.empty() || (engine_.peer_has_ended() && !engine_.ended())) {
    lock.release();
    lock.acquire();
    return;
  }
  Transport& transport = *connection_.transport;
  // The loop reads the errors too. But its thread may be this one, or be in a callback that waits,
  // and a CLI that has written a pipe full of them says no more.
  const bool writes = output_waits();
  std::array<io::PollItem, 5> items{{
      {.fd = read_closed_ ? -1 : transport.read_fd()},
      {.fd = connection_.wake->fd()},
      {.fd = exit_ ? -1 : transport.exit_fd()},
      {.fd = writes ? write_fd() : -1, .interest = io::Interest::write},
      {.fd = errors_closed_ ? -1 : transport.error_fd()},
  }};
  TimePoint next = std::min({until, engine_.next_deadline(), next_look_});
  if (items[0].fd < 0 && !read_closed_) next = std::min(next, try_to_read());
  if (items[3].fd < 0 && writes) next = std::min(next, Clock::now() + kAskAgain);
  const TimePoint now = next == TimePoint::max() ? TimePoint() : Clock::now();
  poller_.watch(items);  // under the lock: nobody closes one of them now
  lock.release();
  poller_.wait(items, next, now);
  lock.acquire();
  auto ready = [](const io::PollItem& item) { return item.readable || item.hangup; };
  if (ready(items[1])) connection_.wake->drain();
  if (ready(items[0])) read_pipe();
  if (ready(items[4])) read_errors();
  if (ready(items[2]) || look_is_due()) check_exit();
  if (exit_ && ending_started_) climb();
}

// Who was told something on this CPU may have taken it from us and have answered: then there is
// nothing to wait for, and a wait costs more than the read.
bool LiveSession::may_be_answered() {
  const Thread::id writer = std::exchange(wrote_by_, nobody());
  if (writer == nobody() || writer != this_thread::get_id()) return false;
  return answered_at_once_ || ++writes_ % kWritesBeforeLook == 0;
}

IoResult LiveSession::read_some() {
  if (engine_.ended()) return read_unwanted();
  IoResult result = connection_.transport->read(engine_.space());
  if (result.status == IoStatus::ok) engine_.filled(result.bytes);
  return result;
}

// Nobody wants it, but a CLI that cannot write cannot exit either.
IoResult LiveSession::read_unwanted() {
  std::array<char, 16384> scratch;
  return connection_.transport->read(scratch);
}

std::size_t LiveSession::read_pipe() {
  if (read_closed_) return 0;
  const IoResult result = read_some();
  if (result.status != IoStatus::closed) return result.bytes;
  read_closed_ = true;
  expect_exit("The CLI closed its output, but went on running");
  return 0;
}

// Where no descriptor tells when there is something. Gives when to try the next time.
TimePoint LiveSession::try_to_read() {
  const std::size_t bytes = read_pipe();
  return bytes > 0 || read_closed_ ? Clock::now() : Clock::now() + kAskAgain;
}

// What lies in the pipe may have come in time: nobody need have read it for as long as the user did
// something else. Not without end, in case the CLI floods; and once, because the deadline stays due
// until all of that has been handed out.
void LiveSession::read_before_deadlines() {
  const TimePoint due = engine_.next_deadline();
  if (due == TimePoint::max() || due > Clock::now()) return;
  if (std::exchange(read_for_, due) == due) return;
  for (std::size_t bytes = 0; bytes < kReadBeforeDeadlineBytes;) {
    const std::size_t more = read_pipe();
    if (more == 0) return;
    bytes += more;
  }
}

void LiveSession::read_errors() {
  std::array<char, 16384> chunk;
  for (int chunks = 0; chunks < kStderrChunks && !errors_closed_; ++chunks) {
    IoResult result = connection_.transport->read_errors(chunk);
    if (result.status == IoStatus::would_block) break;
    errors_closed_ = result.status == IoStatus::closed;
    std::string_view text(chunk.data(), result.bytes);
    if (options_.on_stderr) keep_untold(text);
    stderr_tail_ += text;
  }
  if (stderr_tail_.size() > kStderrTailBytes) {
    stderr_tail_.erase(0, stderr_tail_.size() - kStderrTailBytes);
  }
  if (!stderr_untold_.empty() && !std::exchange(telling_stderr_, true)) {
    run_later([self = shared_from_this()] { self->tell_stderr(); });
  }
}

// on_stderr may be waiting for this very session, and the CLI may write without end.
void LiveSession::keep_untold(std::string_view text) {
  if (!stderr_untold_.empty() &&
      stderr_untold_.size() + text.size() > options_.limits.stderr_bytes) {
    log(LogLevel::warning, "on_stderr is behind: " + std::to_string(stderr_untold_.size()) +
                               " bytes of stderr were left out");
    stderr_untold_.clear();
  }
  stderr_untold_ += text;
}

// One thread at a time, so that the text comes in its order.
void LiveSession::tell_stderr() {
  while (true) {
    std::string text;
    {
      Lock lock(*this);
      text.swap(stderr_untold_);
      if (text.empty()) {
        telling_stderr_ = false;
        return;
      }
    }
    quietly([&] { options_.on_stderr(text); });
  }
}

// A pipe of the CLI has closed. If that was all, `what` is the reason of the end.
void LiveSession::expect_exit(std::string_view what) {
  if (exit_) return;
  if (exit_expected_ == TimePoint::max()) {
    exit_expected_ = Clock::now() + kExitAfterClose;
    closed_pipe_ = what;
    ask_pause_ = kAskAgain;
  }
  check_exit();
  see_to_deadlines();
}

// Has the CLI ended? Then all that it said before is read, and the engine is told.
void LiveSession::check_exit() {
  if (exit_) return;
  Transport& transport = *connection_.transport;
  exit_ = transport.exited();
  // Where nobody watches a process, the end of the stream is the end.
  if (!exit_ && read_closed_ && transport.exit_fd() < 0 && !transport.pid()) exit_ = Exit{};
  if (!exit_ && !exit_is_overdue()) return plan_next_look();
  exit_expected_ = TimePoint::max();
  plan_next_look();
  for (std::size_t bytes = 0; !read_closed_;) {
    const IoResult result = read_some();
    bytes += result.bytes;
    read_closed_ = result.status != IoStatus::ok || bytes > kAfterExitBytes;
  }
  read_errors();
  write_closed_ = true;
  const std::string failure = connection_.own ? connection_.own->failure() : std::string();
  const std::string_view otherwise = exit_ ? std::string_view() : closed_pipe_;
  engine_.peer_ended(exit_.value_or(Exit{}), stderr_tail_, failure.empty() ? otherwise : failure);
}

// Where no descriptor tells of the exit of a process (macOS, old kernels), whoever reads asks for
// it: somebody whom the CLI leaves behind may hold its output open.
void LiveSession::plan_next_look() {
  Transport& transport = *connection_.transport;
  next_look_ = exit_expected_;
  if (exit_ || transport.exit_fd() >= 0 || !transport.pid()) return;
  next_look_ = std::min(next_look_, Clock::now() + ask_pause_);
  ask_pause_ = std::min(2 * ask_pause_, kAskSeldom);
}

// ---- Writing -----------------------------------------------------------------------------------

void LiveSession::write_output() {
  bool blocked = false;
  while (!blocked && !engine_.output().empty() && !write_closed_) {
    const IoResult result = write_some();
    engine_.written(result.bytes);
    wrote_by_ = this_thread::get_id();
    blocked = result.status == IoStatus::would_block;
    if (std::exchange(close_when_written_, false)) connection_.transport->close_input();
    if (result.status == IoStatus::closed) {
      write_closed_ = true;
      expect_exit("The CLI closed its input, but went on running");
      // Who writes need not be the one who reads; and no descriptor may tell him.
      if (exit_) loop_.set_timer(loop_id_, TimePoint::min());
    }
  }
  if (write_closed_) engine_.written(engine_.output().size());
  if (output_waits()) see_to_output();
}

// While another thread reads, without the lock: on a CPU that it shares with us the CLI runs before
// the write is over, and the reader that it wakes must not find the lock taken.
IoResult LiveSession::write_some() {
  Transport& transport = *connection_.transport;
  const bool alone = reader_ == nobody() || reader_ == this_thread::get_id();
  if (alone || !transport.writes_apart()) return transport.write(engine_.output());
  written_ = engine_.output().substr(0, kWrittenApartBytes);
  writing_ = true;
  mutex_.unlock();
  const IoResult result = transport.write(written_);
  mutex_.lock();
  writing_ = false;
  return result;
}

// What could not be written yet is the reader's to write; without one, the loop's.
void LiveSession::see_to_output() {
  if (reader_ != nobody()) return kick();
  const int fd = write_fd();
  if (fd < 0) return look_at(Clock::now() + kAskAgain);
  loop_.watch(loop_id_, Runtime::Loop::Channel::write, fd);
}

// Has the reading thread look again: for output, for a deadline, for its own condition.
void LiveSession::kick() {
  wake_sleepers();
  if (reader_ != nobody() && reader_ != this_thread::get_id()) connection_.wake->notify();
}

// ---- The loop's part ---------------------------------------------------------------------------

// The last waiting thread goes. Costs a system call only when the loop is not about to look anyway.
// That the loop watches the pipe is not enough: what this thread has read beyond what it waited for
// lies in the engine, and no descriptor tells of it.
void LiveSession::left() {
  if (output_waits()) see_to_output();
  // The end came while the thread was in a callback: what it brings is nobody's to hand out.
  if (engine_.peer_has_ended() && !ended_) loop_.set_timer(loop_id_, TimePoint::min());
  if (gone_ || !needs_service()) return;
  left_at_ = Clock::now();
  if (std::exchange(watch_, Watch::watching) == Watch::watching) return;
  loop_.set_timer(loop_id_, core::after(left_at_, RuntimeAccess::options(*runtime_).lease));
}

void LiveSession::want_service() {
  ++continuations_;
  if (reader_ != nobody()) return;
  // The loop knows neither the deadlines of begun operations nor what lies read in the engine.
  watch_ = Watch::watching;
  left_at_ = TimePoint::min();
  loop_.set_timer(loop_id_, TimePoint::min());
}

// The loop looks again when the next deadline has come.
void LiveSession::see_to_deadlines() {
  look_at(std::min(engine_.next_deadline(), next_look_));
}

void LiveSession::look_at(TimePoint time) {
  if (time >= loop_timer_) return;
  loop_timer_ = time;
  loop_.set_timer(loop_id_, time);
}

void LiveSession::serve_from_loop(Lock& lock) {
  if (reader_ != nobody() || waiters_ > 0) {
    watch_ = Watch::parked;
    return;
  }
  reader_ = this_thread::get_id();
  const int fd = connection_.transport->read_fd();
  std::size_t bytes = 0;
  std::size_t more = 0;
  do {
    bytes += more = read_pipe();
    pump(lock, [] { return false; });
  } while (fd < 0 && more > 0 && bytes < kReadUnwatchedBytes);
  if (look_is_due()) check_exit();
  pump(lock, [] { return false; });
  flush();
  reader_ = nobody();
  if (output_waits()) see_to_output();
  wake_sleepers();
  if (exit_ && ending_started_) return climb();
  if (!read_closed_) {
    watch_ = Watch::armed;
    fd < 0 ? look_at(Clock::now() + kAskAgain)
           : loop_.watch(loop_id_, Runtime::Loop::Channel::read, fd);
  }
  see_to_deadlines();
}

// Whoever reads learns of the end from the engine; without a reader the loop hands it out.
void LiveSession::serve_exit(Lock& lock) {
  check_exit();
  if (engine_.peer_has_ended() && reader_ == nobody()) {
    reader_ = this_thread::get_id();
    pump(lock, [] { return false; });
    reader_ = nobody();
  }
  if (engine_.peer_has_ended()) kick();
  if (ending_started_) climb();
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
  serve_exit(lock);
}

void LiveSession::on_time() {
  Lock lock(*this);
  if (loop_timer_ <= Clock::now()) loop_timer_ = TimePoint::max();
  serve_exit(lock);
  flush();  // there may be no descriptor that tells when there is room
  if (gone_ || watch_ == Watch::parked) return;
  if (watch_ == Watch::watching && left_at_ != TimePoint::min() && waiters_ == 0) {
    TimePoint due = core::after(left_at_, RuntimeAccess::options(*runtime_).lease);
    if (due > Clock::now()) return loop_.set_timer(loop_id_, due);
  }
  serve_from_loop(lock);
}

// ---- Ending ------------------------------------------------------------------------------------

void LiveSession::start_ending(io::Ladder ladder) {
  if (std::exchange(ending_started_, true)) return;
  ending_ = io::Ending(ladder);
  ending_.start(Clock::now());
  ask_pause_ = kAskAgain;
  watch_ = watch_ == Watch::armed ? watch_ : Watch::watching;
  left_at_ = TimePoint::min();
  loop_.set_timer(loop_id_, TimePoint::min());
}

// One look at the ladder: what is due is done. Time that passes is the loop's to watch.
void LiveSession::climb() {
  Transport& transport = *connection_.transport;
  while (!gone_) {
    check_exit();
    switch (ending_.step(Clock::now(), exit_.has_value())) {
      case io::Action::wait:
        if (auto next = ending_.next_deadline()) loop_.set_timer(loop_id_, *next);
        if (next_look_ != TimePoint::max()) see_to_deadlines();
        return;
      case io::Action::close_stdin:
        write_closed_ = true;
        close_when_written_ = writing_;
        if (!writing_ && !connection_.one_way) transport.close_input();
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
        for (int fd :
             {transport.read_fd(), transport.error_fd(), transport.exit_fd(), write_fd()}) {
          if (fd >= 0) loop_.unwatch(fd);
        }
        kick();
        loop_.remove(loop_id_);
        return;
    }
  }
}

}  // namespace claude
