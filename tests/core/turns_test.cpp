// Which message and which result belong to which prompt. The lines follow recordings of CLI
// 2.1.325; where another version is meant, the test says so.
#include "core/conversation.h"

namespace claude::core {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

std::string both(const Prompted& first, const Prompted& second) {
  return with(R"("user_message_uuid":"$1","user_message_uuids":["$1","$2"],)", first.uuid,
              second.uuid);
}

const std::string kTaskNotification =
    R"("origin":{"kind":"task-notification","producer":"session-task","runId":"0mwi"},)";

TEST(Turns, ATurnEndsWithItsOwnResult) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  EXPECT_EQ(talk.cli.heard().back(), json::parse(with(R"({"type":"user","session_id":"",
      "message":{"role":"user","content":"hello"},"parent_tool_use_id":null,"uuid":"$1"})",
                                                      prompt.uuid)));
  talk.cli.says(lifecycle(prompt.uuid, "queued"));
  talk.cli.says(lifecycle(prompt.uuid, "started"));
  talk.cli.says(system_init());
  talk.cli.says(assistant("Hi there.", prompt.uuid));
  EXPECT_THAT(prompt, still_waits());

  talk.cli.says(result_for(prompt.uuid, "Hi there."));
  talk.cli.says(lifecycle(prompt.uuid, "completed"));

  EXPECT_THAT(prompt, ended_with_result("Hi there."));
  EXPECT_FALSE(prompt.ended()->folded);
  EXPECT_THAT(prompt.texts(), ElementsAre("Hi there."));
  EXPECT_FALSE(talk.engine().has_open_turns());
}

// S7
TEST(Turns, ThePromptOnTheCommandLineGetsAllButWhatNobodyAskedFor) {
  Conversation talk;
  Prompted told{.talk = &talk, .id = talk.engine().open_told()};
  talk.cli.says(assistant("Hi", "an id of the CLI's own"));
  talk.cli.says(result("the task is done", "0.0024", kTaskNotification));
  talk.cli.says(result("the task is done", "0.0024",
                       kTaskNotification + R"("user_message_uuid":"","user_message_uuids":[""],)"));
  EXPECT_THAT(told, still_waits());
  talk.cli.says(result_for("an id of the CLI's own", "Hi"));
  EXPECT_THAT(told, ended_with_result("Hi"));
  EXPECT_THAT(told.texts(), ElementsAre("Hi"));
}

// F11
TEST(Turns, AResultAboveTheLimitEndsItsTurnWithAnError) {
  auto setup = Conversation::usual();
  setup.limits.line_bytes = 1000;
  Conversation talk(setup);
  auto a = talk.user.sends("A");
  auto b = talk.user.sends("B");
  talk.cli.says(lifecycle(a.uuid, "started"));
  talk.cli.says(assistant(std::string(2000, 'x')));
  EXPECT_THAT(a, still_waits());

  talk.cli.says(result_for(a.uuid, std::string(2000, 'x')));
  EXPECT_THAT(a, ended_with(Errc::line_too_long, "Limits::line_bytes"));
  EXPECT_THAT(b, still_waits());
  talk.cli.says(lifecycle(b.uuid, "started"));
  talk.cli.says(result_for(b.uuid, "b1"));
  EXPECT_THAT(b, ended_with_result("b1"));
}

TEST(Turns, AResultAboveTheLimitOfACliThatNamesNoPromptsEndsTheFirst) {
  auto setup = Conversation::usual();
  setup.limits.line_bytes = 1000;
  Conversation talk(setup);
  auto a = talk.user.sends("A");
  auto b = talk.user.sends("B");
  talk.cli.says(result(std::string(2000, 'x')));
  EXPECT_THAT(a, ended_with(Errc::line_too_long, "Limits::line_bytes"));
  EXPECT_THAT(b, still_waits());
}

