// Several threads on one session, and everything at the same time as its end.
#include <thread>

#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::AnyOf;

constexpr int kRounds = 20;

class Races : public SimTest {};

// F28
TEST_F(Races, ASendAtTheSameTimeAsACloseEndsEitherWay) {
  for (int round = 0; round < kRounds; ++round) {
    Session session = start();
    std::thread sender([copy = session]() mutable {
      for (int i = 0; i < 5; ++i) {
        Result<TurnResult> result = copy.send("Hello").result();
        if (!result) {
          EXPECT_EQ(result.error().code, Errc::session_stopped);
        }
      }
    });
    session.close();
    sender.join();
    EXPECT_EQ(session.state(), SessionState::stopped);
  }
}

// F28
TEST_F(Races, AnInterruptAtTheSameTimeAsTheExitEndsEitherWay) {
  play(R"({"turns": [{"raw": [{"exit": 0}]}]})");
  for (int round = 0; round < kRounds; ++round) {
    Session session = start();
    Turn turn = session.send("Hello");
    Result<InterruptReceipt> receipt = session.interrupt().get();
    if (!receipt) {
      EXPECT_THAT(receipt.error().code, AnyOf(Errc::exited, Errc::session_stopped));
    }
    Result<TurnResult> result = turn.result();
    if (!result) {
      EXPECT_EQ(result.error().code, Errc::ended_without_result);
    }
  }
}

// F28
TEST_F(Races, TwoThreadsOnOneSessionGetWhatIsTheirs) {
  play(R"({"turns": [{"repeat": true, "model": [{"text": "Hi"}]}]})");
  Session session = start();
  auto talk = [&](PermissionMode mode, std::string_view name) {
    for (int i = 0; i < kRounds; ++i) {
      Result<TurnResult> result = session.send("Hello").result();
      EXPECT_TRUE(result) << result.error().to_string();
      auto set = session.set_permission_mode(mode).get();
      EXPECT_TRUE(set && set->mode == name);
    }
  };
  std::thread other([&] { talk(PermissionMode::plan, "plan"); });
  talk(PermissionMode::accept_edits, "acceptEdits");
  other.join();
}

// F28
TEST_F(Races, ThreadsThatWaitForOneTurnShareItsMessages) {
  play(R"({"turns": [{"model": [{"flood": 2000}, {"text": "Hi"}]}]})");
  Session session = start();
  Turn turn = session.send("Hello");
  std::atomic<int> events = 0;
  auto take = [&] {
    while (auto message = turn.next()) events += std::holds_alternative<StreamEvent>(*message);
  };
  std::thread other(take);
  take();
  other.join();
  EXPECT_EQ(events, 2000);
}

}  // namespace
}  // namespace claude::test
