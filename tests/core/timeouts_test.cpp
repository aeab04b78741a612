// Time is an argument: each wait ends exactly when it is over, and in the order of the deadlines.
#include "core/conversation.h"

namespace claude::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// S93 S94
TEST(Timeouts, EachOperationHasItsOwnTime) {
  const Timeouts timeouts;
  const std::vector<std::pair<std::chrono::milliseconds, std::chrono::milliseconds>> expected = {
      {timeouts.interrupt, 5s},
      {timeouts.set_permission_mode, 5s},
      {timeouts.set_model, 5s},
      {timeouts.rewind_files, 30s},
      {timeouts.operation, 60s}};
  for (const auto& [given, wanted] : expected) {
    Conversation talk;
    auto call = talk.user.calls(R"({"subtype":"anything"})", given);
    talk.passes(wanted - 1ms);
    EXPECT_THAT(call, still_waits());
    talk.passes(1ms);
    EXPECT_THAT(call, ended_with(Errc::timeout, "anything"));
  }
}

// S95
TEST(Timeouts, TheErrorNamesTheOperationAndItsId) {
  Conversation talk;
  auto call = talk.user.sets_model("opus");
  talk.passes(5s);
  EXPECT_EQ(call.error()->code, Errc::timeout);
  EXPECT_EQ(call.error()->where, "set_model (" + call.request_id + ")");
  EXPECT_THAT(talk.notes(LogLevel::error, "timeout"), SizeIs(1));
}

// S96 S115 S180
TEST(Timeouts, AHookIsAnsweredForAfterSixtySecondsOrItsOwnTime) {
  Conversation talk;
  talk.cli.says(hook_callback("usual"));
  AskId usual = talk.last_ask();
  talk.cli.says(hook_callback("short", "hook_1"));  // 2 s
  AskId quick = talk.last_ask();

  talk.passes(1'999ms);
  EXPECT_THAT(talk.cli.answers_to("short"), IsEmpty());
  talk.passes(1ms);
  EXPECT_EQ(talk.cli.answer_to("short"), json::parse(R"({"decision":"block"})"));
  EXPECT_THAT(talk.withdrawn(), ElementsAre(quick));

  talk.passes(57'999ms);
  EXPECT_THAT(talk.cli.answers_to("usual"), IsEmpty());
  talk.passes(1ms);
  EXPECT_EQ(talk.cli.answer_to("usual"), json::parse(R"({"continue":true})"));
  EXPECT_THAT(talk.withdrawn(), ElementsAre(quick, usual));
}

// S97 F13
TEST(Timeouts, AnAnswerAfterItsHookWasAnsweredForIsDropped) {
  Conversation talk;
  talk.cli.says(hook_callback("h1"));
  talk.passes(60s);
  talk.user.answers(talk.last_ask(), R"({"late":true})");

  EXPECT_EQ(talk.cli.answer_to("h1"), json::parse(R"({"continue":true})"));
  EXPECT_THAT(talk.notes(LogLevel::debug, "late_answer"), SizeIs(1));
}

TEST(Timeouts, APermissionWaitsForPeopleAsLongAsItTakes) {
  Conversation talk;
  talk.cli.says(can_use_tool("p1"));
  talk.cli.says(mcp_message("m1"));
  EXPECT_EQ(talk.engine().next_deadline(), TimePoint::max());
  talk.passes(24h * 365);
  EXPECT_THAT(talk.withdrawn(), IsEmpty());
}

// S126 S180
TEST(Timeouts, APermissionWithATimeoutIsDeniedByIt) {
  auto setup = Conversation::usual();
  setup.timeouts.permission = 10s;
  Conversation talk(setup);
  talk.cli.says(can_use_tool("p1"));
  talk.passes(9'999ms);
  EXPECT_THAT(talk.cli.answers_to("p1"), IsEmpty());
  talk.passes(1ms);
  EXPECT_EQ(talk.cli.answer_to("p1")["behavior"], "deny");
}

TEST(Timeouts, WhatIsOverdueEndsInTheOrderOfItsDeadlines) {
  Conversation talk;
  auto late = talk.user.calls(R"({"subtype":"late"})", 30s);
  auto early = talk.user.calls(R"({"subtype":"early"})", 1s);
  talk.cli.says(hook_callback("between", "hook_1"));  // 2 s
  AskId between = talk.last_ask();

  talk.passes(1h);  // nobody looked at the clock for a while

  std::vector<std::string> ended;
  for (const Event& event : talk.events()) {
    if (auto* call = std::get_if<CallEnded>(&event)) {
      ended.push_back(call->call == early.id ? "early" : "late");
    } else if (auto* ask = std::get_if<AskWithdrawn>(&event)) {
      EXPECT_EQ(ask->ask, between);
      ended.push_back("between");
    }
  }
  EXPECT_THAT(ended, ElementsAre("early", "between", "late"));
  EXPECT_THAT(late, ended_with(Errc::timeout, "late"));
}

TEST(Timeouts, AnAnswerThatHasArrivedCountsEvenAtItsDeadline) {
  Conversation talk;
  auto call = talk.user.interrupts();
  talk.engine().feed(success(call.request_id, "{}") + "\n");
  talk.passes(5s);
  EXPECT_THAT(call, succeeded_with("{}"));
}

TEST(Timeouts, AWaitLongerThanTheClockNeverEnds) {
  Conversation talk;
  auto call = talk.user.calls(R"({"subtype":"patient"})", std::chrono::milliseconds::max());
  talk.passes(24h * 365 * 100);
  EXPECT_THAT(call, still_waits());
  EXPECT_THAT(talk.user.calls(R"({"subtype":"hasty"})", std::chrono::milliseconds::min()),
              ended_with(Errc::timeout, "hasty"));
}

TEST(Timeouts, NothingThatTheCliSaysProlongsTheStart) {
  Conversation talk(not_ready);
  talk.passes(59s);
  talk.cli.says(system_init());
  EXPECT_EQ(talk.engine().next_deadline(), talk.now() + 1s);
}

}  // namespace
}  // namespace claude::core
