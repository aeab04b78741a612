// Without blocking: then(), callbacks of streams, the executor.
#include <future>
#include <thread>

#include "session/fixture.h"
#include "session/memory_transport.h"
#include "session/user_loop.h"

namespace claude::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class Continuations : public SimTest {};

TEST_F(Continuations, ThenGoesOnWithTheAnswer) {
  Session session = start();
  std::promise<Result<ModelSet>> answered;
  session.set_model("opus").then([&](Result<ModelSet> set) { answered.set_value(std::move(set)); });
  Result<ModelSet> set = answered.get_future().get();
  ASSERT_TRUE(set);
  EXPECT_THAT(std::string(*set->model), ::testing::HasSubstr("opus"));
}

TEST_F(Continuations, ThenOfAnAnswerThatIsThereGoesOnToo) {
  Session session = start();
  Call<ModelSet> call = session.set_model("opus");
  ASSERT_TRUE(call.get());
  std::promise<bool> answered;
  call.then([&](const Result<ModelSet>& set) { answered.set_value(set.has_value()); });
  EXPECT_TRUE(answered.get_future().get());
}

TEST_F(Continuations, ThenTellsErrorsToo) {
  Session session = start();
  std::promise<Errc> answered;
  session.rewind_files("x").then(
      [&](const Result<RewindResult>& done) { answered.set_value(done.error().code); });
  EXPECT_EQ(answered.get_future().get(), Errc::checkpointing_not_enabled);
}

TEST_F(Continuations, EverythingRunsOnTheUsersExecutor) {
  play_turn(R"([{"text": "Hi"}])");
  UserLoop loop;
  options.executor = loop.executor();
  Session session = start();
  std::thread::id here = std::this_thread::get_id();
  bool model_set = false;
  bool refused = false;
  bool ended = false;
  std::string text;

  session.set_model("opus").then([&](const Result<ModelSet>& set) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    model_set = set.has_value();
  });
  session.rewind_files("x").then([&](const Result<RewindResult>& done) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    refused = !done;
  });
  EXPECT_FALSE(refused) << "even an error that is known at once";
  Turn turn = session.send("Hello");
  turn.on_message([&](const Message& message) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_FALSE(ended) << "the end comes last";
    if (auto* assistant = std::get_if<AssistantMessage>(&message)) text += assistant->text();
  });
  turn.then([&](Result<TurnResult> result) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_TRUE(result && result->ok());
    ended = true;
  });
  loop.run_until([&] { return model_set && refused && ended; });
  EXPECT_EQ(text, "Hi");
}

TEST_F(Continuations, StreamsCallForEachItemInOrder) {
  play_turn(R"([{"text": "Hi"}])");
  Session session = start();
  std::promise<std::vector<std::string>> collected;
  std::vector<std::string> seen;
  Stream<MessageOrEvent> everything = session.subscribe();
  everything.on_item([&](const MessageOrEvent& item) {
    if (auto* message = std::get_if<Message>(&item)) {
      seen.push_back(WireJson::parse(message->raw())["type"]);
    } else {
      seen.push_back("event");
      collected.set_value(seen);
    }
  });
  said(session.send("Hello"));
  session.close();
  std::vector<std::string> types = collected.get_future().get();
  EXPECT_THAT(types, ::testing::IsSupersetOf({"system", "assistant", "result", "event"}));
  EXPECT_EQ(types.back(), "event");
}

TEST_F(Continuations, WhatACallbackOwnsGoesWhenItWillNotBeCalledAgain) {
  Gate gone;
  std::shared_ptr<void> owned(nullptr, [&](void*) { gone.open(); });
  Session session = start();
  Turn turn = session.send("Hello");
  turn.on_message([owned = std::move(owned)](const Message&) {});
  EXPECT_TRUE(gone.wait()) << "the turn itself is still there";
}

