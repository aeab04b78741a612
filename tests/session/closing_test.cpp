// How sessions end: close(), the last handle, mid-turn, twice, with a CLI that will not go.
#include <signal.h>

#include <thread>

#include "session/fixture.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;

bool alive(int pid) {
  return kill(pid, 0) == 0;
}

class Closing : public SimTest {
 protected:
  // Until the turn is under way.
  static void begin(Turn& turn) {
    while (std::optional<Message> message = turn.next()) {
      if (std::holds_alternative<SystemInit>(*message)) return;
    }
    FAIL() << "the turn ended before it began";
  }
};

TEST_F(Closing, ACliThatIsIdleGoesWithItsInput) {
  Session session = start();
  int pid = session.pid().value();
  said(session.send("Hello"));
  EXPECT_EQ(session.close(), EndStage::input_closed);
  EXPECT_FALSE(alive(pid));
}

// F17
TEST_F(Closing, TwiceIsFine) {
  Session session = start();
  EXPECT_EQ(session.close(), EndStage::input_closed);
  EXPECT_EQ(session.close(), EndStage::input_closed);
}

// F17
TEST_F(Closing, AnotherSessionMayStartAfterwards) {
  start().close();
  EXPECT_EQ(said(start().send("Hello")), "You said: Hello");
}

TEST_F(Closing, FromTwoThreadsIsFine) {
  Session session = start();
  std::thread other([copy = session]() mutable { copy.close(); });
  session.close();
  other.join();
  EXPECT_EQ(session.state(), SessionState::stopped);
}

// S91
TEST_F(Closing, EndsWhatIsUnderWay) {
  play_turn(R"([{"hang": true}])");
  options.timeouts.exit_grace = 0ms;
  Session session = start();
  Turn turn = session.send("Hello");
  begin(turn);
  int pid = session.pid().value();

  session.close();

  EXPECT_FALSE(alive(pid));
  ASSERT_FALSE(turn.result());
  EXPECT_EQ(turn.result().error().code, Errc::session_stopped);
  EXPECT_EQ(session.send("more").result().error().code, Errc::session_stopped);
  EXPECT_EQ(session.interrupt().get().error().code, Errc::session_stopped);
}

// F17
TEST_F(Closing, TheLastHandleEndsTheSession) {
  play_turn(R"([{"hang": true}])");
  int pid = 0;
  std::optional<Turn> turn;
  {
    Session session = start();
    Session copy = session;
    pid = session.pid().value();
    turn = session.send("Hello");
    begin(*turn);
  }
  EXPECT_FALSE(alive(pid)) << "no grace for a turn that still runs";
  EXPECT_FALSE(turn->result());
}

TEST_F(Closing, AHandleThatLivesKeepsTheSession) {
  std::optional<Session> copy;
  {
    Session session = start();
    copy = session;
  }
  EXPECT_EQ(said(copy->send("Hello")), "You said: Hello");
}

TEST_F(Closing, MessagesOutliveTheirSession) {
  std::optional<Message> kept;
  {
    Session session = start();
    kept = watch(session.send("Hello")).messages.back();
  }
  EXPECT_EQ(*std::get<ResultMessage>(*kept).result, "You said: Hello");
}

TEST_F(Closing, ForceIsUsedStepByStep) {
  options.timeouts.exit_grace = 10ms;
  options.timeouts.terminate_grace = 1h;
  play(R"({"faults": {"ignore": ["eof"]}})");
  Session deaf = start();
  EXPECT_EQ(deaf.close(), EndStage::terminated);

  options.timeouts.terminate_grace = 10ms;
  play(R"({"faults": {"ignore": ["eof", "sigterm"]}})");
  Session stubborn = start();
  int pid = stubborn.pid().value();
  EXPECT_EQ(stubborn.close(), EndStage::killed);
  EXPECT_FALSE(alive(pid));
}

// S90
TEST_F(Closing, ACallbackThatAnswersAfterTheEndDoesNoHarm) {
  play_turn(R"([{"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}}])");
  options.timeouts.exit_grace = 0ms;
  Gate inside;
  Gate cancelled;
  Gate release;
  Gate left;
  options.can_use_tool_later = [&](ToolRequest request, Reply<Permission> reply) {
    request.cancel.on_request([&] { cancelled.open(); });
    inside.open();
    release.wait();
    reply(allow());
    left.open();
  };
  Session session = start();
  Turn turn = session.send("go");
  inside.wait();
  session.close();
  EXPECT_TRUE(cancelled.wait()) << "the callback learns that nobody waits";
  std::size_t written = wire->written().size();

  release.open();
  left.wait();
  EXPECT_EQ(wire->written().size(), written);
}

// F13
TEST_F(Closing, ACallbackThatNeverReturnsIsLeftBehind) {
  play_turn(R"([{"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}}])");
  options.timeouts.exit_grace = 0ms;
  auto inside = std::make_shared<Gate>();
  auto release = std::make_shared<Gate>();
  options.can_use_tool = [=](const ToolRequest&) -> Permission {
    inside->open();
    release->wait();
    return allow();
  };
  {
    Session session = start();
    session.send("go");
    inside->wait();
  }
  release->open();  // only so that its thread ends before the test does
}

}  // namespace
}  // namespace claude::test
