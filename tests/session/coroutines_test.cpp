// Coroutines: they await operations and streams, and may go while they wait.
#include <claude/coro.h>

#include <exception>
#include <utility>

#include "session/fixture.h"
#include "session/memory_transport.h"
#include "session/user_loop.h"

namespace claude::test {
namespace {

class Coroutines : public SimTest {};

Task<std::string> conversation(Session& session) {
  Result<ModelSet> model = co_await session.set_model("opus");
  if (!model) co_return "no model";
  std::string text;
  Turn turn = session.send("Hello");
  while (std::optional<Message> message = co_await next(turn)) {
    if (auto* assistant = std::get_if<AssistantMessage>(&*message)) text += assistant->text();
  }
  co_return text;
}

Task<std::string> two_conversations(Session& session) {
  std::string first = co_await conversation(session);
  std::string second = co_await conversation(session);
  co_return first + second;
}

Task<bool> until_the_end(Session& session, Stream<SessionEvent>& events) {
  session.send("Hello").result();
  std::optional<SessionEvent> event = co_await next(events);
  std::optional<SessionEvent> more = co_await next(events);
  co_return event&& std::holds_alternative<SessionCompleted>(*event) && !more;
}

TEST_F(Coroutines, AwaitOperationsAndTurns) {
  play(R"({"turns": [{"model": [{"text": "one "}]}, {"model": [{"text": "two"}]}]})");
  Session session = start();
  EXPECT_EQ(run(two_conversations(session)), "one two");
}

TEST_F(Coroutines, AwaitStreams) {
  play(R"({"turns": [{"model": [{"text": "bye"}], "after": [{"exit": 0}]}]})");
  Session session = start();
  Stream<SessionEvent> events = session.events();
  EXPECT_TRUE(run(until_the_end(session, events)));
}

// A coroutine of the user's own type: begins at once, and goes with its owner wherever it is.
struct Begun {
  struct promise_type {
    Begun get_return_object() {
      return Begun{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    [[noreturn]] void unhandled_exception() { std::terminate(); }
  };
  explicit Begun(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Begun(Begun&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  ~Begun() {
    if (handle_) handle_.destroy();
  }

 private:
  std::coroutine_handle<promise_type> handle_;
};

Begun tell_model(Session& session, std::string& told) {
  Result<ModelSet> set = co_await session.set_model("opus");
  told = set ? "set" : "refused";
}

Begun tell_message(Turn& turn, std::string& told) {
  std::optional<Message> message = co_await next(turn);
  told = message ? "a message" : "the end";
}

class WaitingCoroutines : public Coroutines {
 protected:
  WaitingCoroutines() { options.executor = loop.executor(); }

  UserLoop loop;
  std::string told;
};

TEST_F(WaitingCoroutines, OfAnotherTypeGoOn) {
  Session session = start();
  Begun waits = tell_model(session, told);
  loop.run_until([&] { return !told.empty(); });
  EXPECT_EQ(told, "set");
}

TEST_F(WaitingCoroutines, MayGoBeforeTheAnswerComes) {
  Session session = start();
  {
    Begun gone = tell_model(session, told);
  }
  bool answered_later = false;
  session.set_model("haiku").then([&](const Result<ModelSet>&) { answered_later = true; });
  loop.run_until([&] { return answered_later; });
  EXPECT_EQ(told, "");
}

TEST_F(WaitingCoroutines, MayGoWhenTheAnswerIsOnItsWay) {
  Session session = start();
  std::optional<Begun> gone = tell_model(session, told);
  EXPECT_TRUE(session.set_model("haiku").get()) << "the one before is answered as well";
  gone.reset();
  bool answered_later = false;
  session.set_model("sonnet").then([&](const Result<ModelSet>&) { answered_later = true; });
  loop.run_until([&] { return answered_later; });
  EXPECT_EQ(told, "");
}

TEST_F(WaitingCoroutines, MayGoBeforeTheMessageComes) {
  Session session = start();
  Turn turn = session.send("Hello");
  {
    Begun gone = tell_message(turn, told);
  }
  bool ended = false;
  turn.then([&](const Result<TurnResult>&) { ended = true; });
  loop.run_until([&] { return ended; });
  EXPECT_EQ(told, "");
}

Task<int> count(Turn& turn) {
  int messages = 0;
  while (co_await next(turn)) ++messages;
  co_return messages;
}

// With more messages than a stack has room for calls within calls.
class FullMailboxes : public Coroutines {
 protected:
  static constexpr int kMany = 10'000;

  // Of a turn that was over before anybody looked.
  int counted() {
    options.transport = cli.factory();
    options.observer = nullptr;
    Session session = start();
    cli.next();  // initialize
    Turn turn = session.send("Hello");
    Gate over;
    turn.then([&](const Result<TurnResult>&) { over.open(); });
    WireJson prompt = cli.next();
    for (int i = 0; i < kMany; ++i) {
      cli.inject_line({{"type", "system"}, {"subtype", "status"}, {"session_id", "s"}});
    }
    cli.inject_line({{"type", "result"},
                     {"subtype", "success"},
                     {"is_error", false},
                     {"user_message_uuids", {prompt["uuid"]}},
                     {"session_id", "s"}});
    EXPECT_TRUE(over.wait());
    return run(count(turn));
  }

  MemoryCli cli;
};

TEST_F(FullMailboxes, AreTakenOnAnExecutorThatRunsItsWorkAtOnce) {
  options.executor = [](const std::function<void()>& work) { work(); };
  EXPECT_EQ(counted(), kMany + 1);
}

TEST_F(FullMailboxes, AreTakenWithoutPoolThreads) {
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.pool_threads = 0});
  EXPECT_EQ(counted(), kMany + 1);
}

struct Resumed {  // by the test
  std::coroutine_handle<>& handle;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> waiting) { handle = waiting; }
  void await_resume() {}
};

Begun tell_answer(Resumed resumed, Call<ModelSet> call, std::string& told) {
  co_await resumed;
  told = (co_await std::move(call)) ? "set" : "refused";
}

// The executor runs what it is given at once, and then what ends the coroutine.
TEST_F(Coroutines, ThatHaveTheirAnswerMayGoBeforeTheyGoOn) {
  std::optional<Begun> waits;
  options.executor = [&](const std::function<void()>& work) {
    work();
    waits.reset();
  };
  Session session = start();
  Call<ModelSet> call = session.set_model("opus");
  ASSERT_TRUE(call.get());
  std::coroutine_handle<> handle;
  std::string told;
  waits.emplace(tell_answer({handle}, std::move(call), told));
  handle.resume();
  EXPECT_FALSE(waits);
  EXPECT_EQ(told, "");
}

}  // namespace
}  // namespace claude::test
