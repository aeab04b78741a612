// The ladder on a fed clock.
#include "io/ladder.h"

#include <gtest/gtest.h>

namespace claude::io {
namespace {

using namespace std::chrono_literals;

constexpr bool kRunning = false;
constexpr bool kExited = true;
const Ending::TimePoint kStart = Ending::TimePoint{} + 1h;

TEST(Ending, ClimbsStepByStepEachAfterItsGrace) {
  Ending ending({.eof_grace = 5s, .term_grace = 3s, .kill_grace = 2s});
  ending.start(kStart);
  EXPECT_EQ(ending.next_deadline(), kStart);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::close_stdin);
  EXPECT_EQ(ending.next_deadline(), kStart + 5s);
  EXPECT_EQ(ending.step(kStart + 5s - 1ns, kRunning), Action::wait);
  EXPECT_EQ(ending.step(kStart + 5s, kRunning), Action::terminate_group);
  EXPECT_EQ(ending.reached(), Stage::term);
  EXPECT_EQ(ending.next_deadline(), kStart + 8s);
  EXPECT_EQ(ending.step(kStart + 8s, kRunning), Action::kill_group);
  EXPECT_EQ(ending.reached(), Stage::kill);
  EXPECT_EQ(ending.step(kStart + 9s, kRunning), Action::wait);
  EXPECT_EQ(ending.step(kStart + 10s, kRunning), Action::abandon);
  EXPECT_EQ(ending.reached(), Stage::abandoned);
  EXPECT_EQ(ending.next_deadline(), std::nullopt);
  EXPECT_EQ(ending.step(kStart + 1h, kRunning), Action::abandon);
}

TEST(Ending, DoesNothingBeforeItIsStarted) {
  Ending ending;
  EXPECT_EQ(ending.next_deadline(), std::nullopt);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::wait);
}

TEST(Ending, ASecondStartDoesNotProlongIt) {
  Ending ending;
  ending.start(kStart);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::close_stdin);
  ending.start(kStart + 4s);
  EXPECT_EQ(ending.next_deadline(), kStart + 5s);
}

TEST(Ending, AfterAnExitTheRestOfTheGroupIsKilledThenTheLeaderReaped) {
  Ending ending;
  ending.start(kStart);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::close_stdin);
  EXPECT_EQ(ending.step(kStart + 1s, kExited), Action::kill_group);
  EXPECT_EQ(ending.next_deadline(), std::nullopt);
  EXPECT_EQ(ending.step(kStart + 1s, kExited), Action::reap);
  EXPECT_EQ(ending.reached(), Stage::eof);
}

TEST(Ending, ALeaderThatExitsByItselfNeedsNoStart) {
  Ending ending;
  EXPECT_EQ(ending.step(kStart, kExited), Action::kill_group);
  EXPECT_EQ(ending.step(kStart, kExited), Action::reap);
  EXPECT_EQ(ending.reached(), Stage::none);
}

TEST(Ending, AfterAKillTheGroupIsNotKilledAgain) {
  Ending ending({.eof_grace = 0s, .term_grace = 0s, .kill_grace = 2s});
  ending.start(kStart);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::close_stdin);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::terminate_group);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::kill_group);
  EXPECT_EQ(ending.step(kStart, kExited), Action::reap);
}

TEST(Ending, AnAbandonedLeaderThatExitsAfterAllIsReaped) {
  Ending ending({.eof_grace = 0s, .term_grace = 0s, .kill_grace = 0s});
  ending.start(kStart);
  for (int i = 0; i < 4; ++i) ending.step(kStart, kRunning);
  EXPECT_EQ(ending.reached(), Stage::abandoned);
  EXPECT_EQ(ending.step(kStart + 1h, kExited), Action::reap);
}

TEST(Ending, ALateCallerSkipsNoStep) {
  Ending ending;
  ending.start(kStart);
  EXPECT_EQ(ending.step(kStart + 1h, kRunning), Action::close_stdin);
  EXPECT_EQ(ending.step(kStart + 1h, kRunning), Action::wait);
  EXPECT_EQ(ending.step(kStart + 2h, kRunning), Action::terminate_group);
  EXPECT_EQ(ending.next_deadline(), kStart + 2h + 5s);
}

TEST(Ending, AGraceMayBeForEver) {
  Ending ending({.eof_grace = std::chrono::milliseconds::max()});
  ending.start(kStart);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::close_stdin);
  EXPECT_EQ(ending.next_deadline(), Ending::TimePoint::max());
  EXPECT_EQ(ending.step(kStart + 10000h, kRunning), Action::wait);
}

TEST(Ending, AGraceBelowZeroIsNone) {
  Ending ending({.eof_grace = std::chrono::milliseconds::min(), .term_grace = -1ms});
  ending.start(kStart);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::close_stdin);
  EXPECT_EQ(ending.next_deadline(), kStart);
  EXPECT_EQ(ending.step(kStart, kRunning), Action::terminate_group);
  EXPECT_EQ(ending.next_deadline(), kStart);
}

}  // namespace
}  // namespace claude::io
