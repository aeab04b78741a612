// Lines that are odd, broken or new: one bad line never ends a session.
#include "core/conversation.h"

namespace claude::core {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;

// S34 S35
TEST(StrangeLines, ControlTrafficIsNeverAmongTheMessages) {
  Conversation talk;
  auto interrupt = talk.user.interrupts();
  talk.cli.says(system_init());
  talk.cli.says(hook_callback("h1"));
  talk.cli.says(R"({"type":"keep_alive"})");
  talk.cli.answers(interrupt, "{}");
  talk.cli.says(cancel_request("h1"));
  talk.cli.says(R"({"type":"user","message":{"role":"user","content":"type: control_request"}})");
  talk.cli.says(assistant("hi"));

  auto messages = talk.messages();
  ASSERT_THAT(messages, SizeIs(3));
  EXPECT_TRUE(std::holds_alternative<SystemInit>(messages[0]));
  EXPECT_TRUE(std::holds_alternative<UserMessage>(messages[1]));
  EXPECT_TRUE(std::holds_alternative<AssistantMessage>(messages[2]));
}

// S38 F8
TEST(StrangeLines, ABadLineIsCountedLoggedAndLeftBehind) {
  Conversation talk;
  const std::string nul("{\"type\":\"system\"\0}", 18);
  for (const std::string& line :
       {std::string("npm WARN deprecated"), std::string("{\"type\":\"assistant\""),
        std::string("[1,2]"), std::string("null"), std::string("{\"no\":\"type\"}"),
        std::string("{\"type\":\"user\",\"x\":\"\xff\xfe\"}"), nul,
        std::string("{\"type\":\"a\"}{\"type\":\"b\"}")}) {
    talk.cli.says(line);
  }
  EXPECT_EQ(talk.engine().counts().bad_lines, 8u);
  EXPECT_THAT(talk.notes(LogLevel::warning, "bad_line"), SizeIs(8));
  EXPECT_THAT(talk.messages(), IsEmpty());

  talk.cli.says(assistant("good"));
  EXPECT_THAT(talk.messages(), SizeIs(1));
  EXPECT_EQ(talk.engine().state(), SessionState::running);
}

TEST(StrangeLines, OfManyUnknownFieldsTheLogHasTheFirstAndHowManyMore) {
  Conversation talk;
  std::string line = R"({"type":"assistant")";
  for (int i = 0; i < 1000; ++i) line += ",\"new_" + std::to_string(i) + "\":1";
  talk.cli.says(line + "}");
  EXPECT_EQ(talk.engine().counts().unknown_fields, 1000u);
  auto notes = talk.notes(LogLevel::debug, "unknown_field");
  ASSERT_THAT(notes, SizeIs(101));
  EXPECT_THAT(notes.front(), HasSubstr("new_0"));
  EXPECT_THAT(notes.back(), HasSubstr("and 900 more"));
}

// S38
TEST(StrangeLines, TheLogShowsOnlyTheBeginningOfABadLine) {
  Conversation talk;
  talk.cli.says("oops " + std::string(100'000, 'x'));
  ASSERT_THAT(talk.notes(LogLevel::warning, "bad_line"), SizeIs(1));
  EXPECT_THAT(talk.notes(LogLevel::warning, "bad_line").front(),
              AllOf(HasSubstr("oops xxx"), ::testing::SizeIs(Le(400u))));
}

// F8
TEST(StrangeLines, EmptyLinesAndCarriageReturnsMeanNothing) {
  Conversation talk;
  talk.cli.sends_bytes("\n\r\n" + assistant("a") + "\r\n\n" +
                       assistant("line\\u2028sep \xe2\x80\xa8") + "\n");
  EXPECT_THAT(talk.messages(), SizeIs(2));
  EXPECT_EQ(talk.engine().counts().bad_lines, 0u);
}

// S36 F6
TEST(StrangeLines, WhatIsNewArrivesAndIsCounted) {
  Conversation talk;
  talk.cli.says(R"({"type":"hologram","depth":3,"uuid":"u","session_id":"s"})");
  talk.cli.says(R"({"type":"system","subtype":"weather","sun":true,"uuid":"u","session_id":"s"})");
  talk.cli.says(
      R"({"type":"assistant","mood":"good","message":{"role":"assistant","content":[{"type":"smell","of":"tea"}]},"uuid":"u","session_id":"s"})");
  talk.cli.says(
      R"({"type":"control_request","request_id":"h1","hurry":1,"request":{"subtype":"hook_callback","callback_id":"hook_0","input":{},"colour":"red"}})");
  auto call = talk.user.interrupts();
  talk.cli.says(with(
      R"({"type":"control_response","response":{"subtype":"success","request_id":"$1","response":{},"new":1}})",
      call.request_id));

  EXPECT_THAT(talk.messages(), SizeIs(3));
  EXPECT_EQ(talk.engine().counts().unknown_messages, 2u);
  EXPECT_GE(talk.engine().counts().unknown_fields, 1u);
  EXPECT_EQ(talk.engine().counts().bad_lines, 0u);
  EXPECT_THAT(talk.asked(), SizeIs(1));
  EXPECT_THAT(call, succeeded_with("{}"));
}

TEST(StrangeLines, WithoutAReaderOfDiagnosticsThereAreNoneButTheCountsStay) {
  auto setup = Conversation::usual();
  setup.diagnostics = false;
  Conversation talk(setup);
  talk.cli.says("what?");
  talk.cli.says(R"({"type":"hologram"})");
  talk.cli.says(R"({"type":"system","subtype":"init","never_seen":1})");

  for (const Event& event : talk.events()) EXPECT_FALSE(std::holds_alternative<Diagnostic>(event));
  EXPECT_EQ(talk.engine().counts().bad_lines, 1u);
  EXPECT_EQ(talk.engine().counts().unknown_messages, 1u);
  EXPECT_EQ(talk.engine().counts().unknown_fields, 1u);
}

TEST(StrangeLines, TheTapSeesEveryLineBothWays) {
  std::vector<std::pair<Direction, std::string>> seen;
  auto setup = Conversation::usual();
  setup.tap = [&](Direction direction, std::string_view line) {
    seen.emplace_back(direction, line);
  };
  Conversation talk(setup);
  talk.user.sends("hello");
  talk.cli.says("broken");

  ASSERT_THAT(seen, SizeIs(4));
  EXPECT_EQ(json::parse(seen[0].second)["request"]["subtype"], "initialize");
  EXPECT_EQ(seen[1].first, Direction::from_cli);
  EXPECT_EQ(json::parse(seen[2].second)["type"], "user");
  EXPECT_EQ(seen[3], std::pair(Direction::from_cli, std::string("broken")));
  EXPECT_EQ(talk.engine().counts().lines_in, 2u);
  EXPECT_EQ(talk.engine().counts().lines_out, 2u);
}

}  // namespace
}  // namespace claude::core
