// A conversation with the CLI.
//
//   claude::Session session = claude::Session::start(options).value();
//   claude::Turn turn = session.send("Add 2 and 3");
//   for (const claude::Message& m : turn) render(m);     // ends with this prompt's own result
//   double cost = turn.result().value().cost_usd.value_or(0);
//
// Everything here may be called from any thread, callbacks of the session included. A Session is a
// handle: copies are the same session, and the last one to go ends it (see close()).
//
// A session belongs to the process that started it. After fork() the child may only drop its copies
// of all this, which leaves the session alone, and start sessions of its own. While it lives it
// holds the CLI's input open: a close() in the parent goes on to SIGTERM, after its grace.
#pragma once

#include <claude/call.h>
#include <claude/control.h>
#include <claude/message.h>
#include <claude/options.h>
#include <claude/transport.h>

#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace claude {

class LiveSession;  // of the library
class Mailbox;      // of the library
class Query;
struct ToldPrompt;  // of the library

// A range over what arrives: `for (const Message& m : stream)`. Single pass.
template <class Stream, class Item>
class ArrivalIterator {
 public:
  using value_type = Item;
  using difference_type = std::ptrdiff_t;
  ArrivalIterator() = default;
  explicit ArrivalIterator(Stream& stream) : stream_(&stream) { ++*this; }

  const Item& operator*() const { return *item_; }
  const Item* operator->() const { return &*item_; }
  ArrivalIterator& operator++() {
    stream_->next_into(item_);
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const ArrivalIterator& it, std::default_sentinel_t) { return !it.item_; }

 private:
  Stream* stream_ = nullptr;
  std::optional<Item> item_;
};

// How a turn ended.
struct TurnResult {
  ResultMessage message;
  bool folded = false;             // answered together with an earlier prompt, by its result
  std::optional<double> cost_usd;  // of this turn alone; the message has the total so far

  bool ok() const { return message.ok(); }
  bool interrupted() const;
  // What went wrong, when it did; the texts of the CLI in it.
  std::optional<Error> error() const;
};

// One prompt and what comes of it. Move-only; one that was moved from has ended. What it has not
// delivered when it is dropped goes to Session::messages(), as all that comes later does.
class Turn {
 public:
  explicit Turn(std::shared_ptr<Mailbox> mailbox) : mailbox_(std::move(mailbox)) {}
  Turn(Turn&&) noexcept = default;
  Turn& operator=(Turn&&) noexcept;
  ~Turn();

  // The next message of this turn, the result last; nothing when it is over, well or badly.
  std::optional<Message> next();
  // Waits at most this long, or not at all: 0 takes what is there. Nothing then, and done() tells
  // the two apart.
  std::optional<Message> next(std::chrono::milliseconds limit);
  bool done() const;
  // The same as next(), into a place that is there already.
  void next_into(std::optional<Message>& message);
  // Calls `fn` with what next() would give, on Options::executor: for coroutines. Where that runs
  // its work at once, an `fn` that asks for the next is called within itself for what is there
  // already; on_message() is not.
  void next_later(std::function<void(std::optional<Message>)> fn);

  // Waits for the end and tells how it was. Messages not taken before are discarded. An Error only
  // when there is no result: the CLI died, the session was closed, the consumer lagged too far.
  Result<TurnResult> result();

  // The prompt's own id: for rewind_files, and in the messages that answer it.
  std::string_view uuid() const;

  // Calls `fn` for each message, on Options::executor, one at a time; instead of next().
  void on_message(std::function<void(const Message&)> fn);
  // Calls `fn` at the end.
  void then(std::function<void(Result<TurnResult>)> fn);

