// Prompts and what comes of them.
#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Turns : public SimTest {};

// S160 S6
TEST_F(Turns, AWholeTurnFromTheStartToItsResult) {
  play_turn(R"([{"text": "Hi"}])");
  Session session = start();

  Seen seen = watch(session.send("Hello"));

  EXPECT_EQ(seen.said(), "Hi");
  ASSERT_TRUE(seen.result) << seen.result.error().to_string();
  EXPECT_TRUE(seen.result->ok());
  EXPECT_FALSE(seen.result->folded);
  EXPECT_TRUE(std::holds_alternative<ResultMessage>(seen.messages.back()));
  WireJson prompt = wire->written().back();
  EXPECT_EQ(prompt["message"], WireJson::parse(R"({"role": "user", "content": "Hello"})"));
}

TEST_F(Turns, EachPromptEndsWithItsOwnResult) {
  play(R"({"turns": [{"when": {"prompt_equals": "first"}, "model": [{"text": "one"}]},
                     {"when": {"prompt_equals": "second"}, "model": [{"text": "two"}]}]})");
  Session session = start();
  Turn first = session.send("first");
  Turn second = session.send("second");

  // Asked for in another order than they come.
  EXPECT_EQ(said(std::move(second)), "two");
  EXPECT_EQ(said(std::move(first)), "one");
}

// S59
TEST_F(Turns, FurtherPromptsHaveTheFormOfTheFirst) {
  Session session = start();
  said(session.send("one"));
  said(session.send("two"));

  std::vector<WireJson> written = wire->written();
  ASSERT_EQ(written.size(), 3u);  // the first is initialize
  WireJson first = written[1];
  WireJson second = written[2];
  EXPECT_EQ(second["message"]["content"], "two");
  EXPECT_NE(first["uuid"], second["uuid"]);
  for (WireJson* line : {&first, &second}) {
    line->erase("uuid");
    (*line)["message"].erase("content");
  }
  EXPECT_EQ(first, second);
}

// S76
TEST_F(Turns, NoPromptIsWrittenBeforeTheCliConfirmed) {
  play(R"({"startup": [{"stderr": "slow"}, {"flush": true}]})");
  said(start().send("Hello"));

  std::vector<std::string> order = wire->order();
  ASSERT_GE(order.size(), 3u);
  EXPECT_EQ(order[0], "> initialize");
  EXPECT_EQ(order[1], "< answer");
  EXPECT_EQ(order[2], "> user");
}

TEST_F(Turns, APromptThatJoinsARunningTurnSharesItsResult) {
  play_turn(R"([{"tool": "Bash", "input": {"command": "make"}, "output": "made"},
                {"text": "both done"}])");
  Turn* joining = nullptr;
  std::optional<Turn> second;
  std::optional<Session> session;
  options.hooks.pre_tool_use([&](const PreToolUse&) {
    second = session->send("and this");
    joining = &*second;
    // The answer to a request that follows it proves that the prompt was read.
    session->set_model("haiku").get();
    return proceed();
  });
  options.allowed_tools = {"Bash"};
  session = start();

  Turn first = session->send("do it");
  std::string uuid(first.uuid());
  Seen seen = watch(std::move(first));

  ASSERT_NE(joining, nullptr);
  Result<TurnResult> joined = joining->result();
  ASSERT_TRUE(joined) << joined.error().to_string();
  EXPECT_TRUE(joined->folded);
  EXPECT_FALSE(seen.result->folded);
  EXPECT_EQ(joined->message.uuid, seen.result->message.uuid);
  EXPECT_TRUE(seen.result->cost_usd);
  EXPECT_FALSE(joined->cost_usd) << "the cost is told once";
}

TEST_F(Turns, ALimitMayBeForEver) {
  Session session = start();
  Turn turn = session.send("Hello");
  EXPECT_TRUE(turn.next(std::chrono::milliseconds::max()));
}

TEST_F(Turns, NextWithALimitTellsAPauseFromTheEnd) {
  play_turn(R"([{"hang": true}])");
  Session session = start();
  Turn turn = session.send("wait");
  // The init comes before the pause.
  std::optional<Message> message = turn.next();
  while (message && !std::holds_alternative<SystemInit>(*message)) message = turn.next();
  ASSERT_TRUE(message);

  while (turn.next(std::chrono::milliseconds(0))) {
  }
  EXPECT_FALSE(turn.done());

  ASSERT_TRUE(session.interrupt().get());
  while (turn.next()) {
  }
  EXPECT_TRUE(turn.done());
  EXPECT_FALSE(turn.next()) << "after the end nothing comes";
  EXPECT_TRUE(turn.result()->interrupted());
}

// S161
TEST_F(Turns, WhatADroppedTurnWouldHaveGotGoesToMessages) {
  play_turn(R"([{"text": "nobody listens"}])");
  Session session = start();
  Stream<Message> messages = session.messages();

  session.send("Hello");  // the Turn is dropped at once

  std::string text;
  for (const Message& message : messages) {
    if (auto* assistant = std::get_if<AssistantMessage>(&message)) text += assistant->text();
    if (std::holds_alternative<ResultMessage>(message)) break;
  }
  EXPECT_EQ(text, "nobody listens");
}

