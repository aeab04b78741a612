// Callbacks that are withdrawn, throw or never return, and prompts that meet: on real pipes and
// threads.
#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Not;

class Callbacks : public SimTest {
 protected:
  void play_a_command() {
    play(R"({"turns": [{"model": [{"tool": "Bash", "input": {"command": "make"}, "output": "made"},
                                  {"text": "Done."}]}]})");
  }

  // A permission callback that waits until it is withdrawn, and answers nevertheless.
  void answer_when_withdrawn() {
    options.can_use_tool = [this](const ToolRequest& request) -> Permission {
      request.cancel.on_request([this] { withdrawn.open(); });
      asked.open();
      EXPECT_TRUE(withdrawn.wait());
      return allow();
    };
  }

  Gate asked;
  Gate withdrawn;
};

// F7
TEST_F(Callbacks, AWithdrawnOneLearnsOfItAndItsAnswerIsNotWritten) {
  play(R"({"turns": [{"model": [
      {"send_control": {"subtype": "can_use_tool", "tool_name": "Bash", "input": {}},
       "request_id": "p1"},
      {"wait_for": {"request": {"subtype": "set_model"}}}, {"cancel": "p1"}, {"text": "Done."}]}]})");
  answer_when_withdrawn();
  Session session = start();
  Turn turn = session.send("go");
  EXPECT_TRUE(asked.wait());
  EXPECT_TRUE(session.set_model("opus").get()) << "the sign to withdraw it";
  EXPECT_TRUE(withdrawn.wait());
  EXPECT_EQ(said(std::move(turn)), "Done.");
  session.close();
  EXPECT_EQ(wire->answer_to(wire->their_requests("can_use_tool").at(0)), nullptr);
}

// F13
TEST_F(Callbacks, AHookThatThrowsLetsTheToolRunAndAPermissionThatThrowsDoesNot) {
  play_a_command();
  options.hooks.pre_tool_use(
      [](const PreToolUse&) -> Verdict<PreToolUse> { throw std::runtime_error("a \xff hook"); });
  options.allowed_tools = {"Bash"};
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));

  options.allowed_tools = {};
  options.can_use_tool = [](const ToolRequest&) -> Permission { throw 7; };
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre(Not("made")));
}

// F13
TEST_F(Callbacks, TextOfTheirsThatIsNoUtf8ReachesTheCliWithTheBadBytesReplaced) {
  play_a_command();
  options.can_use_tool = [](const ToolRequest&) -> Permission { return deny("caf\xe9 closed"); };
  Session session = start();
  EXPECT_THAT(watch(session.send("go")).tool_results(), ElementsAre("caf\ufffd closed"));
  EXPECT_EQ(said(session.send("Hello")), "You said: Hello");
}

// F15
TEST_F(Callbacks, AnInterruptWithdrawsAnOpenPermissionAndTheNextTurnWorks) {
  play_a_command();
  answer_when_withdrawn();
  Session session = start();
  Turn turn = session.send("go");
  EXPECT_TRUE(asked.wait());
  EXPECT_TRUE(session.interrupt().get());
  EXPECT_TRUE(withdrawn.wait());
  EXPECT_TRUE(turn.result().value().interrupted());
  EXPECT_EQ(said(session.send("Hello")), "You said: Hello");
}

// F16
TEST_F(Callbacks, TwoPromptsQueuedThenReadHaveEachItsOwnResult) {
  Session session = start();
  Turn first = session.send("one");
  Turn second = session.send("two");
  EXPECT_EQ(said(std::move(second)), "You said: two");
  EXPECT_EQ(said(std::move(first)), "You said: one");
}

}  // namespace
}  // namespace claude::test
