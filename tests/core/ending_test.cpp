// How a session ends: by the CLI's exit, by its death, by the user; and that nothing follows.
#include "core/conversation.h"

namespace claude::core {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What kinds of events came, in order, without diagnostics.
std::vector<std::string> kinds(const Conversation& talk, std::size_t from) {
  std::vector<std::string> kinds;
  for (std::size_t i = from; i < talk.events().size(); ++i) {
    std::string text = describe(talk.events()[i]);
    std::string kind = text.substr(0, text.find(' '));
    if (kind != "note") kinds.push_back(kind);
  }
  return kinds;
}

// S91 F5
TEST(Ending, EverythingThatWaitsEndsWhenTheCliDies) {
  Conversation talk;
  auto interrupt = talk.user.interrupts();
  auto model = talk.user.sets_model("opus");
  auto prompt = talk.user.sends("hello");
  talk.cli.sends_bytes(R"({"type":"assist)");

  talk.cli.dies(exit_code{3}, "out of memory");

  for (const std::string text :
       {"code 3", "in the middle of a line of 15 bytes", "out of memory"}) {
    EXPECT_THAT(interrupt, ended_with(Errc::exited, text));
    EXPECT_THAT(model, ended_with(Errc::exited, text));
    EXPECT_THAT(prompt, ended_with(Errc::exited, text));
    EXPECT_THAT(talk, ended_with(Errc::exited, text));
  }
  EXPECT_EQ(interrupt.error()->exit_code, 3);
}

// F5
TEST(Ending, ADeathBySignalSaysWhich) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  talk.cli.dies(by_signal{9}, "Killed");
  EXPECT_THAT(prompt, ended_with(Errc::exited, "signal 9"));
  EXPECT_EQ(prompt.error()->signal, 9);
  EXPECT_EQ(talk.ended()->how, SessionEnded::How::failed);
}

TEST(Ending, TheAdviceSendsNobodyToAnEmptyStderr) {
  Conversation silent;
  auto prompt = silent.user.sends("hello");
  silent.cli.dies(by_signal{9});
  EXPECT_THAT(prompt, ended_with(Errc::exited, "It wrote nothing to stderr."));

  Conversation talk;
  auto other = talk.user.sends("hello");
  talk.cli.dies(by_signal{9}, "boom");
  EXPECT_THAT(other, ended_with(Errc::exited, "Read its stderr."));
}

TEST(Ending, TheAdviceTellsOfLinesThatNobodySaw) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  talk.cli.says("Segmentation fault");
  talk.cli.dies(exit_code{3});
  EXPECT_THAT(prompt, ended_with(Errc::exited, "It wrote 1 line(s) that could not be read"));
}

// S21 S78
TEST(Ending, AnExitInGoodOrderIsNoFailure) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  talk.cli.says(result_for(prompt.uuid, "hi"));
  talk.cli.dies(exit_code{0});

  ASSERT_NE(talk.ended(), nullptr);
  EXPECT_EQ(talk.ended()->how, SessionEnded::How::completed);
  EXPECT_EQ(talk.ended()->exit.code, 0);
  EXPECT_FALSE(talk.error());
  EXPECT_EQ(talk.engine().state(), SessionState::stopped);
}

// The CLI exits with 1 at the end of its input when its last result was an error.
TEST(Ending, AnErrorThatTheResultHasToldIsNotToldAgain) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  talk.cli.says(failed_result("boom"));
  EXPECT_TRUE(prompt.ended()->result->is_error);
  talk.cli.dies(exit_code{1});
  EXPECT_EQ(talk.ended()->how, SessionEnded::How::completed);

  Conversation other;
  other.cli.dies(exit_code{1});
  EXPECT_EQ(other.ended()->how, SessionEnded::How::failed);

  Conversation cut;
  cut.user.sends("hello");
  cut.cli.says(failed_result("boom"));
  cut.cli.sends_bytes(R"({"type":"assi)");
  cut.cli.dies(exit_code{1});
  EXPECT_THAT(cut, ended_with(Errc::exited, "in the middle of a line"));
}

TEST(Ending, AnExitBeforeTheResultFailsTheTurnByItsOwnCode) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  auto interrupt = talk.user.interrupts();
  talk.cli.dies(exit_code{0});

  EXPECT_THAT(prompt, ended_with(Errc::ended_without_result, "before the turn had a result"));
  EXPECT_THAT(interrupt, ended_with(Errc::exited, "code 0"));
  EXPECT_THAT(talk, ended_with(Errc::ended_without_result, ""));
}