  ArrivalIterator<Turn, Message> begin() { return ArrivalIterator<Turn, Message>(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::shared_ptr<Mailbox> mailbox_;
};

// How the session ended, apart from the messages.
struct SessionCompleted {};  // the CLI ended by itself, in good order
struct SessionStopped {};    // close() was called
struct SessionFailed {
  Error error;
  std::optional<int> exit_code;
};
using SessionEvent = std::variant<SessionCompleted, SessionStopped, SessionFailed>;
using MessageOrEvent = std::variant<Message, SessionEvent>;

// Move-only; one that was moved from has ended.
template <class Item>
class Stream {
 public:
  explicit Stream(std::shared_ptr<Mailbox> mailbox) : mailbox_(std::move(mailbox)) {}
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&&) noexcept = default;

  std::optional<Item> next();
  std::optional<Item> next(std::chrono::milliseconds limit);
  void next_into(std::optional<Item>& item);
  void next_later(std::function<void(std::optional<Item>)> fn);
  // Calls `fn` for each item, on Options::executor, one at a time; instead of next().
  void on_item(std::function<void(const Item&)> fn);
  // Why it ended before the session did, if so: its consumer lagged too far.
  std::optional<Error> error() const;

  ArrivalIterator<Stream, Item> begin() { return ArrivalIterator<Stream, Item>(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::shared_ptr<Mailbox> mailbox_;
};

enum class Priority : std::uint8_t { standard, now, next, later };

// A prompt with more than text: images, documents, several blocks.
struct Prompt {
  Json content;  // a string, or a list of content blocks
  Priority priority = Priority::standard;

  Prompt(std::string_view text) : content(text) {}
  Prompt(const char* text) : content(text) {}
  Prompt(const std::string& text) : content(text) {}
  explicit Prompt(Json blocks) : content(std::move(blocks)) {}
  Prompt with(Priority wanted) && {
    priority = wanted;
    return std::move(*this);
  }
};

// How far the ending of a CLI had to go.
enum class EndStage : std::uint8_t { alive, input_closed, terminated, killed };

class Session {
 public:
  // Starts the CLI and waits until it is ready, at most Timeouts::initialize.
  static Result<Session> start(Options options);

  // ---- Everyday ----
  Turn send(Prompt prompt);

  Call<InterruptReceipt> interrupt(bool cancel_queued = false);
  Call<PermissionModeSet> set_permission_mode(PermissionMode mode);
  Call<ModelSet> set_model(std::string model);
  Call<ModelSet> reset_model();
  // Files as they were before that prompt (Turn::uuid). Needs Options::file_checkpointing.
  Call<RewindResult> rewind_files(std::string_view user_message_id, bool dry_run = false);
  Call<McpStatus> mcp_status();

  // Ends the session: closes the CLI's input, lets it exit, and uses force after the grace times.
  // Waits until the process group is gone. The destructor of the last handle does the same, with
  // no grace for a turn that still runs. Twice is fine. From an inline callback it does not wait.
  EndStage close();

  // ---- What is known of it ----
  const std::string& id() const;  // chosen by us unless resuming; known at once
  SessionState state() const;
  const ServerInfo& server_info() const;
  std::optional<int> pid() const;  // of the CLI, when it is a process of ours
  std::string cli_path() const;
  Counts counts() const;

  // ---- Streams ----
  // Messages that belong to no live Turn: background work, prompts whose Turn was dropped.
  // Collected from the first call on.
  Stream<Message> messages();
  // How it ends: one event.
  Stream<SessionEvent> events();
  // Every message, whoever else gets it, and the event that ends the session.
  Stream<MessageOrEvent> subscribe();

  // ---- Everything else ----
  // Any operation that has no function here, by its name on the wire. `fields`: an object, or none.
  Call<Json> call(std::string subtype, Json fields = {},
                  std::optional<std::chrono::milliseconds> timeout = {});
  // A message from an in-process MCP server to the CLI: notifications, list changes.
  Call<Json> send_mcp(std::string server, Json message);

 private:
  friend class Query;
  friend Query query(Prompt prompt, Options options);
  struct Handle;  // ends the session when the last copy goes
  explicit Session(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}
  static Result<Session> start(Options options, ToldPrompt* told);
  LiveSession& live() const;
  std::shared_ptr<Handle> handle_;
};

}  // namespace claude