// F16
TEST(Turns, TwoPromptsQueuedThenReadHaveEachItsOwn) {
  Conversation talk;
  auto a = talk.user.sends("A");
  auto b = talk.user.sends("B");
  for (const std::string& line :
       {lifecycle(a.uuid, "queued"), lifecycle(a.uuid, "started"), lifecycle(b.uuid, "queued"),
        system_init(), assistant("a1", a.uuid), assistant("a2"), result_for(a.uuid, "a2"),
        lifecycle(a.uuid, "completed"), lifecycle(b.uuid, "started"), system_init(),
        assistant("b1", b.uuid), result_for(b.uuid, "b1", "0.0016"),
        lifecycle(b.uuid, "completed")}) {
    talk.cli.says(line);
  }
  EXPECT_THAT(a.texts(), ElementsAre("a1", "a2"));
  EXPECT_THAT(b.texts(), ElementsAre("b1"));
  EXPECT_THAT(a, ended_with_result("a2"));
  EXPECT_THAT(b, ended_with_result("b1"));
}

// F16
TEST(Turns, APromptFoldedIntoARunningTurnEndsWithThatTurn) {
  Conversation talk;
  auto a = talk.user.sends("A");
  auto b = talk.user.sends("more");
  for (const std::string& line :
       {lifecycle(a.uuid, "started"), assistant("calling a tool", a.uuid),
        lifecycle(b.uuid, "queued"), lifecycle(b.uuid, "started"), assistant("both done"),
        lifecycle(b.uuid, "completed"), result("both done", "0.5", both(a, b)),
        lifecycle(a.uuid, "completed")}) {
    talk.cli.says(line);
  }
  EXPECT_THAT(a.texts(), ElementsAre("calling a tool", "both done"));
  EXPECT_THAT(a, ended_with_result("both done"));
  EXPECT_THAT(b, ended_with_result("both done"));
  EXPECT_FALSE(a.ended()->folded);
  EXPECT_TRUE(b.ended()->folded);
  EXPECT_THAT(a.ended()->cost_usd, Optional(0.5));
  EXPECT_EQ(b.ended()->cost_usd, std::nullopt);  // paid once
}

TEST(Turns, AFoldedPromptThatIsInterruptedEndsWithTheResultNotBefore) {
  Conversation talk;
  auto a = talk.user.sends("A");
  auto b = talk.user.sends("more");
  talk.cli.says(lifecycle(a.uuid, "started"));
  talk.cli.says(lifecycle(b.uuid, "started"));
  talk.cli.says(lifecycle(b.uuid, "cancelled"));
  EXPECT_THAT(b, still_waits());

  talk.cli.says(failed_result("[ede_diagnostic] ...", both(a, b)));

  EXPECT_TRUE(a.ended()->result && b.ended()->result);
}

TEST(Turns, APromptThatWasDroppedFromTheQueueIsCancelled) {
  Conversation talk;
  auto a = talk.user.sends("A");
  auto b = talk.user.sends("B");
  talk.cli.says(lifecycle(a.uuid, "started"));
  talk.cli.says(lifecycle(b.uuid, "queued"));
  talk.cli.says(lifecycle(b.uuid, "cancelled"));

  EXPECT_THAT(b, ended_with(Errc::cancelled, "before it ran"));
  EXPECT_THAT(a, still_waits());
}

TEST(Turns, AnInterruptedTurnHasItsResult) {
  Conversation talk;
  auto prompt = talk.user.sends("go");
  talk.cli.says(lifecycle(prompt.uuid, "started"));
  auto interrupt = talk.user.interrupts();
  talk.cli.answers(interrupt, R"({"still_queued":[]})");
  talk.cli.says(assistant("word word", prompt.uuid));
  talk.cli.says(failed_result(
      "[ede_diagnostic] result_type=user",
      with(R"("terminal_reason":"aborted_streaming","user_message_uuid":"$1",)", prompt.uuid)));
  talk.cli.says(lifecycle(prompt.uuid, "cancelled"));

  ASSERT_TRUE(prompt.ended() && prompt.ended()->result);
  EXPECT_TRUE(prompt.ended()->result->is_error);
  EXPECT_THAT(prompt.texts(), ElementsAre("word word"));
}

