// A session at work: joins the engine, the pipe and user code.
//
// The thread that waits reads: whoever blocks here polls and reads for himself, with one poll and
// one read a message at most. While nobody waits, the runtime's loop reads in his place, but only
// for sessions that need it (they have callbacks, or somebody to call), and only after a lease, so
// that a loop over messages is not handed to and fro. There is one reader at a time; other waiting
// threads sleep until he leaves.
//
// Everything is guarded by one mutex. User code never runs under it, but for the log and the
// observer, which only watch: what has to be called is put into `later_` and run when the lock is
// given back.
#pragma once

#include <claude/session.h>

#include "base/hot.h"
#include "base/id_table.h"
#include "core/engine.h"
#include "io/fd.h"
#include "io/host_process.h"
#include "io/ladder.h"
#include "io/poller.h"
#include "session/loop.h"
#include "session/pool.h"
#include "session/threads.h"

#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace claude {

class CallState;
class GuardedTransport;
class Mailbox;

// What a callback is called in the log and by the observer.
struct CallbackName {
  std::string_view kind;
  std::string_view of;
  std::string text() const;
};

// What the user is told of the end.
SessionEvent event_of(const core::SessionEnded& ended);

class LiveSession : public Served,
                    public Afterwards,
                    public std::enable_shared_from_this<LiveSession> {
 public:
  struct Later {  // one of the three
    std::function<void()> here = {};
    Runtime::Pool::Work on_pool = {};
    std::shared_ptr<Mailbox> let_go = {};
    bool is_for_pool() const { return static_cast<bool>(on_pool); }
  };
  // An ask that user code was called for.
  struct Asking {
    core::AskId ask;
    CallbackName name;
    TimePoint since;             // where anybody wants to know
    bool written_later = false;  // by after_work()
  };

  // Holds the mutex; gives it back, then runs what has to run outside it.
  class Lock {
   public:
    explicit Lock(LiveSession& session) : session_(session) { session_.mutex_.lock(); }
    [[gnu::hot]] ~Lock();
    Lock(const Lock&) = delete;
    void acquire() {
      session_.mutex_.lock();
      held_ = true;
    }
    [[gnu::hot]] void release();

   private:
    friend class LiveSession;
    CLAUDE_EACH_ASK void release_and_run();
    LiveSession& session_;
    // Made where there is something to run, which is seldom. Its memory goes to and fro with that
    // of `later_`.
    std::optional<std::vector<Later>> running_;
    bool held_ = true;
  };

  struct Connection {
    Command command;
    std::unique_ptr<Transport> transport;
    std::string session_id;
    const GuardedTransport* own = nullptr;  // this transport, if it is the user's
    std::optional<io::Wake> wake = {};      // ends the wait of the thread that reads
    io::Fd write_copy = {};                 // where the transport has one descriptor for both ways
    bool one_way = false;                   // the CLI has its prompt, and hears nothing
  };
  LiveSession(Options options, std::shared_ptr<Runtime> runtime, Connection connection,
              core::Setup setup);
  ~LiveSession() override;

  // Sends initialize, unless it is one-way. Then the session has to be closed before it may go.
  void begin();

  // ---- Waiting ----
  // Until `done`; false when the time was over before. The thread reads, if nobody else does, and
  // be it only what is there.
  template <class Done>
  [[gnu::hot]] bool wait(Lock& lock, Done done, TimePoint until = TimePoint::max());

  // ---- Operations ----
  std::shared_ptr<CallState> call(wire::Request request, std::chrono::milliseconds timeout);
  std::shared_ptr<Mailbox> send(const Prompt& prompt);
  // Of the prompt on the command line.
  std::shared_ptr<Mailbox> open_told();
  std::shared_ptr<Mailbox> open_messages();
  std::shared_ptr<Mailbox> open_events();
  std::shared_ptr<Mailbox> open_everything();
  // What a callback answers, or why it has none. Nothing when the ask is no longer open.
  void answer(const Asking& asking, std::string_view payload) {
    settle(asking, payload, Outcome::answered);
  }
  void answer_failed(const Asking& asking, std::string_view why) {
    settle(asking, why, Outcome::failed);
  }
  void after_work() override;
  // One that keeps a line of so many bytes until it has ended.
  void callback_begins(std::size_t line_bytes) {
    ++callbacks_;
    callback_bytes_ += line_bytes;
  }
  void callback_ended(std::size_t line_bytes) {
    --callbacks_;
    callback_bytes_ -= line_bytes;
  }
  [[gnu::cold]] void log(LogLevel level, std::string_view text);  // under the lock

  // Runs the ending ladder. `wait`: until the CLI is gone.
  EndStage close(io::Ladder ladder, bool wait);
  // As the options have it; but one that never ran has no conversation to bring to an end.
  io::Ladder ladder() const;
  bool has_run() const { return engine_.has_run(); }
  // Not of one that fork() has copied: there it is not known who holds the lock.
  bool is_of_this_process() const { return host_.is_this_one(); }
  bool has_open_turns();

  // ---- Deliveries, under the lock ----
  // What has happened, without reading further lines.
  [[gnu::hot]] void dispatch_queued(Lock& lock);
  // Something can be called for this mailbox now: see that it is.
  [[gnu::hot]] void serve_mailbox(const std::shared_ptr<Mailbox>& mailbox);
  void drop_turn(Mailbox& turn);
  // Its on_item will not be called again: it goes, with all that it owns, outside the lock.
  void let_go(Mailbox& mailbox);
  // Its stream may be dropped meanwhile: what the user left in it goes outside the lock as well.
  void let_go(std::shared_ptr<Mailbox> box) { later_.push_back({.let_go = std::move(box)}); }
  void run_later(std::function<void()> work) { later_.push_back({.here = std::move(work)}); }
  // The same, on Options::executor.
  void execute_later(std::function<void()> work);
  // There, now. Not under the lock.
  void execute(std::function<void()> work);
  // What it throws is logged and goes no further. Not under the lock.
  void run_guarded(const std::function<void()>& continuation);
  // Somebody will be called when something arrives: the loop has to read from now on.
  void want_service();
  void end_service() { --continuations_; }

  // ---- What is known ----
  SessionState state() const { return state_.load(std::memory_order_acquire); }
  const Options& options() const { return options_; }
  // Whether anybody wants to know how long things take.
  bool is_watched() const { return options_.log || options_.observer; }
  const Connection& connection() const { return connection_; }
  Runtime& runtime() const { return *runtime_; }
  const ServerInfo& server_info() const { return server_info_; }
  std::optional<core::SessionEnded>& ended() { return ended_; }
  Counts counts();
  // What the CLI has written to stderr so far, its end at least.
  std::string stderr_tail();

  // ---- Served ----
  void on_readable() override;
  void on_writable() override;
  void on_errors() override;
  void on_exit() override;
  void on_time() override;

 private:
  enum class Watch : std::uint8_t { parked, watching, armed };
  enum class Outcome : std::uint8_t { answered, failed };

  std::shared_ptr<Mailbox> open_among(std::vector<std::weak_ptr<Mailbox>>& boxes);

  // Reading. All under the lock.
  template <class Done>
  [[gnu::hot]] bool pump(Lock& lock, Done done);  // whether anything happened
  [[gnu::hot]] void poll_once(Lock& lock, TimePoint until);
  [[gnu::hot]] bool may_be_answered();
  [[gnu::hot]] IoResult read_some();
  [[gnu::cold]] IoResult read_unwanted();
  [[gnu::hot]] std::size_t read_pipe();  // how much; 0: no more for now
  [[gnu::hot]] void read_before_deadlines();
  void read_errors();
  [[gnu::cold]] void keep_untold(std::string_view text);
  void tell_stderr();  // not under the lock
  [[gnu::cold]] void expect_exit(std::string_view what);
  [[gnu::cold]] void check_exit();
  [[gnu::cold]] void plan_next_look();
  static bool is_over(TimePoint due) { return due != TimePoint::max() && due <= Clock::now(); }
  bool exit_is_overdue() const { return is_over(exit_expected_); }
  bool look_is_due() const { return is_over(next_look_); }
  // One thread at a time writes; what comes meanwhile it writes as well.
  void flush() {
    if (!writing_ && !engine_.output().empty()) write_output();
  }
  CLAUDE_EACH_ASK void write_output();
  CLAUDE_EACH_ASK IoResult write_some();
  [[gnu::cold]] void see_to_output();
  void kick();
  [[gnu::hot]] void left();
  void wake_sleepers() {
    if (sleepers_ > 0) changed_.notify_all();
  }
  // To wait on: a poller takes each descriptor once.
  int write_fd() const {
    const io::Fd& copy = connection_.write_copy;
    return copy ? copy.get() : connection_.transport->write_fd();
  }
  void see_to_deadlines();
  void look_at(TimePoint time);  // the loop, then
  [[gnu::cold]] TimePoint try_to_read();
  void serve_from_loop(Lock& lock);
  void serve_exit(Lock& lock);
  bool needs_service() const { return continuations_ > 0 || ending_started_ || has_callbacks_; }
  bool output_waits() { return !engine_.output().empty() && !write_closed_ && !writing_; }

  // Events.
  [[gnu::hot]] void dispatch(Lock& lock, core::Event& event);
  CLAUDE_EACH_ASK [[gnu::noinline]] void dispatch_other(Lock& lock, core::Event& event);
  [[gnu::hot]] void deliver(core::MessageArrived& arrived);
  [[gnu::noinline]] void deliver_copies(const Message& message);
  [[gnu::hot, gnu::noinline]] void make_calls(const std::shared_ptr<Mailbox>& mailbox);
  void on_turn_ended(core::TurnEnded ended);
  [[gnu::cold]] void on_result_lost();
  void on_call_ended(core::CallEnded ended);
  CLAUDE_EACH_ASK void on_asked(Lock& lock, core::Asked& asked);
  CLAUDE_EACH_ASK bool may_call_back(const core::Asked& asked, bool here) const;
  CLAUDE_EACH_ASK CancelSource take_cancel_source();
  CLAUDE_EACH_ASK void settle(const Asking& asking, std::string_view text, Outcome outcome);
  [[gnu::cold]] void on_session_ended(core::SessionEnded ended);
  [[gnu::cold]] void diagnose(const core::Diagnostic& diagnostic);
  [[gnu::cold]] void tell_watchers(const Asking& asking, Outcome outcome);
  // To its on_item, or not; not under the lock.
  class Delivery;
  void hand_out(const std::shared_ptr<Mailbox>& box);
  void see_to_end(const std::shared_ptr<Mailbox>& box);
  template <class F>
  void observe(F tell);
  [[gnu::cold]] void start_ending(io::Ladder ladder);
  [[gnu::cold]] void climb();

  const Options options_;
  const std::shared_ptr<Runtime> runtime_;
  Runtime::Loop& loop_;
  Runtime::Loop::Id loop_id_ = 0;
  std::atomic<SessionState> state_{SessionState::starting};

  Mutex mutex_;  // guards what follows
  Condition changed_;
  Connection connection_;
  core::Engine engine_;
  std::vector<Later> later_;

  static Thread::id nobody() { return {}; }
  Thread::id reader_;  // who reads now
  const io::HostProcess host_;
  io::FewPoller poller_;  // the reader's; also without the lock
  std::size_t waiters_ = 0;
  std::size_t sleepers_ = 0;  // of these, those who wait for the reader to leave
  std::size_t continuations_ = 0;
  const bool has_callbacks_;  // by the options, which are too large to ask for each message
  Watch watch_ = Watch::parked;
  TimePoint left_at_;
  TimePoint loop_timer_ = TimePoint::max();  // of look_at()

  base::IdTable<std::shared_ptr<Mailbox>> turns_;
  base::IdTable<std::shared_ptr<CallState>> calls_;
  base::IdTable<CancelSource> asks_;
  // Memory that the thread which reads takes for an ask, and a thread of the pool would give back,
  // which malloc makes dear. So the first is used again, and the second, if it is small, goes with
  // the next ask for the pool.
  std::optional<CancelSource> spare_cancel_;
  Keep asked_line_;
  // Of streams: they live as long as somebody holds the stream.
  std::weak_ptr<Mailbox> messages_;
  std::vector<std::weak_ptr<Mailbox>> event_boxes_;
  std::vector<std::weak_ptr<Mailbox>> everything_boxes_;

  std::string stderr_tail_;
  std::string stderr_untold_;  // what on_stderr has not seen yet
  bool telling_stderr_ = false;
  bool read_closed_ = false;
  bool write_closed_ = false;
  bool errors_closed_ = false;
  bool writing_ = false;  // some thread, maybe without the lock
  bool close_when_written_ = false;
  std::string written_;  // what it writes
  Thread::id wrote_by_;  // since the last look
  bool answered_at_once_ = false;
  unsigned writes_ = 0;
  std::optional<Exit> exit_;
  TimePoint read_for_ = TimePoint::max();  // the deadline before which was read
  TimePoint exit_expected_ = TimePoint::max();
  TimePoint next_look_ = TimePoint::max();  // whether it has, though no descriptor tells
  std::chrono::milliseconds ask_pause_{};   // until then
  std::string_view closed_pipe_;            // why it is expected
  io::Ending ending_;
  bool ending_started_ = false;
  bool gone_ = false;
  ServerInfo server_info_;
  std::optional<core::SessionEnded> ended_;
  // At work, or waiting for a thread of the pool. Not all of their asks need be open any more.
  std::atomic<std::size_t> callbacks_ = 0;
  std::atomic<std::size_t> callback_bytes_ = 0;  // of their lines
};

