// What happened in a world, and which law it broke.
//
// Three tell it: the CLI, what it has said as a whole line; the transport, what the session has
// written; the users, what they were given. It shares no state with the session itself. Some laws
// are held at each step, the others whenever nothing can run: then nobody may wait for what is
// there, and nothing may be overdue.
#pragma once

#include <claude/message.h>
#include <claude/observer.h>

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "pipe.h"
#include "world.h"

namespace claude::simulation {

struct TurnRecord {
  std::string uuid;
  bool refused = false;    // the prompt, by the session
  bool on_wire = false;    // it has been written
  int said = 0;            // messages of it, the result included
  bool over = false;       // its result has been said, or that it was cancelled
  bool lost = false;       // nobody can read that result
  int got = 0;             // messages that its consumer has
  bool shared = false;     // by two threads: which of them has a message first is open
  bool ended = false;      // its consumer knows
  int told = 0;            // how often its continuation was
  int taken = 0;           // messages that anybody has
  bool all_goes = false;   // to somebody: its consumer took all, or has left it
  bool passed_on = false;  // all of it, to messages(), by a consumer who has left it
};

struct CallRecord {
  int number = 0;
  TimePoint due = {};
  bool answered = false;
  bool refused = false;
  bool is_interrupt = false;  // the CLI cannot tell one from another: any answer may be its own
  int ends = 0;               // of its continuation
};

// What a hook has for its answer.
constexpr std::chrono::seconds kHookTimeout{3};

// Where the answers to all interrupts are noted.
constexpr int kInterrupts = -1;

// In the place of the prompt, for messages of none.
constexpr const char* kBackground = "background";

// Odd: nobody's, so it is answered for before the next line. Left: without an answer, as is a
// dialog, which is for somebody else, and all that is asked where no answer goes through.
enum class AskKind : std::uint8_t { hook, permission, mcp, question, odd, left };
struct AskRecord {
  AskKind kind = AskKind::hook;
  TimePoint said_at = TimePoint::max();
  TimePoint due = TimePoint::max();  // since the session knows of it
  int asked = 1;  // how often with this id: one that comes after the answer is a new one
  bool withdrawn = false;
  bool withdrawal_read = false;  // the session knows of it, and had not answered
  bool cancel_told = false;      // its callback was
  int begun = 0;                 // callbacks
  bool decided = false;          // the callback has done what it will do
  bool allowed = false;
  int answers = 0;
};

class Laws : public Observer {
 public:
  explicit Laws(World& world) : world_(world) {}

  // ---- What there is ----
  TurnRecord& turn(std::string_view uuid);
  // The first that was sent; one without a name as long as there is none.
  TurnRecord& first_turn() { return first_prompt_.empty() ? unsent_ : turn(first_prompt_); }
  CallRecord& call(int number) { return calls_[number]; }
  AskRecord& ask(const std::string& id) { return asks_[id]; }

  // ---- The session as the world knows it ----
  std::size_t open_asks_limit = 0;
  std::size_t pending_calls_limit = 0;
  std::optional<std::chrono::milliseconds> permission_timeout;
  std::size_t pool_threads = 0;
  bool mailboxes_overflow = false;       // as small as they are
  const Pipe* input = nullptr;           // of the CLI
  TimePoint dead_at = TimePoint::max();  // the CLI, or it is to be given up
  bool has_exited = false;               // the CLI, and the session may know
  bool pipe_broken = false;              // by the CLI: it may be given up while it still talks
  bool is_served = false;                // it has callbacks, so it is always read
  bool closing = false;                  // by us
  bool ended = false;                    // its state says so
  bool exit_known = false;               // to it, of the CLI
  bool transport_freed = false;
  std::size_t sleeping = 0;                             // in user code
  Duration slept{};                                     // there, in all
  std::size_t callbacks() const { return callbacks_; }  // at work
  bool is_dead() const { return dead_at <= world_.now(); }

  // ---- What they tell ----
  void session_wrote(std::string_view bytes);
  void user_got(TurnRecord& turn, const Message& message);
  // By whoever has it for good, which a subscriber has not.
  void took(const Message& message);
  // From now on somebody takes all that messages() has, until its end or an overflow.
  void collecting_begins() { collecting_ = true; }
  void collecting_failed() { collecting_ = false; }
  bool is_collecting() const { return collecting_; }
  // What a consumer has left is for messages() to give out.
  bool owes_collector() const;
  void turn_ended(TurnRecord& turn, const Error* error);
  void call_ended(CallRecord& call, const Error* error);
  void user_code_begins();
  // Something that a callback owned goes: that is user code as well.
  void belonging_goes();

  bool in_callback() { return callbacks_of_thread_[world_.self()] > 0; }
  // A callback is at work, on the running thread.
  class Callback {
   public:
    explicit Callback(Laws& laws);
    ~Callback();

   private:
    Laws& laws_;
    int thread_;
  };

  // Somebody waits, or is to be called: when it is due, it has to happen before the world idles,
  // unless he is in a callback himself, or no thread of the pool is free.
  struct Owed {
    std::string what;
    std::function<bool()> due;
    int thread;     // who waits; 0: somebody is to be called
    int callbacks;  // of which he was in that many when he began
  };
  using Debt = std::list<Owed>::iterator;
  Debt waits(std::string what, std::function<bool()> due);
  Debt is_to_be_called(std::string what, std::function<bool()> due);
  void paid(Debt debt) { owed_.erase(debt); }

  void check_idle(Duration jump);
  void check_end();

  // ---- Observer ----
  void on_line(Direction direction, std::string_view line, TimePoint) override;
  void on_state(SessionState, SessionState to, TimePoint) override;
  void on_diagnostic(std::string_view kind, std::string_view detail) override;

 private:
  void session_wrote_line(std::string_view line);
  void answered(std::string_view line);
  void heard_message(std::string_view line);
  void heard_request(const std::string& id);
  void check_lost() const;
  void forget_call(std::string_view subtype);
  bool can_happen(const Owed& owed) const;
  bool pool_is_free() const { return callbacks_ == 0 || callbacks_ < pool_threads; }
  bool is_running() const { return !closing && !ended && !is_dead(); }

  World& world_;
  std::map<std::string, TurnRecord, std::less<>> turns_;
  std::string first_prompt_;
  TurnRecord unsent_;
  std::map<int, CallRecord> calls_;
  std::map<std::string, AskRecord> asks_;
  std::list<Owed> owed_;
  // By their numbers in the whole session, to their prompts.
  bool collecting_ = false;
  std::map<std::size_t, std::string> untaken_;  // of those that came since
  std::set<std::size_t> taken_;
  std::size_t callbacks_ = 0;  // at work
  std::map<int, int> callbacks_of_thread_;
  std::string written_;  // of a line that is not whole yet
  // By their ids, as the tap sees them open.
  std::set<std::string> tapped_asks_;
  std::string tapped_odd_;                           // the ask to be answered for at once; "": none
  std::map<std::string, std::string> tapped_calls_;  // to what was asked
};

// What each message has in its text: "mark:u3#2@17" is the second of the turn u3 and the 17th of
// the session.
struct Mark {
  std::string_view prompt;
  int in_turn = 0;
  std::size_t number = 0;  // 0: there is none
};
Mark mark_in(std::string_view line);

// The text of a member of a line, as our own lines and those of the session have it.
std::string_view member(std::string_view line, std::string_view name);

}  // namespace claude::simulation
