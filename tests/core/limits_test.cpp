// Everything has a limit: what waits, what is open, how long a line may be.
#include "core/conversation.h"

namespace claude::core {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// S79 S84
TEST(Limits, SixteenOperationsMayWaitForTheStart) {
  Conversation talk(not_ready);
  std::vector<Operation> waiting;
  for (int i = 0; i < 16; ++i) waiting.push_back(talk.user.interrupts());

  auto refused = talk.user.interrupts();

  EXPECT_THAT(refused, ended_with(Errc::init_queue_overflow,
                                  "Too many control operations queued during initialization "
                                  "(max 16). Is the CLI responding?"));
  EXPECT_THAT(talk.notes(LogLevel::warning, "queue_full"), ElementsAre(HasSubstr("16")));
  for (const Operation& each : waiting) EXPECT_THAT(each, still_waits());
  talk.cli.initializes();
  EXPECT_THAT(talk.user.interrupts(), still_waits());
}

TEST(Limits, PromptsWaitInTheSameQueue) {
  auto setup = Conversation::usual();
  setup.limits.queued_operations = 2;
  Conversation talk(not_ready, setup);
  talk.user.sends("one");
  talk.user.interrupts();
  EXPECT_THAT(talk.user.sends("three"), ended_with(Errc::init_queue_overflow, "send"));
}

// S82 S84
TEST(Limits, SixtyFourOperationsMayWaitForAnswers) {
  Conversation talk;
  std::vector<Operation> waiting;
  for (int i = 0; i < 64; ++i) waiting.push_back(talk.user.interrupts());

  EXPECT_THAT(talk.user.interrupts(),
              ended_with(Errc::too_many_pending,
                         "Too many pending control requests (max 64). Check for stuck operations "
                         "or excessive concurrency."));
  EXPECT_THAT(talk.notes(LogLevel::warning, "calls_full"), ElementsAre(HasSubstr("64")));
  EXPECT_EQ(talk.engine().pending_calls(), 64u);

  talk.cli.answers(waiting.front(), "{}");
  EXPECT_THAT(talk.user.interrupts(), still_waits());
}

TEST(Limits, AQueueThatIsLargerThanWhatMayBePendingOverflowsWhenItIsSent) {
  auto setup = Conversation::usual();
  setup.limits.pending_operations = 1;
  Conversation talk(not_ready, setup);
  auto first = talk.user.interrupts();
  auto second = talk.user.interrupts();
  talk.cli.initializes();
  EXPECT_THAT(first, still_waits());
  EXPECT_THAT(second, ended_with(Errc::too_many_pending, "max 1"));
}

// S83 S84
TEST(Limits, MoreThanThirtyTwoAsksAreAnsweredForAtOnce) {
  Conversation talk;
  for (int i = 0; i < 32; ++i) talk.cli.says(hook_callback("open" + std::to_string(i)));
  EXPECT_EQ(talk.engine().open_asks(), 32u);

  talk.cli.says(hook_callback("h"));
  talk.cli.says(can_use_tool("p"));
  talk.cli.says(mcp_message("m"));

  EXPECT_THAT(talk.asked(), SizeIs(32));
  EXPECT_EQ(talk.cli.answer_to("h"), json::parse(R"({"continue":true})"));
  EXPECT_EQ(talk.cli.answer_to("p")["behavior"], "deny");
  EXPECT_EQ(talk.cli.answer_to("m")["mcp_response"]["error"]["code"], -32603);
  EXPECT_THAT(talk.notes(LogLevel::warning, "asks_full"),
              ElementsAre(HasSubstr("32"), HasSubstr("32"), HasSubstr("32")));

  talk.user.answers(talk.last_ask(), "{}");
  talk.cli.says(hook_callback("again"));
  EXPECT_THAT(talk.asked(), SizeIs(33));
}

TEST(Limits, OfOpenAsksTheLinesAreBoundedAsWell) {
  auto setup = Conversation::usual();
  setup.limits.ask_bytes = 3 * can_use_tool("a", std::string(1000, 'x')).size();
  Conversation talk(setup);
  for (const char* id : {"a", "b", "c"}) talk.cli.says(can_use_tool(id, std::string(1000, 'x')));
  EXPECT_EQ(talk.engine().open_asks(), 3u);

  talk.cli.says(hook_callback("h"));

  EXPECT_THAT(talk.asked(), SizeIs(3));
  EXPECT_EQ(talk.cli.answer_to("h"), json::parse(R"({"continue":true})"));
  EXPECT_THAT(talk.notes(LogLevel::warning, "asks_full"), ElementsAre(HasSubstr("3 callbacks")));

  talk.cli.says(cancel_request("b"));
  talk.cli.says(hook_callback("again"));
  EXPECT_THAT(talk.asked(), SizeIs(4));
}

// F20
TEST(Limits, ACliThatAsksAndDoesNotReadEndsTheSession) {
  auto setup = Conversation::usual();
  setup.limits.output_bytes = 1000;
  Conversation talk(setup);
  auto prompt = talk.user.sends("hello");
  auto call = talk.user.interrupts();
  talk.cli.reads(false);
  for (int i = 0; i < 20; ++i) talk.cli.says(any_request("r", "nonsense"));

  EXPECT_THAT(talk, ended_with(Errc::write_failed, "asks and does not read"));
  EXPECT_THAT(prompt, ended_with(Errc::write_failed, "asks and does not read"));
  EXPECT_THAT(call, ended_with(Errc::write_failed, "asks and does not read"));
}

// F20
TEST(Limits, OperationsThatNobodyReadsTakeNoMemoryWithoutEnd) {
  auto setup = Conversation::usual();
  setup.limits.output_bytes = 1000;
  Conversation talk(setup);
  talk.cli.reads(false);
  const std::string large = with(R"({"subtype":"mcp_message","text":"$1"})", std::string(600, 'x'));
  for (int i = 0; i < 2; ++i) {
    auto call = talk.user.calls(large);
    talk.passes(5s);
    EXPECT_THAT(call, ended_with(Errc::timeout, ""));
  }
  EXPECT_THAT(talk.user.calls(large), ended_with(Errc::write_failed, "does not read"));
  EXPECT_LT(talk.engine().output().size(), 2000u);
}

TEST(Limits, OnlyAnswersThatWaitCountNotThoseThatWereRead) {
  auto setup = Conversation::usual();
  setup.limits.output_bytes = 1000;
  Conversation talk(setup);
  for (int round = 0; round < 10; ++round) {
    talk.cli.reads(false);
    for (int i = 0; i < 5; ++i) talk.cli.says(any_request("r", "nonsense"));
    talk.cli.reads(true);
  }
  EXPECT_THAT(talk.cli.answers_to("r"), SizeIs(50));

  talk.cli.reads(false);  // and a prompt may be as long as it likes
  talk.user.sends(std::string(5000, 'x'));
  talk.cli.says(any_request("r", "nonsense"));
  EXPECT_EQ(talk.ended(), nullptr);
}

// S14
TEST(Limits, ALineAboveTheLimitIsSkippedAndTheNextOneRead) {
  auto setup = Conversation::usual();
  setup.limits.line_bytes = 1000;
  Conversation talk(setup);
  talk.cli.says(assistant(std::string(2000, 'x')));
  talk.cli.says(assistant("good"));

  EXPECT_THAT(talk.messages(), SizeIs(1));
  EXPECT_EQ(talk.engine().counts().long_lines, 1u);
  auto size = std::to_string(assistant(std::string(2000, 'x')).size());
  EXPECT_THAT(talk.notes(LogLevel::error, "line_too_long"),
              ElementsAre(AllOf(HasSubstr(size), HasSubstr("1000"))));
}

// S15
TEST(Limits, ALineOfMoreThanAMegabyteIsWarnedOfOnceWhileItComes) {
  Conversation talk;
  std::string line = assistant(std::string(3 << 20, 'x'));
  talk.cli.sends_bytes(line.substr(0, 1 << 20));
  EXPECT_THAT(talk.notes(LogLevel::warning, "long_line"), IsEmpty());
  talk.cli.sends_bytes(line.substr(1 << 20, 2));
  EXPECT_THAT(talk.notes(LogLevel::warning, "long_line"), ElementsAre(HasSubstr("1048576")));
  talk.cli.sends_bytes(line.substr((1 << 20) + 2));
  talk.cli.sends_bytes("\n");
  EXPECT_THAT(talk.notes(LogLevel::warning, "long_line"), SizeIs(1));
  EXPECT_THAT(talk.messages(), SizeIs(1));

  talk.cli.says(line);  // the next one, in one piece
  EXPECT_THAT(talk.notes(LogLevel::warning, "long_line"), SizeIs(2));
}

TEST(Limits, TheWarningStandsBeforeItsMessageHoweverTheLineCame) {
  auto setup = Conversation::usual();
  setup.limits.warn_line_bytes = 100;
  std::string line = assistant(std::string(200, 'x'));
  Conversation whole(setup), pieces(setup);
  whole.cli.sends_bytes(line + "\n");
  for (char byte : line + "\n") pieces.cli.sends_bytes({&byte, 1});

  std::vector<std::string> told, expected;
  for (const Event& event : whole.events()) expected.push_back(describe(event));
  for (const Event& event : pieces.events()) told.push_back(describe(event));
  EXPECT_EQ(told, expected);
  EXPECT_TRUE(std::holds_alternative<MessageArrived>(whole.events().back()));
}

TEST(Limits, WhatComesAfterTheEndTakesNoMemory) {
  Conversation talk;
  talk.user.stops();
  const char* place = talk.engine().space().data();
  for (int i = 0; i < 100; ++i) talk.cli.sends_bytes(std::string(1 << 16, 'x'));
  EXPECT_EQ(talk.engine().space().data(), place);
}

}  // namespace
}  // namespace claude::core