// ---- Waiting -----------------------------------------------------------------------------------

template <class Done>
bool LiveSession::wait(Lock& lock, Done done, TimePoint until) {
  auto self = this_thread::get_id();
  bool looked = false;  // once at least, however little time there is
  ++waiters_;
  while (!done()) {
    const TimePoint now = until == TimePoint::max() ? TimePoint::min() : Clock::now();
    const bool late = now >= until;
    // An inline callback may wait for its own session: then this thread is the reader already.
    if (reader_ != nobody() && reader_ != self) {
      if (late) break;
      std::unique_lock borrowed(mutex_, std::adopt_lock);
      ++sleepers_;
      if (until == TimePoint::max()) {
        changed_.wait(borrowed);
      } else {
        changed_.wait_until(borrowed, until);
      }
      --sleepers_;
      borrowed.release();
      continue;
    }
    auto outer = std::exchange(reader_, self);
    // What was read may be what another thread waits for.
    if (pump(lock, done)) wake_sleepers();
    const bool looks = !done() && !(late && looked);
    if (looks) poll_once(lock, std::max(until, now));
    looked = true;
    reader_ = outer;
    if (!looks) break;
  }
  // Who learns that the session has ended finds all of it ended.
  if (engine_.ended()) dispatch_queued(lock);
  --waiters_;
  if (reader_ == nobody()) {
    if (waiters_ > 0) {
      wake_sleepers();
    } else {
      left();
    }
  }
  return done();
}

template <class Done>
bool LiveSession::pump(Lock& lock, Done done) {
  core::Event event;
  bool any = false;
  if (engine_.pending_calls() > 0 || engine_.open_asks() > 0) read_before_deadlines();
  while (!done() && engine_.next(event, &Clock::now)) {
    any = true;
    dispatch(lock, event);
  }
  return any;
}

}  // namespace claude