TEST_F(Turns, ALiveTurnKeepsItsMessagesForItself) {
  Session session = start();
  Stream<Message> messages = session.messages();

  said(session.send("Hello"));
  session.close();

  for (const Message& message : messages) {
    EXPECT_FALSE(std::holds_alternative<AssistantMessage>(message)) << message.raw();
    EXPECT_FALSE(std::holds_alternative<ResultMessage>(message)) << message.raw();
  }
}

TEST_F(Turns, TheCostOfATurnIsItsOwn) {
  play(R"({"turns": [{"model": [{"text": "one", "cost_usd": 0.5}]},
                     {"model": [{"text": "two", "cost_usd": 0.25}]}]})");
  Session session = start();

  Result<TurnResult> first = session.send("first").result();
  Result<TurnResult> second = session.send("second").result();

  ASSERT_TRUE(first && second);
  EXPECT_DOUBLE_EQ(first->cost_usd.value(), 0.5);
  EXPECT_DOUBLE_EQ(second->cost_usd.value(), 0.25);
  EXPECT_DOUBLE_EQ(*second->message.total_cost_usd, 0.75);
}

TEST_F(Turns, AnErrorOfTheModelIsAResultWithItsText) {
  play_turn(R"([{"error": {"status": 529, "type": "overloaded_error", "message": "Overloaded"}}])");
  Session session = start();

  Result<TurnResult> result = session.send("Hello").result();

  ASSERT_TRUE(result) << "a failed turn still has a result";
  EXPECT_FALSE(result->ok());
  ASSERT_TRUE(result->error());
  EXPECT_EQ(result->error()->code, Errc::turn_failed);
  EXPECT_THAT(result->error()->cli_text, HasSubstr("Overloaded"));
  EXPECT_EQ(said(session.send("again")), "You said: again") << "the session goes on";
}

TEST_F(Turns, BlocksAndPrioritiesGoToTheWire) {
  Session session = start();
  Json blocks = Json::array({Json::object({{"type", "text"}, {"text", "two"}}),
                             Json::object({{"type", "text"}, {"text", "blocks"}})});

  session.send(Prompt(blocks).with(Priority::next)).result();

  WireJson line = wire->written().back();
  EXPECT_EQ(line["message"]["content"].size(), 2u);
  EXPECT_EQ(line["message"]["content"][1]["text"], "blocks");
  EXPECT_EQ(line["priority"], "next");
}

TEST_F(Turns, StreamedTextArrivesInPieces) {
  options.partial_messages = true;
  play_turn(R"([{"text": "one two three four", "chunks": 4}])");
  Session session = start();

  Seen seen = watch(session.send("Hello"));

  std::vector<std::string> pieces;
  for (const StreamEvent& event : seen.all<StreamEvent>()) {
    if (!event.text().empty()) pieces.emplace_back(event.text());
  }
  EXPECT_EQ(pieces.size(), 4u);
  std::string whole;
  for (const std::string& piece : pieces) whole += piece;
  EXPECT_EQ(whole, "one two three four");
}

TEST_F(Turns, MayBeMovedOntoThemselves) {
  Session session = start();
  Turn turn = session.send("Hello");
  Turn& same = turn;
  turn = std::move(same);
  EXPECT_EQ(said(std::move(turn)), "You said: Hello");
}

// NOLINTBEGIN(bugprone-use-after-move): that is the question
TEST_F(Turns, ThatWereMovedFromHaveEnded) {
  Session session = start();
  Turn turn = session.send("Hello");
  Turn moved = std::move(turn);
  EXPECT_FALSE(turn.next());
  EXPECT_FALSE(turn.next(std::chrono::milliseconds(0)));
  EXPECT_TRUE(turn.done());
  for (const Message& message : turn) ADD_FAILURE() << message.uuid();
  EXPECT_EQ(turn.uuid(), "");
  EXPECT_EQ(turn.result().error().code, Errc::cancelled);
  int called = 0;
  turn.on_message([&](const Message&) { ADD_FAILURE(); });
  turn.then([&](const Result<TurnResult>& result) { called += result ? 0 : 1; });
  turn.next_later([&](const std::optional<Message>& message) { called += message ? 0 : 1; });
  EXPECT_EQ(called, 2);
  EXPECT_EQ(said(std::move(moved)), "You said: Hello");
}

TEST_F(Turns, AStreamThatWasMovedFromHasEnded) {
  Session session = start();
  Stream<MessageOrEvent> stream = session.subscribe();
  Stream<MessageOrEvent> moved = std::move(stream);
  EXPECT_FALSE(stream.next());
  EXPECT_FALSE(stream.error());
  bool ended = false;
  stream.on_item([](const MessageOrEvent&) { ADD_FAILURE(); });
  stream.next_later([&](const std::optional<MessageOrEvent>& item) { ended = !item; });
  EXPECT_TRUE(ended);
}
// NOLINTEND(bugprone-use-after-move)

}  // namespace
}  // namespace claude::test
