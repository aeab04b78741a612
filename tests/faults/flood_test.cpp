// More than anybody takes.
#include <filesystem>
#include <fstream>

#include "session/fixture.h"

namespace claude::test {
namespace {

class Flood : public SimTest {};

// A sanitizer's own memory is not ours.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// The most memory that this process has had since the peak was reset, in bytes.
std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::size_t kilobytes = 0;
  while (status >> word && word != "VmHWM:") {
  }
  status >> kilobytes;
  return kilobytes * 1024;
}

void reset_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

// F11
TEST_F(Flood, ALineOfTwentyMegabytesArrivesWholeInLessThanThreeTimesItsSize) {
  constexpr std::size_t kSize = 20'000'000;
  play(R"({"turns": [{"model": [{"huge": 20000000}, {"text": "Done."}]}]})");
  Session session = start();
  reset_peak_memory();
  std::size_t before = peak_memory();

  std::size_t longest = 0;
  Turn turn = session.send("Hello");
  while (std::optional<Message> message = turn.next()) {
    auto* assistant = std::get_if<AssistantMessage>(&*message);
    if (!assistant) continue;
    for (const ContentBlock& block : assistant->message.content.blocks) {
      longest = std::max(longest, std::get<TextBlock>(block).text.size());
    }
  }
  EXPECT_EQ(longest, kSize);
  EXPECT_TRUE(turn.result());
  if (!kSanitized) {
    EXPECT_LT(peak_memory() - before, 3 * kSize);
  }
}

TEST_F(Flood, OfAVersionWithoutEndOnlyTheBeginningIsRead) {
  project.write("cli", "#!/bin/sh\n[ \"$1\" = --version ] && exec yes 2.1.325\nexit 3\n");
  std::filesystem::permissions(project.path() / "cli", std::filesystem::perms::owner_all);
  options.cli_path = project.path() / "cli";
  reset_peak_memory();
  std::size_t before = peak_memory();

  EXPECT_EQ(start_error().exit_code, 3);
  if (!kSanitized) {
    EXPECT_LT(peak_memory() - before, 10'000'000);
  }
}

// As a value, each empty list would take fifty times its text.
TEST_F(Flood, OfEmptyListsInARecordedLineTakesLittleMoreThanItsText) {
  constexpr std::size_t kLists = 2'000'000;
  auto recorder = Recorder::open((project.path() / "tape.ndjson").string()).value();
  std::string line = R"({"token":"hunter2","lists":[[])";
  for (std::size_t i = 1; i < kLists; ++i) line += ",[]";
  line += R"(],"headers":{"X-Api":"hunter2"}})";
  reset_peak_memory();
  const std::size_t before = peak_memory();

  recorder->on_line(Direction::from_cli, line, {});

  const std::string tape = project.read("tape.ndjson");
  EXPECT_THAT(tape, ::testing::HasSubstr(R"("from_cli":{"token":"***","lists":[[],[],)"));
  EXPECT_THAT(tape, ::testing::HasSubstr(R"(],"headers":{"X-Api":"***"}})"));
  if (!kSanitized) {
    EXPECT_LT(peak_memory() - before, 15 * line.size());
  }
}

// F12
TEST_F(Flood, WhileTheConsumerSleepsMemoryIsBoundedAndTheRestFlows) {
  options.limits.mailbox_bytes = 100'000;
  options.allowed_tools = {"Bash"};
  // The hook's own, because it may still be at work when the test has ended.
  auto asked = std::make_shared<Gate>();
  auto answer = std::make_shared<Gate>();
  options.hooks.pre_tool_use([asked, answer](const PreToolUse&) {
    asked->open();
    answer->wait();
    return proceed();
  });
  play(R"({"turns": [{"model": [{"flood": 20000},
      {"tool": "Bash", "input": {"command": "make"}, "output": "made"}, {"text": "Done."}]}]})");
  Session session = start();
  Turn sleeping = session.send("Hello");

  EXPECT_TRUE(asked->wait()) << "hooks are served";
  EXPECT_TRUE(session.set_model("opus").get()) << "operations are answered";
  answer->open();

  std::size_t kept = 0;
  while (std::optional<Message> message = sleeping.next()) kept += message->raw().size();
  EXPECT_GT(kept, 0u);
  EXPECT_LE(kept, options.limits.mailbox_bytes);
  EXPECT_EQ(sleeping.result().error().code, Errc::mailbox_overflow) << "never a silent drop";
}

// F12
TEST_F(Flood, AQueryWhoseConsumerSleepsSaysSo) {
  options.limits.mailbox_bytes = 100'000;
  options.hooks.stop([](const Stop&) { return proceed(); });  // the session is read all the time
  play(R"({"turns": [{"model": [{"flood": 20000}, {"text": "Done."}]}]})");
  Query sleeping = query("Hello", options);
  Session& session = *sleeping.session();
  while (session.counts().lines_in < 20'000) session.messages().next(std::chrono::milliseconds(1));

  Result<TurnResult> result = sleeping.result();
  ASSERT_FALSE(result) << "messages are missing";
  EXPECT_EQ(result.error().code, Errc::mailbox_overflow);
}

// F12
TEST_F(Flood, AConsumerThatComesBackInTimeMissesNothing) {
  play(R"({"turns": [{"model": [{"flood": 20000}, {"text": "Done."}]}]})");
  options.hooks.stop([](const Stop&) { return proceed(); });  // the session is read all the time
  Session session = start();
  Turn turn = session.send("Hello");
  while (session.counts().lines_in < 20'000) session.messages().next(std::chrono::milliseconds(1));

  Seen seen = watch(std::move(turn));
  EXPECT_EQ(seen.all<StreamEvent>().size(), 20'000u);
  EXPECT_TRUE(seen.result);
}

}  // namespace
}  // namespace claude::test
