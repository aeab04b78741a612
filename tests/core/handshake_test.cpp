// How a session begins: initialize, its answer, and what may happen before it.
#include "core/conversation.h"

namespace claude::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> states(const Conversation& talk) {
  std::vector<std::string> states;
  for (const Event& event : talk.events()) {
    if (std::holds_alternative<StateChanged>(event)) states.push_back(describe(event));
  }
  return states;
}

// S23 S60
TEST(Handshake, InitializeIsTheFirstLine) {
  Conversation talk(not_ready);
  talk.user.sends("Hello");
  talk.user.interrupts();

  EXPECT_THAT(talk.cli.heard(), ElementsAre(json::parse(R"(
      {"type":"control_request","request_id":"req_1_5e1f","request":{"subtype":"initialize"}})")));
}

// S72 S76 S177
TEST(Handshake, PromptsAndOperationsWaitForItsAnswer) {
  Conversation talk(not_ready);
  auto prompt = talk.user.sends("Hello");
  EXPECT_EQ(talk.engine().state(), SessionState::initializing);
  EXPECT_EQ(talk.cli.heard().size(), 1u);

  talk.cli.initializes();

  EXPECT_EQ(talk.engine().state(), SessionState::running);
  ASSERT_EQ(talk.cli.heard().size(), 2u);
  EXPECT_EQ(talk.cli.heard()[1]["message"]["content"], "Hello");
  EXPECT_THAT(prompt, still_waits());
}

// S80
TEST(Handshake, WhatWaitedIsSentInOrderEachWithItsOwnIdAndTimer) {
  Conversation talk(not_ready);
  auto first = talk.user.calls(R"({"subtype":"interrupt"})", 5s);
  talk.user.sends("Hello");
  auto second = talk.user.calls(R"({"subtype":"mcp_status"})", 9s);
  talk.passes(30s);  // waiting costs none of their time

  talk.cli.initializes();

  std::vector<std::string> sent;
  for (const json& line : talk.cli.heard()) sent.push_back(line.value("request_id", "prompt"));
  EXPECT_THAT(sent, ElementsAre("req_1_5e1f", first.request_id, "prompt", second.request_id));
  EXPECT_NE(first.request_id, second.request_id);
  talk.passes(5s);
  EXPECT_THAT(first, ended_with(Errc::timeout, "interrupt"));
  EXPECT_THAT(second, still_waits());
  talk.passes(4s);
  EXPECT_THAT(second, ended_with(Errc::timeout, "mcp_status"));
}

// S71
TEST(Handshake, TheAnswerIsKept) {
  Conversation talk(not_ready);
  EXPECT_FALSE(talk.engine().server_info());

  talk.cli.initializes(R"({"pid":4711,"capabilities":["a"]})");

  ASSERT_TRUE(talk.engine().server_info());
  EXPECT_EQ(json::parse(talk.engine().server_info()->payload.text())["pid"], 4711);
}

// S70
TEST(Handshake, ACliThatDoesNotSayWhatItCanDoIsStillGood) {
  Conversation talk(not_ready);
  talk.cli.says(bare_success("req_1_5e1f"));

  EXPECT_EQ(talk.engine().state(), SessionState::running);
  EXPECT_THAT(talk.notes(LogLevel::warning, "no_capabilities"), SizeIs(1));
  EXPECT_EQ(talk.engine().server_info()->payload.text(), "");
}

// S77 S78
TEST(Handshake, TheStatesFollowEachOther) {
  Conversation good;
  good.user.stops();
  EXPECT_THAT(states(good), ElementsAre("state starting initializing", "state initializing running",
                                        "state running stopped"));

  Conversation refused(not_ready);
  refused.cli.says(refusal("req_1_5e1f", "hooks must map hook events to arrays"));
  EXPECT_THAT(states(refused),
              ElementsAre("state starting initializing", "state initializing failed"));
  EXPECT_THAT(refused, ended_with(Errc::init_failed, "hooks must map hook events to arrays"));

  Conversation stopped(not_ready);
  stopped.user.stops();
  EXPECT_THAT(states(stopped),
              ElementsAre("state starting initializing", "state initializing stopped"));
}

// S73 S94 S177
TEST(Handshake, NoAnswerInTimeIsAFailureNotAMillisecondEarlier) {
  Conversation talk(not_ready);
  talk.passes(59'999ms);
  EXPECT_EQ(talk.engine().state(), SessionState::initializing);

  talk.passes(1ms);

  EXPECT_EQ(talk.engine().state(), SessionState::failed);
  EXPECT_THAT(talk, ended_with(Errc::init_timeout, "60000 ms"));
}

TEST(Handshake, AProgramThatSpeaksNoJsonIsSuspectedOfBeingAnother) {
  Conversation talk(not_ready);
  talk.cli.says("<html>502 Bad Gateway</html>");
  talk.passes(60'000ms);
  EXPECT_THAT(talk, ended_with(Errc::init_timeout, "1 line(s) that could not be read"));
}

// F3
TEST(Handshake, ATimeoutTellsWhatTheCliSaidInsteadOfAnAnswer) {
  Conversation talk(not_ready);
  talk.cli.says(failed_result("No conversation found"));
  talk.passes(60'000ms);
  ASSERT_TRUE(talk.error());
  EXPECT_EQ(talk.error()->code, Errc::init_timeout);
  EXPECT_EQ(talk.error()->cli_text, "No conversation found");
}

TEST(Handshake, AProgramThatEndsNoLineIsSuspectedOfBeingAnother) {
  auto setup = Conversation::usual();
  setup.limits.line_bytes = 100;
  for (std::size_t bytes : {3U, 200U}) {
    Conversation talk(not_ready, setup);
    talk.cli.sends_bytes(std::string(bytes, '>'));
    talk.passes(60'000ms);
    EXPECT_THAT(talk, ended_with(Errc::init_timeout,
                                 "It wrote " + std::to_string(bytes) + " bytes and no newline"));
  }
}

TEST(Handshake, WhereTheAnswerWasTooLongTheLimitIsNamed) {
  auto setup = Conversation::usual();
  setup.limits.line_bytes = 100;
  Conversation talk(not_ready, setup);
  talk.cli.says(std::string(101, ' '));
  talk.passes(60'000ms);
  EXPECT_THAT(talk, ended_with(Errc::init_timeout, "1 line(s) above Limits::line_bytes"));
}

// S78 S81
TEST(Handshake, AnExitBeforeTheAnswerIsAFailure) {
  Conversation talk(not_ready);
  auto interrupt = talk.user.interrupts();
  auto prompt = talk.user.sends("Hello");

  talk.cli.dies(exit_code{3}, "error: unknown option");

  EXPECT_THAT(talk, ended_with(Errc::exited_during_init, "error: unknown option"));
  EXPECT_EQ(talk.error()->exit_code, 3);
  EXPECT_THAT(interrupt, ended_with(Errc::session_not_initialized, "interrupt"));
  EXPECT_THAT(prompt, ended_with(Errc::session_not_initialized, "never became ready"));
}

TEST(Handshake, OfResultsWithoutEndInPlaceOfTheAnswerTheFirstAreKept) {
  Conversation talk(not_ready);
  for (int i = 0; i < 1000; ++i) talk.cli.says(failed_result(std::string(1000, 'x')));
  talk.cli.dies(exit_code{1});
  EXPECT_THAT(talk.error()->cli_text,
              SizeIs(testing::AllOf(testing::Gt(60'000u), testing::Lt(70'000u))));
}

TEST(Handshake, OfALongResultInPlaceOfTheAnswerTheBeginningIsKept) {
  Conversation talk(not_ready);
  std::string long_text = "x";  // an é has two bytes: it would be cut in the middle
  for (int i = 0; i < 100'000; ++i) long_text += "é";
  talk.cli.says(failed_result(long_text));
  talk.cli.says(failed_result("more"));
  talk.cli.dies(exit_code{1});
  const std::string kept = talk.error()->cli_text;
  EXPECT_THAT(kept, testing::AllOf(testing::StartsWith("xéé"), testing::EndsWith("éé...")));
  EXPECT_THAT(kept, SizeIs(testing::AllOf(testing::Gt(65'000u), testing::Lt(66'000u))));
}

TEST(Handshake, AResultInPlaceOfTheAnswerSaysWhyTheCliCouldNotBegin) {
  Conversation talk(not_ready);
  auto prompt = talk.user.sends("Hello");
  talk.cli.says(failed_result("No conversation found with session ID: 1234"));
  EXPECT_THAT(prompt, still_waits());  // it was not sent, so this is not its result

  talk.cli.dies(exit_code{1});

  EXPECT_THAT(talk, ended_with(Errc::exited_during_init, ""));
  EXPECT_EQ(talk.error()->cli_text, "No conversation found with session ID: 1234");
  EXPECT_THAT(prompt, ended_with(Errc::session_not_initialized, ""));
}

TEST(Handshake, ACliThatIsTooOldIsRefusedByWhatItSaysOfItself) {
  auto setup = Conversation::usual();
  setup.refuse_version = [](std::string_view version) -> std::optional<Error> {
    if (version != "1.0.40") return std::nullopt;
    return Error{.code = Errc::unsupported_version, .message = "too old: 1.0.40"};
  };
  Conversation old(not_ready, setup);
  auto interrupt = old.user.interrupts();
  old.cli.initializes(R"({"claude_code_version":"1.0.40"})");
  EXPECT_THAT(old, ended_with(Errc::unsupported_version, "too old"));
  EXPECT_THAT(interrupt, ended_with(Errc::session_not_initialized, "too old"));

  Conversation young(setup);
  EXPECT_EQ(young.engine().state(), SessionState::running);
}

// S148
TEST(Handshake, ATransportWithoutControlNeedsNoneAndHasNoOperations) {
  auto setup = Conversation::usual();
  setup.control = false;
  Conversation talk(not_ready, setup);
  talk.user.sends("Hello");

  EXPECT_EQ(talk.engine().state(), SessionState::running);
  ASSERT_THAT(talk.cli.heard(), SizeIs(1));
  EXPECT_EQ(talk.cli.heard()[0]["type"], "user");
  EXPECT_THAT(talk.user.interrupts(), ended_with(Errc::not_supported, "interrupt"));

  talk.cli.says(hook_callback("h1"));
  EXPECT_THAT(talk.asked(), IsEmpty());
  EXPECT_THAT(talk.cli.heard(), SizeIs(1)) << "no answer would go through";
  EXPECT_THAT(talk.notes(LogLevel::warning, "request_unanswered"), SizeIs(1));
}

// ---- Before the answer -------------------------------------------------------------------------

// S74
TEST(Handshake, WhatTheCliAsksBeforeItsAnswerIsServedAtOnce) {
  Conversation talk(not_ready);
  talk.cli.says(mcp_message("m1"));
  talk.user.answers(talk.last_ask(), R"({"mcp_response":{}})");
  talk.cli.says(hook_callback("h1"));
  talk.user.answers(talk.last_ask(), R"({"continue":true})");

  EXPECT_EQ(talk.engine().state(), SessionState::initializing);
  EXPECT_EQ(talk.cli.answer_to("m1"), json::parse(R"({"mcp_response":{}})"));
  EXPECT_EQ(talk.cli.answer_to("h1"), json::parse(R"({"continue":true})"));
}

// S74
TEST(Handshake, ASessionWhoseCliHasAskedGoesOnWithoutTheAnswer) {
  for (const std::string& ask : {hook_callback("1"), can_use_tool("1"), mcp_message("1")}) {
    SCOPED_TRACE(ask);
    Conversation talk(not_ready);
    talk.user.sends("Hello");
    talk.cli.says(ask);
    talk.passes(59'999ms);
    EXPECT_EQ(talk.engine().state(), SessionState::initializing);
    EXPECT_EQ(talk.cli.heard().size(), 1u);

    talk.passes(1ms);

    EXPECT_EQ(talk.engine().state(), SessionState::running);
    EXPECT_THAT(talk.notes(LogLevel::warning, "no_initialize_answer"), SizeIs(1));
    EXPECT_EQ(talk.cli.heard()[1]["type"], "user");
  }
}

// S74
TEST(Handshake, OrdinaryMessagesConfirmNothing) {
  Conversation talk(not_ready);
  talk.cli.says(system_init());
  talk.cli.says(assistant("hi"));
  talk.passes(60s);

  EXPECT_EQ(talk.engine().state(), SessionState::failed);
  EXPECT_THAT(talk.messages(), SizeIs(2));
}

// S75
TEST(Handshake, EvenAnUnknownCallbackProvesThatTheCliIsThere) {
  auto setup = Conversation::usual();
  setup.permissions = false;
  Conversation talk(not_ready, setup);
  talk.cli.says(hook_callback("h1", "hook_99"));
  talk.cli.says(can_use_tool("p1"));
  EXPECT_EQ(talk.cli.answer_to("h1"), json::parse(R"({"continue":true})"));
  EXPECT_EQ(talk.cli.answer_to("p1")["behavior"], "deny");
  EXPECT_THAT(talk.asked(), IsEmpty());

  talk.passes(60s);

  EXPECT_EQ(talk.engine().state(), SessionState::running);
}

TEST(Handshake, AnAnswerAfterItsTimeoutIsTooLate) {
  Conversation talk(not_ready);
  talk.cli.says(hook_callback("h1"));
  talk.passes(60s);
  talk.cli.initializes();

  EXPECT_EQ(talk.engine().state(), SessionState::running);
  EXPECT_FALSE(talk.engine().server_info());
  EXPECT_EQ(talk.engine().counts().late_answers, 1u);
}

}  // namespace
}  // namespace claude::core
