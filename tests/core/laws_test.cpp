// The laws of the engine, over thousands of random conversations. Seeds are fixed: a failure names
// the one to play again.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/conversation.h"
#include "core/schedule.h"

namespace claude::core {
namespace {

constexpr std::uint64_t kSchedules = 3000;
constexpr std::uint64_t kStreams = 300;

// Calls `check` with each seed until one fails; CLAUDE_SEED=17 plays just that one.
template <class Check>
void for_seeds(std::uint64_t count, Check check) {
  if (const char* only = std::getenv("CLAUDE_SEED")) return check(std::strtoull(only, nullptr, 10));
  for (std::uint64_t seed = 1; seed <= count && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("play again with CLAUDE_SEED=" + std::to_string(seed));
    check(seed);
  }
}

// S88 S90
TEST(Laws, EveryCallAndEveryAskEndsExactlyOnceAndNothingFollowsTheEnd) {
  for_seeds(kSchedules, [](std::uint64_t seed) { EXPECT_EQ(play(Choices(seed)).problem, ""); });
}

TEST(Laws, EqualInputsGiveEqualOutputs) {
  for_seeds(kSchedules / 10, [](std::uint64_t seed) {
    EXPECT_EQ(difference(play(Choices(seed)), play(Choices(seed))), "");
  });
}

TEST(Laws, TheSchedulesReachWhatTheyAreFor) {
  std::map<std::string, int> kinds;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    for (const std::string& event : play(Choices(seed)).events) {
      std::string kind = event.substr(0, event.find(' '));
      if (kind == "note") kind = event.substr(0, event.find(' ', event.find(' ', 5) + 1));
      ++kinds[kind];
    }
  }
  for (std::string kind : {"message",
                           "turn",
                           "call",
                           "asked",
                           "withdrawn",
                           "end",
                           "note warning double_request",
                           "note debug late_answer",
                           "note warning late_answer",
                           "note debug late_cancel",
                           "note warning callback_timeout",
                           "note error timeout",
                           "note warning asks_full",
                           "note warning calls_full",
                           "note warning queue_full",
                           "note error line_too_long",
                           "note warning long_line",
                           "note warning bad_line",
                           "note error callback_failed",
                           "note warning refused_request"}) {
    EXPECT_GT(kinds[kind], 5) << kind;
  }
}

// ---- Cuts --------------------------------------------------------------------------------------

std::string random_stream(Choices& choices) {
  std::string stream = success("req_1_5e1f", kServerInfo) + "\n";
  for (std::size_t lines = 5 + choices.below(20); lines > 0; --lines)
    stream += random_line(choices);
  return stream;
}

// S16 S181
TEST(Laws, TheSameBytesCutAnywhereGiveTheSameEvents) {
  for_seeds(kStreams, [](std::uint64_t seed) {
    Choices choices(seed);
    std::string stream = random_stream(choices);
    Played whole = listen(stream, [] { return std::string::npos; });
    EXPECT_EQ(difference(whole, listen(stream, [] { return 1; })), "");
    EXPECT_EQ(difference(whole, listen(stream, [&] { return choices.below(300); })), "");
  });
}

// F5
TEST(Laws, ADeathAtAnyByteEndsEverythingOnce) {
  Choices choices(1);
  std::string stream = random_stream(choices);
  for (std::size_t size = 0; size <= stream.size() && !HasFailure(); ++size) {
    SCOPED_TRACE("after " + std::to_string(size) + " bytes");
    Conversation talk(not_ready);
    std::vector<Operation> calls = {talk.user.interrupts(), talk.user.sets_model("x")};
    std::vector<Prompted> prompts = {talk.user.sends("1", "p1"), talk.user.sends("2", "p2")};

    talk.cli.sends_bytes(std::string_view(stream).substr(0, size));
    talk.cli.dies(by_signal{11}, "segmentation fault");

    ASSERT_NE(talk.ended(), nullptr);
    for (const Operation& call : calls) EXPECT_FALSE(call.waits());
    for (const Prompted& prompt : prompts) EXPECT_FALSE(prompt.waits());
    EXPECT_EQ(talk.engine().open_asks(), 0u);
  }
}

}  // namespace
}  // namespace claude::core
