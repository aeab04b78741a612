// Lines that are broken or too long: whoever waits for one is told that it will not come.
#include "core/conversation.h"

namespace claude::core {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kLineBytes = 5000;

Setup with_short_lines() {
  auto setup = Conversation::usual();
  setup.limits.line_bytes = kLineBytes;
  setup.hooks[1].blocks_if_failed = true;
  return setup;
}

// A member that makes a line unreadable, and what is said of that.
struct Flaw {
  const char* name;
  std::string value;
  Errc code = Errc::invalid_json;
};
const std::vector<Flaw>& flaws() {
  static const std::vector<Flaw> all = {
      {"a number that no double holds", "1e999"},
      {"no UTF-8", "\"\xff\""},
      {"a control character", "\"\x01\""},
      {"a NUL", std::string("\"\0\"", 3)},
      {"an escape that is none", R"("\x")"},
      {"a word", "nonsense"},
      {"too deep", std::string(600, '[') + std::string(600, ']')},
      {"too long", '"' + std::string(kLineBytes, 'x') + '"', Errc::line_too_long},
  };
  return all;
}
// The text of a member of the line, in its place this flaw.
std::string broken(std::string line, const std::string& text, const Flaw& flaw) {
  const std::string value = '"' + text + '"';
  return line.replace(line.find(value), value.size(), flaw.value);
}

std::string permission(const std::string& id, const Flaw& flaw) {
  return broken(can_use_tool(id), "touch a", flaw);
}
std::string hook(const std::string& id, const std::string& callback, const Flaw& flaw) {
  return broken(hook_callback(id, callback), "ls", flaw);
}

// ---- Results -----------------------------------------------------------------------------------

// F8 F11
TEST(UnreadLines, AResultThatCannotBeReadEndsItsTurnWithAnError) {
  for (const Flaw& flaw : flaws()) {
    Conversation talk(with_short_lines());
    auto a = talk.user.sends("A");
    auto b = talk.user.sends("B");
    talk.cli.says(lifecycle(a.uuid, "started"));
    talk.cli.says(broken(assistant("hi"), "hi", flaw));
    EXPECT_THAT(a, still_waits()) << flaw.name;

    talk.cli.says(broken(result_for(a.uuid, "done"), "done", flaw));
    EXPECT_THAT(a, ended_with(flaw.code, "it was the result")) << flaw.name;
    EXPECT_THAT(b, still_waits());
    talk.cli.says(lifecycle(b.uuid, "started"));
    talk.cli.says(result_for(b.uuid, "b1"));
    EXPECT_THAT(b, ended_with_result("b1"));
  }
}

// F8
TEST(UnreadLines, AResultWithMoreBehindItOrCutOffEndsItsTurn) {
  for (const std::string& line : {result("done") + " {}", result("done") + "]",
                                  std::string(R"({"type":"result","result":"do)")}) {
    Conversation talk;
    auto prompt = talk.user.sends("A");
    talk.cli.says(line);
    EXPECT_THAT(prompt, ended_with(Errc::invalid_json, "it was the result")) << line;
    EXPECT_EQ(talk.engine().counts().bad_lines, 1u);
    EXPECT_THAT(talk.notes(LogLevel::warning, "bad_line"), SizeIs(1));
  }
}

// F11
TEST(UnreadLines, AToolCallAboveTheLimitThatReadsLikeAResultIsNone) {
  Conversation talk(with_short_lines());
  auto prompt = talk.user.sends("A");
  const std::string input = R"({"type":"result","content":")" + std::string(kLineBytes, 'x');
  talk.cli.says(
      R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Write","input":)" +
      input + R"("}}]},"session_id":"s","uuid":"a"})");
  EXPECT_EQ(talk.engine().counts().long_lines, 1u);
  EXPECT_THAT(prompt, still_waits());
  talk.cli.says(result("done"));
  EXPECT_THAT(prompt, ended_with_result("done"));
}