// F16
TEST(Turns, AResultThatComesTwiceDoesNotEndTheNextTurn) {
  Conversation talk;
  auto a = talk.user.sends("A");
  talk.cli.says(result_for(a.uuid, "to A"));
  auto b = talk.user.sends("B");
  talk.cli.says(assistant("b1", b.uuid));
  talk.cli.says(result_for(a.uuid, "to A"));
  EXPECT_THAT(b, still_waits());
  talk.cli.says(assistant("b2"));
  talk.cli.says(result_for(b.uuid, "to B"));
  EXPECT_THAT(b, ended_with_result("to B"));
  EXPECT_THAT(b.texts(), ElementsAre("b1", "b2"));
}

TEST(Turns, WhatIsForSomebodyElseBelongsToNoneOfOurs) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  talk.cli.says(lifecycle(prompt.uuid, "started"));
  talk.cli.says(assistant("not yours", "somebody"));
  talk.cli.says(result_for("somebody", "not yours"));
  EXPECT_THAT(prompt, still_waits());
  EXPECT_THAT(prompt.texts(), IsEmpty());
  talk.cli.says(result_for(prompt.uuid, "yours"));
  EXPECT_THAT(prompt, ended_with_result("yours"));
}

TEST(Turns, AResultWithAnEmptyNameNamesNobody) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  talk.cli.says(lifecycle(prompt.uuid, "started"));
  talk.cli.says(result("done", "0", R"("user_message_uuid":"","user_message_uuids":[""],)"));
  EXPECT_THAT(prompt, ended_with_result("done"));
}

TEST(Turns, AResultThatNamesNobodyEndsThePromptThatWaitsThoughOthersWereNamed) {
  for (const std::string& named : {lifecycle("not-ours", "started"), assistant("x", "not-ours")}) {
    Conversation talk;
    auto prompt = talk.user.sends("hello");
    talk.cli.says(named);
    talk.cli.says(result("done"));
    EXPECT_THAT(prompt, ended_with_result("done"));
  }
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  talk.cli.says(lifecycle(prompt.uuid, "queued"));
  talk.cli.says(result("done"));
  EXPECT_THAT(prompt, ended_with_result("done"));
}

// ---- Turns that nobody prompted ----------------------------------------------------------------

// F16
TEST(Turns, NewsOfABackgroundTaskBelongToNoPromptEvenIfOneIsQueued) {
  Conversation talk;
  auto a = talk.user.sends("start it");
  talk.cli.says(lifecycle(a.uuid, "started"));
  talk.cli.says(assistant("started", a.uuid));
  talk.cli.says(result_for(a.uuid, "started"));
  talk.cli.says(lifecycle(a.uuid, "completed"));

  auto b = talk.user.sends("hey");
  talk.cli.says(lifecycle(b.uuid, "queued"));
  talk.cli.says(system_init());
  talk.cli.says(assistant("the task is done"));
  talk.cli.says(result("the task is done", "0.0024", kTaskNotification));
  EXPECT_THAT(b.texts(), IsEmpty());
  EXPECT_THAT(b, still_waits());

  talk.cli.says(lifecycle(b.uuid, "started"));
  talk.cli.says(assistant("b done", b.uuid));
  talk.cli.says(result_for(b.uuid, "b done", "0.0032"));
  EXPECT_THAT(b, ended_with_result("b done"));
  EXPECT_THAT(b.ended()->cost_usd, Optional(DoubleNear(0.0008, 1e-9)));  // not the task's
}

// F16
TEST(Turns, APromptFoldedIntoSuchATurnEndsWithItsResult) {
  Conversation talk;
  auto b = talk.user.sends("hey");
  talk.cli.says(lifecycle(b.uuid, "queued"));
  talk.cli.says(assistant("looking at the task"));
  talk.cli.says(lifecycle(b.uuid, "started"));
  talk.cli.says(assistant("done with both", b.uuid));
  talk.cli.says(result("done with both", "0.1",
                       kTaskNotification + with(R"("user_message_uuid":"$1",)", b.uuid)));

  EXPECT_THAT(b, ended_with_result("done with both"));
  EXPECT_THAT(b.texts(), ElementsAre("done with both"));
}

