// Prompts, turns and streams, on every peer.
#include "contract/contract.h"

#include <future>

namespace claude::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTwoTurns = R"({"turns": [
    {"when": {"prompt_contains": "A"}, "model": [{"text": "answer A"}]},
    {"when": {"prompt_contains": "B"}, "model": [{"text": "answer B"}]}]})";

std::string answer(const Result<TurnResult>& result) {
  if (!result) return "error: " + result.error().to_string();
  return std::string(result->message.result.value_or("(no text)"));
}

// S183
TEST_P(Contract, ASessionThatHasStartedKnowsItsIdAndItsCli) {
  Session session = play(R"({})");
  EXPECT_EQ(session.state(), SessionState::running);
  EXPECT_FALSE(session.id().empty());
  EXPECT_EQ(session.server_info().claude_code_version.value_or(""), "2.1.325");
  EXPECT_FALSE(session.server_info().capabilities.empty());
}

// S58
TEST_P(Contract, ATurnHasTheMessagesOfItsPromptAndEndsWithItsResult) {
  Session session = play(R"({"turns": [{"model": [{"thinking": "Hm.", "text": "Hi there."}]}]})");
  Turn turn = session.send("hello");
  std::vector<Message> messages;
  for (const Message& message : turn) {
    EXPECT_EQ(message.session_id(), session.id());
    messages.push_back(message);
  }

  ASSERT_FALSE(messages.empty());
  EXPECT_TRUE(std::holds_alternative<ResultMessage>(messages.back()));
  TurnResult result = turn.result().value();
  EXPECT_EQ((Played{messages, result}).said(), "Hi there.");
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.message.user_message_uuid.value_or(""), turn.uuid());
}

TEST_P(Contract, ATurnBeginsWithWhereAndHowTheCliWorks) {
  options.permission_mode = PermissionMode::plan;
  options.disallowed_tools = {"Bash"};
  Session session = play(R"({"turns": [{"model": [{"text": "Hi."}]}]})");
  Played played = run(session);
  std::optional<SystemInit> init;
  for (const Message& message : played.messages) {
    if (auto* found = std::get_if<SystemInit>(&message)) init = *found;
  }
  ASSERT_TRUE(init);
  EXPECT_EQ(init->cwd, project.path().string());
  EXPECT_EQ(init->permission_mode, "plan");
  EXPECT_THAT(init->tools, Contains("Read"));
  EXPECT_THAT(init->tools, Not(Contains("Bash")));
}

TEST_P(Contract, PartialMessagesAddUpToTheAnswer) {
  options.partial_messages = true;
  Session session = play(R"({"turns": [{"model": [{"text": "one two three", "chunks": 3}]}]})");
  Played played = run(session);
  EXPECT_EQ(played.streamed(), "one two three");
  EXPECT_EQ(played.said(), "one two three");
}

TEST_P(Contract, PartialMessagesComeOnlyIfTheyAreWanted) {
  Session session = play(R"({"turns": [{"model": [{"text": "one two three", "chunks": 3}]}]})");
  Played played = run(session);
  EXPECT_EQ(played.streamed(), "");
  EXPECT_EQ(played.said(), "one two three");
}

TEST_P(Contract, ATurnsCostIsItsOwn) {
  Session session = play(kTwoTurns);
  TurnResult first = run(session, "A").result;
  TurnResult second = run(session, "B").result;
  EXPECT_GT(first.cost_usd.value_or(0), 0);
  EXPECT_NEAR(first.cost_usd.value_or(0) + second.cost_usd.value_or(0),
              second.message.total_cost_usd.value_or(0), 1e-9);
}

// S59
TEST_P(Contract, PromptsSentAtOnceEachGetTheirOwnResult) {
  Session session = play(kTwoTurns);
  Turn first = session.send("A");
  Turn second = session.send("B");
  EXPECT_EQ(answer(second.result()), "answer B");
  EXPECT_EQ(answer(first.result()), "answer A");
}

TEST_P(Contract, ATurnMayBeFollowedByCallbacks) {
  Session session = play(kTwoTurns);
  std::promise<std::string> end;
  Turn turn = session.send("A");
  std::string said;
  turn.on_message([&](const Message& message) {
    if (auto* part = std::get_if<AssistantMessage>(&message)) said += part->text();
  });
  turn.then([&](const Result<TurnResult>& result) { end.set_value(answer(result)); });
  EXPECT_EQ(end.get_future().get(), "answer A");
  EXPECT_EQ(said, "answer A");
}