// F11
TEST(UnreadLines, AResultAboveTheLimitIsOneHoweverItIsWritten) {
  Conversation talk(with_short_lines());
  auto prompt = talk.user.sends("A");
  talk.cli.says(R"({ "result" : ")" + std::string(kLineBytes, 'x') + R"(", "type" : "result" })");
  EXPECT_THAT(prompt, ended_with(Errc::line_too_long, "Limits::line_bytes"));
}

TEST(UnreadLines, AResultBeforeTheStartEndsNothing) {
  Conversation talk(not_ready, with_short_lines());
  auto prompt = talk.user.sends("A");
  for (const Flaw& flaw : flaws()) talk.cli.says(broken(result("done"), "done", flaw));
  EXPECT_THAT(prompt, still_waits());
  talk.cli.initializes();
  talk.cli.says(result("done"));
  EXPECT_THAT(prompt, ended_with_result("done"));
}

// ---- Requests ----------------------------------------------------------------------------------

// S126 F10 F11
TEST(UnreadLines, APermissionThatCannotBeReadIsRefused) {
  for (const Flaw& flaw : flaws()) {
    Conversation talk(with_short_lines());
    talk.cli.says(permission("p1", flaw));
    ASSERT_THAT(talk.cli.answers_to("p1"), SizeIs(1)) << flaw.name;
    EXPECT_EQ(talk.cli.answers_to("p1")[0]["subtype"], "error");
    EXPECT_THAT(talk.asked(), IsEmpty());
    EXPECT_EQ(talk.engine().counts().bad_lines + talk.engine().counts().long_lines, 1u);

    talk.cli.says(can_use_tool("p1"));
    EXPECT_THAT(talk.asked(), SizeIs(1)) << "the next one can be read";
  }
}

// S126 F10 F11
TEST(UnreadLines, OfAHookThatCannotBeReadOnlyOneThatIsToBlockBlocks) {
  for (const Flaw& flaw : flaws()) {
    Conversation talk(with_short_lines());
    talk.cli.says(hook("h0", "hook_0", flaw));
    talk.cli.says(hook("h1", "hook_1", flaw));
    talk.cli.says(hook("h9", "hook_9", flaw));
    EXPECT_EQ(talk.cli.answer_to("h1"), json::parse(R"({"decision":"block"})")) << flaw.name;
    for (const char* id : {"h0", "h9"}) {
      ASSERT_THAT(talk.cli.answers_to(id), SizeIs(1)) << flaw.name;
      EXPECT_EQ(talk.cli.answers_to(id)[0]["subtype"], "error");
    }
    EXPECT_THAT(talk.asked(), IsEmpty());
  }
}

// F10
TEST(UnreadLines, AnyOtherRequestThatCannotBeReadGetsAnErrorWithItsId) {
  Conversation talk;
  talk.cli.says(broken(mcp_message("m1"), "tools/list", flaws()[0]));
  EXPECT_THAT(talk.cli.answers_to("m1"), SizeIs(1));
  talk.cli.says(
      R"({"request":{"x":1e999,"subtype":"make_coffee"},"request_id":{"a":[1]},"type":"control_request"})");
  const json answer = talk.cli.answers_to(json::parse(R"({"a":[1]})")).at(0);
  EXPECT_EQ(answer["subtype"], "error");
  EXPECT_THAT(answer["error"], HasSubstr("cannot be read"));
  EXPECT_THAT(talk.notes(LogLevel::warning, "refused_request"), SizeIs(2));
}

// F29
TEST(UnreadLines, ARequestThatIsOpenAlreadyIsNotAnsweredForItsBrokenDouble) {
  Conversation talk;
  talk.cli.says(can_use_tool("p/1"));
  talk.cli.says(permission(R"(\u0070\/1)", flaws()[0]));
  EXPECT_THAT(talk.cli.answers_to("p/1"), IsEmpty());
  EXPECT_THAT(talk.notes(LogLevel::warning, "double_request"), SizeIs(1));

  talk.user.answers(talk.last_ask(), "{}");
  EXPECT_THAT(talk.cli.answers_to("p/1"), SizeIs(1));
}