TEST_F(Continuations, TheLastHandleMayBeThatOfACallbackWhoseTurnWasDropped) {
  Gate gone;
  {
    Session session = start();
    std::shared_ptr<void> owned(nullptr, [&](void*) { gone.open(); });
    session.send("Hello").on_message([owned, session](const Message&) {});
  }
  EXPECT_TRUE(gone.wait()) << "the session goes first";
}

TEST_F(Continuations, ACallbackMayPutAnotherInItsPlace) {
  play(R"({"turns": [{"model": [{"text": "one"}, {"text": "two"}]}]})");
  Session session = start();
  Turn turn = session.send("Hello");
  std::atomic<bool> gone = false;
  std::shared_ptr<void> owned(nullptr, [&](void*) { gone = true; });
  std::atomic<int> calls_of_the_other = 0;
  turn.on_message([&, owned = std::move(owned)](const Message&) {
    turn.on_message([&](const Message&) { ++calls_of_the_other; });
    EXPECT_FALSE(gone) << "it is still at work";
  });
  std::promise<void> ended;
  turn.then([&](const Result<TurnResult>&) { ended.set_value(); });
  ended.get_future().get();
  EXPECT_TRUE(gone);
  EXPECT_GT(calls_of_the_other, 0);
}

TEST_F(Continuations, TheEndOfATurnIsToldAlthoughItsMessagesWereDropped) {
  Session session = start();
  std::promise<bool> ended;
  {
    Turn turn = session.send("Hello");
    turn.then([&](const Result<TurnResult>& result) { ended.set_value(result.has_value()); });
  }
  EXPECT_TRUE(ended.get_future().get());
}

TEST_F(Continuations, TheEndOfATurnIsToldAlthoughItsMessagesWait) {
  Session session = start();
  Turn turn = session.send("Hello");
  std::promise<bool> ended;
  turn.then([&](const Result<TurnResult>& result) { ended.set_value(result.has_value()); });
  EXPECT_TRUE(ended.get_future().get());
  EXPECT_TRUE(turn.next()) << "they are there still";
}

TEST_F(Continuations, WhoComesSecondDoesNotDisplaceTheFirst) {
  Session session = start();
  Turn turn = session.send("Hello");
  auto call = session.mcp_status();
  std::deque<Gate> told;
  auto tell = [&told] { return [&gate = told.emplace_back()](const auto&) { gate.open(); }; };
  for (int times = 0; times < 2; ++times) {
    turn.next_later(tell());
    turn.then(tell());
    call.then(tell());
  }
  for (Gate& each : told) EXPECT_TRUE(each.wait());
}

TEST_F(Continuations, ATurnMayHaveItsMessagesToldAndItsResultAwaited) {
  play_turn(R"([{"text": "Hi"}])");
  Session session = start();
  std::string text;
  Gate ended;
  Turn turn = session.send("Hello");
  turn.on_message([&](const Message& message) {
    if (auto* assistant = std::get_if<AssistantMessage>(&message)) text += assistant->text();
    if (std::holds_alternative<ResultMessage>(message)) ended.open();
  });
  EXPECT_TRUE(turn.result());
  ASSERT_TRUE(ended.wait());
  EXPECT_EQ(text, "Hi");
}

TEST_F(Continuations, WhatTheyThrowIsLoggedAndTheNextOneIsCalled) {
  play_turn(R"([{"text": "Hi"}])");
  Session session = start();
  Gate ended;
  Turn turn = session.send("Hello");
  turn.on_message([&](const Message& message) {
    if (!std::holds_alternative<ResultMessage>(message)) throw std::runtime_error("no such window");
    ended.open();
  });
  ASSERT_TRUE(ended.wait());
  EXPECT_THAT(log.at(LogLevel::error), Contains(HasSubstr("no such window")));
}

