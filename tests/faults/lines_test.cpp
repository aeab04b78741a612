// What a CLI should not write, does not write, or writes twice: on real pipes and threads. What
// exactly becomes of each kind of line is shown in tests/wire and tests/core.
#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class Lines : public SimTest {
 protected:
  // A turn that begins with these steps and then says "Hi.": whatever they write, it must arrive.
  Seen seen_after(const std::string& steps) {
    play_turn("[" + steps + R"(, {"text": "Hi."}])");
    Session session = start();
    Seen seen = watch(session.send("Hello"));
    EXPECT_EQ(seen.said(), "Hi.");
    EXPECT_TRUE(seen.result && seen.result->ok());
    counts = session.counts();
    return seen;
  }

  Counts counts;
};

// F4
TEST_F(Lines, AnOldCliIsRefusedAndPassesWhereItIsAllowed) {
  options.environment.set["CLAUDE_SIM_VERSION"] = "1.0.20";
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::unsupported_version);
  EXPECT_THAT(error.to_string(), HasSubstr("1.0.20"));

  options.allow_old_cli = true;
  EXPECT_EQ(said(start().send("Hello")), "You said: Hello");
}

// F5
TEST_F(Lines, ADeathInTheMiddleOfALineEndsAllThatWaits) {
  play(R"({"faults": {"answers": {"set_model": {"times": 0}}},
           "turns": [{"raw": [{"wait_for": {"type": "control_request"}}, {"stderr": "no memory"},
                              {"emit_text": "{\"type\":\"assis"}, {"kill": "SEGV"}]}]})");
  Session session = start();
  Turn turn = session.send("Hello");
  Call<ModelSet> call = session.set_model("opus");
  Stream<SessionEvent> events = session.events();

  for (const Error& error : {turn.result().error(), call.get().error(),
                             std::get<SessionFailed>(events.next().value()).error}) {
    EXPECT_EQ(error.signal, 11) << error.to_string();
    EXPECT_THAT(error.message, HasSubstr("in the middle of a line"));
    EXPECT_EQ(error.stderr_tail, "no memory");
  }
}

// F6
TEST_F(Lines, WhatIsNewArrivesRaw) {
  Seen seen = seen_after(R"({"emit": {"type": "hologram", "depth": 3}},
      {"emit": {"type": "system", "subtype": "weather", "sun": true}})");
  std::vector<UnknownMessage> unknown = seen.all<UnknownMessage>();
  ASSERT_THAT(unknown, SizeIs(2));
  EXPECT_THAT(std::string(unknown[0].raw), HasSubstr(R"("depth":3)"));
}

// F8
TEST_F(Lines, WhatIsNoJsonIsCountedAndToldAndLeftBehind) {
  Seen seen = seen_after(R"({"emit_text": "npm WARN deprecated\n\n\r\n"},
      {"emit_hex": "7b2274797065223a22fffe227d0a"}, {"emit_hex": "7b007d0a"},
      {"emit": {"type": "separated", "by": "\u2028"}, "times": 2})");
  EXPECT_EQ(counts.bad_lines, 3u);
  EXPECT_THAT(log.at(LogLevel::warning), Contains(HasSubstr("npm WARN deprecated")));
  EXPECT_THAT(seen.all<UnknownMessage>(), SizeIs(2));
}

// F9
TEST_F(Lines, AFieldOfTheWrongTypeIsEmptyAndItsMessageArrives) {
  Seen seen = seen_after(R"({"emit": {"type": "user", "message": {"role": "user", "content":
      [{"type": "tool_result", "tool_use_id": null, "content": null, "is_error": "no"}]}}})");
  ASSERT_THAT(seen.all<UserMessage>(), SizeIs(1));
  EXPECT_THAT(std::string(seen.all<UserMessage>()[0].raw), HasSubstr(R"("is_error":"no")"));
}

// F10
TEST_F(Lines, ARequestThatNobodyKnowsGetsAnErrorAndTheTurnGoesOn) {
  seen_after(R"({"send_control": {"subtype": "make_coffee"}, "await": true},
      {"emit": {"type": "control_request", "request": {"subtype": "without_an_id"}}})");
  EXPECT_EQ(counts.unknown_requests, 1u);
  WireJson asked = wire->their_requests("make_coffee").at(0);
  EXPECT_EQ(wire->answer_to(asked)["subtype"], "error");
}

// S126 F10
TEST_F(Lines, APermissionWhoseInputIsNestedTooDeepIsRefusedAndTheTurnGoesOn) {
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    ADD_FAILURE() << "there is nothing to ask";
    return allow();
  };
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  seen_after(
      R"({"send_control": {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"a": )" +
      deep + R"(}}, "await": true})");
  EXPECT_EQ(counts.bad_lines, 1u);
  WireJson asked = wire->their_requests("can_use_tool").at(0);
  EXPECT_EQ(wire->answer_to(asked)["subtype"], "error");  // which the CLI takes as a denial
}

// F8
TEST_F(Lines, AResultThatCannotBeReadEndsItsTurnAndTheNextOneWorks) {
  play(R"({"turns": [{"raw": [{"emit_text": "{\"type\":\"result\",\"result\":1e999}\n"}]}]})");
  Session session = start();
  Error error = session.send("Hello").result().error();
  EXPECT_EQ(error.code, Errc::invalid_json);
  EXPECT_THAT(error.message, HasSubstr("it was the result"));
  EXPECT_EQ(said(session.send("Hello")), "You said: Hello");
}

// F29
TEST_F(Lines, AnAnswerThatComesTwiceOrToNobodyIsDropped) {
  play(R"({"faults": {"answers": {"set_model": {"times": 2},
                                  "set_permission_mode": {"request_id": "somebody else"}}}})");
  options.timeouts.set_permission_mode = std::chrono::milliseconds(20);
  Session session = start();
  EXPECT_TRUE(session.set_model("opus").get());
  EXPECT_EQ(session.set_permission_mode(PermissionMode::plan).get().error().code, Errc::timeout);
  EXPECT_EQ(said(session.send("Hello")), "You said: Hello");
}

// F30
TEST_F(Lines, WhatIsWrittenJustBeforeTheExitIsDeliveredBeforeIt) {
  play(R"({"turns": [{"model": [{"flood": 500}, {"text": "Hi."}], "after": [{"exit": 0}]}]})");
  Session session = start();
  Seen seen = watch(session.send("Hello"));
  EXPECT_THAT(seen.all<StreamEvent>(), SizeIs(500));
  EXPECT_TRUE(seen.result && seen.result->ok());
}

}  // namespace
}  // namespace claude::test