TEST(UnreadLines, WhatWouldNotBeAnsweredIsNotWhenItCannotBeRead) {
  Conversation talk;
  const std::size_t heard = talk.cli.heard().size();
  const std::string dialog =
      R"({"type":"control_request","request_id":"d","request":{"subtype":"request_user_dialog","x":"ls"}})";
  talk.cli.says(broken(dialog, "ls", flaws()[0]));
  talk.cli.says(R"({"type":"control_request","request":{"subtype":"can_use_tool","x":1e999}})");
  talk.cli.says(permission(std::string(1000, 'x'), flaws()[0]));
  talk.cli.says(broken(cancel_request("a") + "x", "a", flaws()[0]));
  EXPECT_EQ(talk.cli.heard().size(), heard);

  auto setup = Conversation::usual();
  setup.control = false;
  Conversation messages_only(setup);
  messages_only.cli.says(permission("p1", flaws()[0]));
  EXPECT_THAT(messages_only.cli.heard(), IsEmpty());
  EXPECT_THAT(messages_only.notes(LogLevel::warning, "request_unanswered"), SizeIs(1));
}

// ---- Answers -----------------------------------------------------------------------------------

// F8 F11
TEST(UnreadLines, AnAnswerThatCannotBeReadEndsItsCallWithAnError) {
  for (const Flaw& flaw : flaws()) {
    Conversation talk(with_short_lines());
    auto model = talk.user.sets_model("opus");
    auto interrupt = talk.user.interrupts();
    talk.cli.says(success(model.request_id, R"({"model":)" + flaw.value + "}"));
    EXPECT_THAT(model, ended_with(flaw.code, "set_model")) << flaw.name;
    EXPECT_THAT(model, ended_with(flaw.code, "it was the answer"));
    EXPECT_THAT(interrupt, still_waits());
    EXPECT_THAT(talk.notes(LogLevel::error, "operation_failed"), SizeIs(1));

    talk.cli.says(success(model.request_id, flaw.value));  // late, and strange
    talk.cli.says(success("req_99_5e1f", flaw.value));
    talk.cli.answers(interrupt, "{}");
    EXPECT_THAT(interrupt, succeeded_with("{}"));
  }
}

TEST(UnreadLines, AnAnswerWhoseIdStandsBesideItsBodyEndsItsCallToo) {
  Conversation talk;
  auto model = talk.user.sets_model("opus");
  talk.cli.says(with(
      R"({"type":"control_response","request_id":"$1","response":{"subtype":"success","x":1e999}})",
      model.request_id));
  EXPECT_THAT(model, ended_with(Errc::invalid_json, "set_model"));
}

// F3
TEST(UnreadLines, AnInitializeAnswerThatCannotBeReadFailsTheStartAtOnce) {
  for (const Flaw& flaw : flaws()) {
    Conversation talk(not_ready, with_short_lines());
    auto prompt = talk.user.sends("A");
    talk.cli.initializes(R"({"commands":)" + flaw.value + "}");
    EXPECT_THAT(talk, ended_with(flaw.code, "it was the answer")) << flaw.name;
    EXPECT_THAT(prompt, ended_with(Errc::session_not_initialized, "it was the answer"));
  }
}

TEST(UnreadLines, AnInitializeAnswerThatCannotBeReadIsDoneWithoutWhereTheCliHasAskedAlready) {
  Conversation talk(not_ready);
  talk.cli.says(hook_callback("h1"));
  talk.cli.initializes(R"({"commands":1e999})");
  EXPECT_EQ(talk.engine().state(), SessionState::running);
  EXPECT_THAT(talk.notes(LogLevel::warning, "no_initialize_answer"), SizeIs(1));
}

}  // namespace
}  // namespace claude::core
