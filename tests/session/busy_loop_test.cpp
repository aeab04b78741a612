// While a callback holds up the runtime's thread: what others wait for goes on all the same.
#include "session/fixture.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;

// More of it than a pipe holds: a CLI whose errors nobody reads says no more.
const std::string kMuchStderr =
    R"({"stderr": ")" + std::string(1'000, 'e') + R"(", "times": 1000})";

class ABusyLoop : public SimTest {
 protected:
  ABusyLoop() { options.runtime = std::make_shared<Runtime>(RuntimeOptions{.pool_threads = 0}); }
  void TearDown() override { released.open(); }

  // A callback of another session runs there, and returns when the test is over.
  void hold_up_the_loop() {
    options.hooks.pre_tool_use([this](const PreToolUse&) {
      held.open();
      released.wait();
      return proceed();
    });
    play_turn(kMakeThenDone);
    holder = start();
    turn_of_holder = holder->send("go");
    turn_of_holder->then([](const Result<TurnResult>&) {});  // nobody waits for it: the loop does
    ASSERT_TRUE(held.wait());
  }

  Gate held, released;
  std::optional<Session> holder;
  std::optional<Turn> turn_of_holder;
};

TEST_F(ABusyLoop, StderrIsReadWhileItsListenerWaitsForTheSession) {
  std::optional<Session> session;
  Gate started, answered;
  bool is_first = true;
  options.on_stderr = [&](std::string_view) {
    if (!std::exchange(is_first, false)) return;
    started.wait();
    EXPECT_TRUE(session->set_model("opus").get());
    answered.open();
  };
  play_turn(R"([{"stderr": "first\n"}, )" + kMuchStderr + R"(, {"text": "Done."}])");
  session = start();
  Turn turn = session->send("go");
  started.open();
  EXPECT_EQ(said(std::move(turn)), "Done.");
  EXPECT_TRUE(answered.wait());
  session->close();
}

TEST_F(ABusyLoop, StderrIsReadWhileACallbackOfAnotherSessionIsAtWork) {
  play_turn("[" + kMuchStderr + R"(, {"text": "Done."}])");
  Session session = start();
  hold_up_the_loop();
  EXPECT_EQ(said(session.send("go")), "Done.");
}

TEST_F(ABusyLoop, CloseKeepsItsGracesWhileACallbackOfAnotherSessionIsAtWork) {
  options.timeouts.exit_grace = 10ms;
  options.timeouts.terminate_grace = 10ms;
  play(R"({"faults": {"ignore": ["eof", "sigterm"]}})");
  Session session = start();
  hold_up_the_loop();
  EXPECT_EQ(session.close(), EndStage::killed);
}

}  // namespace
}  // namespace claude::test