// ---- Older CLIs name no prompt -----------------------------------------------------------------

TEST(Turns, WithoutUuidsTheFirstPromptIsAnsweredFirst) {  // as CLI 2.1.197 does
  Conversation talk;
  auto a = talk.user.sends("A");
  auto b = talk.user.sends("B");
  talk.cli.says(system_init());
  talk.cli.says(assistant("a1"));
  talk.cli.says(result("a1", "0.002"));
  talk.cli.says(system_init());
  talk.cli.says(assistant("the task is done"));
  talk.cli.says(result("the task is done", "0.003", R"("origin":{"kind":"task-notification"},)"));
  EXPECT_THAT(b, still_waits());
  talk.cli.says(assistant("b1"));
  talk.cli.says(result("b1", "0.004"));

  EXPECT_THAT(a.texts(), ElementsAre("a1"));
  EXPECT_THAT(a, ended_with_result("a1"));
  EXPECT_THAT(b, ended_with_result("b1"));
}

TEST(Turns, AResultWhoseOriginIsAHumanIsAnAnswer) {
  Conversation talk;
  for (const char* origin : {R"("origin":{"kind":"human"},)", R"("origin":{},)"}) {
    auto prompt = talk.user.sends("A");
    talk.cli.says(result("a", "0.002", origin));
    EXPECT_THAT(prompt, ended_with_result("a"));
  }
}

TEST(Turns, AResultThatNobodyAskedForIsJustAMessage) {
  Conversation talk;
  talk.cli.says(result("hello?"));
  talk.cli.says(lifecycle("not-ours", "started"));
  talk.cli.says(lifecycle("not-ours", "cancelled"));
  EXPECT_THAT(talk.messages(), SizeIs(3));
  EXPECT_EQ(talk.engine().state(), SessionState::running);
}

// ---- Cost --------------------------------------------------------------------------------------

TEST(Turns, TheCostOfATurnIsTheDifferenceOfTheTotals) {
  Conversation talk;
  auto a = talk.user.sends("A");
  talk.cli.says(result_for(a.uuid, "", "0.0008"));
  auto b = talk.user.sends("B");
  talk.cli.says(result_for(b.uuid, "", "0.0020"));

  EXPECT_THAT(a.ended()->cost_usd, Optional(0.0008));
  EXPECT_THAT(b.ended()->cost_usd, Optional(DoubleNear(0.0012, 1e-12)));
}

TEST(Turns, AResetConversationCountsFromNothing) {
  Conversation talk;
  auto a = talk.user.sends("A");
  talk.cli.says(result_for(a.uuid, "", "0.5"));
  auto clear = talk.user.sends("/clear");
  talk.cli.says(lifecycle(clear.uuid, "started"));
  talk.cli.says(with(
      R"({"type":"conversation_reset","new_conversation_id":"n","uuid":"n","trigger":"clear","user_message_uuid":"$1","session_id":"s"})",
      clear.uuid));
  talk.cli.says(result_for(clear.uuid, "", "0"));
  auto b = talk.user.sends("B");
  talk.cli.says(result_for(b.uuid, "", "0.75"));

  EXPECT_THAT(clear.ended()->cost_usd, Optional(0.0));
  EXPECT_THAT(b.ended()->cost_usd, Optional(0.75));
}

TEST(Turns, ATotalThatFallsWasResetUnseen) {
  Conversation talk;
  auto a = talk.user.sends("A");
  talk.cli.says(result_for(a.uuid, "", "0.5"));
  auto b = talk.user.sends("B");
  talk.cli.says(result_for(b.uuid, "", "0.25"));
  EXPECT_THAT(b.ended()->cost_usd, Optional(0.25));
}

}  // namespace
}  // namespace claude::core