TEST_F(Continuations, ACallThatTheExecutorDropsDoesNotHoldUpTheEnd) {
  std::atomic<int> works = 0;
  options.executor = [&](const std::function<void()>& work) {
    if (++works > 1) work();
  };
  play_turn(R"([{"text": "Hi"}])");
  Session session = start();
  Turn turn = session.send("Hello");
  Gate ended;
  turn.on_message([](const Message&) {});
  turn.then([&](const Result<TurnResult>&) { ended.open(); });
  EXPECT_TRUE(ended.wait());
}

// A program that ends throws away what waits there, under a lock of its own.
TEST_F(Continuations, WorkThatIsThrownAwayCallsTheExecutorNoMore) {
  std::mutex mutex;
  std::vector<std::function<void()>> waiting;
  std::atomic<bool> at_its_end = false;
  options.executor = [&](std::function<void()> work) {
    ASSERT_FALSE(at_its_end);
    std::lock_guard lock(mutex);
    waiting.push_back(std::move(work));
  };
  Session session = start();
  Turn turn = session.send("Hello");
  turn.on_message([](const Message&) {});
  turn.then([](const Result<TurnResult>&) {});
  EXPECT_TRUE(turn.result());
  session.close();
  at_its_end = true;
  std::lock_guard lock(mutex);
  waiting.clear();
}

TEST_F(Continuations, WhatAnExecutorDropsIsLetGo) {
  options.executor = [](const std::function<void()>&) {};
  Gate gone;
  std::shared_ptr<void> owned(nullptr, [gone](void*) mutable { gone.open(); });
  {
    Session session = start();
    Turn turn = session.send("Hello");
    turn.on_message([owned](const Message&) {});
    turn.then([owned](const Result<TurnResult>&) {});
    owned = nullptr;
    EXPECT_TRUE(turn.result());
    session.close();
  }
  EXPECT_TRUE(gone.wait());
}

TEST_F(Continuations, AnExecutorThatThrowsIsLogged) {
  options.executor = [](const std::function<void()>&) { throw std::runtime_error("shut down"); };
  Session session = start();
  Call<ModelSet> call = session.set_model("opus");
  call.then([](const Result<ModelSet>&) {});
  EXPECT_TRUE(call.get());
  session.close();
  EXPECT_THAT(log.at(LogLevel::error), Contains(HasSubstr("shut down")));
}

// The loop reads this session: it has to learn of deadlines that come later.
TEST_F(Continuations, AnOperationTimesOutWhileNobodyWaits) {
  MemoryCli cli;
  options.transport = cli.factory();
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); });
  Session session = start();
  cli.next();  // initialize
  cli.ask("their-1", {{"subtype", "hook_callback"},
                      {"callback_id", "hook_0"},
                      {"input", {{"hook_event_name", "PreToolUse"}, {"tool_name", "Bash"}}}});
  EXPECT_EQ(cli.next()["response"]["request_id"], "their-1") << "answered by the loop";

  std::promise<Errc> answered;
  session.call("mcp_status", {}, std::chrono::milliseconds(20)).then([&](const Result<Json>& got) {
    answered.set_value(got.error().code);
  });
  EXPECT_EQ(answered.get_future().get(), Errc::timeout);
}

TEST_F(Continuations, WithoutPoolThreadsEverythingRunsOnTheThreadThatReads) {
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.pool_threads = 0});
  Session session = start();
  std::promise<bool> answered;
  session.set_model("opus").then([&](const Result<ModelSet>& set) { answered.set_value(!!set); });
  EXPECT_TRUE(answered.get_future().get());
}

TEST_F(Continuations, ManySessionsShareOneRuntime) {
  std::vector<Session> sessions;
  std::vector<Turn> turns;
  for (int i = 0; i < 5; ++i) sessions.push_back(start());
  for (Session& session : sessions) turns.push_back(session.send("Hello"));
  for (Turn& turn : turns) EXPECT_EQ(said(std::move(turn)), "You said: Hello");
}

}  // namespace
}  // namespace claude::test