Task<std::string> talk(Session session) {
  Turn turn = session.send("A");
  std::string said;
  while (std::optional<Message> message = co_await next(turn)) {
    if (auto* part = std::get_if<AssistantMessage>(&*message)) said += part->text();
  }
  Result<ModelSet> model = co_await session.set_model("haiku");
  co_return said + (model ? ", haiku" : model.error().to_string());
}

TEST_P(Contract, TurnsAndOperationsMayBeAwaited) {
  Session session = play(kTwoTurns);
  EXPECT_EQ(claude::run(talk(session)), "answer A, haiku");
}

TEST_P(Contract, WhatBelongsToNoTurnGoesToTheSessionsMessages) {
  Session session = play(kTwoTurns);
  Stream<Message> messages = session.messages();
  session.send("A");  // and nobody holds the turn
  for (const Message& message : messages) {
    auto* result = std::get_if<ResultMessage>(&message);
    if (result == nullptr) continue;
    EXPECT_EQ(result->result.value_or(""), "answer A");
    break;
  }
  EXPECT_EQ(answer(session.send("B").result()), "answer B");
}

TEST_P(Contract, ASubscriberSeesEveryMessageAndTheEnd) {
  Session session = play(kTwoTurns);
  Stream<MessageOrEvent> everything = session.subscribe();
  Played played = run(session, "A");
  session.close();

  std::vector<std::string_view> uuids;
  std::vector<MessageOrEvent> kept;
  for (const MessageOrEvent& item : everything) kept.push_back(item);
  for (const MessageOrEvent& item : kept) {
    if (auto* message = std::get_if<Message>(&item)) uuids.push_back(message->uuid());
  }
  for (const Message& message : played.messages) EXPECT_THAT(uuids, Contains(message.uuid()));
  auto* event = std::get_if<SessionEvent>(&kept.back());
  ASSERT_NE(event, nullptr);
  EXPECT_TRUE(std::holds_alternative<SessionStopped>(*event));
}

TEST_P(Contract, AResumedConversationIsTheSame) {
  std::string id;
  {
    Session session = play(kTwoTurns);
    id = session.id();
    run(session, "A");
  }
  options.resume = id;
  Session session = play(kTwoTurns);
  EXPECT_EQ(session.id(), id);
  Played played = run(session, "B");
  EXPECT_EQ(played.said(), "answer B");
  EXPECT_EQ(played.messages.back().session_id(), id);
}

TEST_P(Contract, AForkedConversationHasAnIdOfItsOwn) {
  std::string id;
  {
    Session session = play(kTwoTurns);
    id = session.id();
    run(session, "A");
  }
  options.resume = id;
  options.fork_session = true;
  Session session = play(kTwoTurns);
  EXPECT_NE(session.id(), id);
  EXPECT_EQ(run(session, "B").messages.back().session_id(), session.id());
}

TEST_P(Contract, AConversationThatIsNotThereIsAClearError) {
  options.resume = "00000000-0000-4000-8000-000000000000";
  Result<Session> failed = try_to_play(R"({})");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().to_string(), HasSubstr("No conversation found"));
}

TEST_P(Contract, StructuredOutputIsInTheResult) {
  options.json_schema = Json::parse(R"({"type": "object", "required": ["sum"],
      "properties": {"sum": {"type": "number"}}})")
                            .value();
  Session session = play(R"({"turns": [{"model": [
      {"tool": "StructuredOutput", "input": {"sum": 5}}, {"text": "ok"}]}]})");
  Played played = run(session);
  EXPECT_EQ(played.result.message.structured_output["sum"].integer(), 5);
}

TEST_P(Contract, AnErrorOfTheApiFailsTheTurnAndNotTheSession) {
  Session session = play(R"({"turns": [
      {"when": {"prompt_contains": "A"}, "model": [
        {"error": {"status": 403, "type": "permission_error", "message": "not you"}}]},
      {"when": {"prompt_contains": "B"}, "model": [{"text": "Here."}]}]})");
  TurnResult failed = run(session, "A").result;
  EXPECT_FALSE(failed.ok());
  ASSERT_TRUE(failed.error());
  EXPECT_EQ(failed.error()->code, Errc::turn_failed);
  EXPECT_THAT(failed.error()->to_string(), HasSubstr("not you"));
  EXPECT_EQ(run(session, "B").said(), "Here.");
}

}  // namespace
}  // namespace claude::test