TEST(Ending, APeerThatIsJustGoneIsDoneIfNothingWasOpen) {
  Conversation idle;
  idle.cli.vanishes();
  EXPECT_EQ(idle.ended()->how, SessionEnded::How::completed);

  Conversation busy;
  auto prompt = busy.user.sends("hello");
  busy.cli.vanishes();
  EXPECT_THAT(prompt, ended_with(Errc::ended_without_result, ""));

  Conversation cut;
  cut.cli.sends_bytes("{");
  cut.cli.vanishes();
  EXPECT_THAT(cut, ended_with(Errc::exited, "in the middle of a line"));
}

// F30
TEST(Ending, WhatArrivedBeforeTheExitIsDeliveredBeforeIt) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  auto interrupt = talk.user.interrupts();
  talk.engine().feed(success(interrupt.request_id, "{}") + "\n" + assistant("hi") + "\n" +
                     result_for(prompt.uuid, "hi") + "\n");
  talk.cli.dies(exit_code{0});

  EXPECT_THAT(interrupt, succeeded_with("{}"));
  EXPECT_THAT(prompt, ended_with_result("hi"));
  EXPECT_EQ(talk.ended()->how, SessionEnded::How::completed);
}

TEST(Ending, ACliThatIsGoneIsNotCalledSlow) {
  Conversation talk(not_ready);
  talk.engine().peer_ended({.code = 1, .signal = {}}, "");
  talk.passes(2h);
  EXPECT_THAT(talk, ended_with(Errc::exited_during_init, "code 1"));

  Conversation later;
  auto interrupt = later.user.interrupts();
  later.engine().peer_ended({.code = 1, .signal = {}}, "");
  later.passes(2h);
  EXPECT_THAT(interrupt, ended_with(Errc::exited, "code 1"));
}

// ---- The user ends it --------------------------------------------------------------------------

// S78 S89
TEST(Ending, AStopEndsAsksThenCallsThenTurnsThenTheSession) {
  Conversation talk;
  auto prompt = talk.user.sends("hello");
  auto interrupt = talk.user.interrupts();
  talk.cli.says(hook_callback("h1"));
  std::size_t before = talk.events().size();

  talk.user.stops();

  EXPECT_THAT(kinds(talk, before), ElementsAre("withdrawn", "call", "turn", "state", "end"));
  EXPECT_THAT(interrupt, ended_with(Errc::session_stopped, "stopped"));
  EXPECT_THAT(prompt, ended_with(Errc::session_stopped, "stopped"));
  EXPECT_EQ(talk.ended()->how, SessionEnded::How::stopped);
  EXPECT_EQ(talk.engine().next_deadline(), TimePoint::max());
  EXPECT_EQ(talk.engine().open_asks() + talk.engine().pending_calls(), 0u);
}

TEST(Ending, AStopBeforeTheStartIsOverEndsWhatWaitedForIt) {
  Conversation talk(not_ready);
  auto interrupt = talk.user.interrupts();
  auto prompt = talk.user.sends("hello");
  talk.user.stops();
  EXPECT_THAT(interrupt, ended_with(Errc::session_stopped, "interrupt"));
  EXPECT_THAT(prompt, ended_with(Errc::session_stopped, ""));
  EXPECT_THAT(talk.cli.heard(), SizeIs(1));  // only initialize
}

// S90
TEST(Ending, WhateverComesAfterTheEndIsIgnored) {
  Conversation talk;
  auto interrupt = talk.user.interrupts();
  talk.cli.says(hook_callback("h1"));
  AskId ask = talk.last_ask();
  talk.cli.sends_bytes(R"({"type":"system","subty)");
  talk.user.stops();
  std::size_t events = talk.events().size();
  std::size_t lines = talk.cli.heard().size();

  talk.cli.sends_bytes("pe\":\"init\"}\n");
  talk.cli.answers(interrupt, "{}");
  talk.cli.says(can_use_tool("p1"));
  talk.cli.says(cancel_request("h1"));
  talk.cli.says("no JSON");
  talk.user.answers(ask, "{}");
  talk.user.fails(ask, "late");
  talk.user.stops();
  talk.passes(24h);
  talk.cli.dies(by_signal{15}, "bye");

  EXPECT_EQ(talk.events().size(), events);
  EXPECT_EQ(talk.cli.heard().size(), lines);
  EXPECT_EQ(talk.engine().state(), SessionState::stopped);
}

// S92
TEST(Ending, AnEndedSessionStartsNothingAgain) {
  Conversation talk;
  talk.cli.dies(exit_code{1}, "crash");
  std::size_t lines = talk.cli.heard().size();

  EXPECT_THAT(talk.user.interrupts(), ended_with(Errc::session_stopped, "interrupt"));
  EXPECT_THAT(talk.user.sends("hello?"), ended_with(Errc::session_stopped, "send"));
  talk.passes(24h);

  EXPECT_EQ(talk.cli.heard().size(), lines);
  EXPECT_EQ(talk.engine().state(), SessionState::failed);
}

}  // namespace
}  // namespace claude::core
