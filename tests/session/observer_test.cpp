// Watching a session: the tap on the wire, the log, the counts.
#include "session/fixture.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Watching : public SimTest {
 protected:
  Watching() {
    options.allowed_tools = {"Bash"};
    play_turn(R"([{"tool": "Bash", "input": {"command": "make"}, "output": "made"},
                  {"text": "Done."}])");
  }
};

// S35
TEST_F(Watching, TheTapSeesEveryLineAndTheUserOnlyMessages) {
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); });
  Session session = start();
  Stream<MessageOrEvent> everything = session.subscribe();
  said(session.send("go"));
  session.close();

  EXPECT_THAT(wire->order(), Contains("< hook_callback"));
  EXPECT_THAT(wire->order(), Contains("> answer"));
  std::vector<std::string> raw;
  for (const MessageOrEvent& item : everything) {
    if (auto* message = std::get_if<Message>(&item)) raw.emplace_back(message->raw());
  }
  for (const std::string& line : raw) EXPECT_THAT(line, ::testing::Not(HasSubstr("control_")));
  EXPECT_LT(raw.size(), wire->read().size());
}

// S190
TEST_F(Watching, TheLogHasHooksWithTheirTimeAndFailures) {
  options.timeouts.set_model = 20ms;
  play(R"({"faults": {"answers": {"set_model": {"times": 0}}}, "turns": [{"model": [
      {"tool": "Bash", "input": {"command": "make"}, "output": "made"}, {"text": "Done."}]}]})");
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); });
  Gate cancelled;
  options.hooks.post_tool_use(
      [&](const PostToolUse& call) {
        call.cancel.on_request([&] { cancelled.open(); });
        cancelled.wait();
        return proceed();
      },
      {.timeout = 20ms});
  Session session = start();
  EXPECT_EQ(said(session.send("go")), "Done.");
  EXPECT_FALSE(session.set_model("opus").get());

  EXPECT_THAT(log.at(LogLevel::debug),
              Contains(AllOf(HasSubstr("PreToolUse hook_0"), HasSubstr("took"), HasSubstr("us"))));
  EXPECT_THAT(log.at(LogLevel::warning), Contains(HasSubstr("PostToolUse")));
  EXPECT_THAT(log.at(LogLevel::error), Contains(HasSubstr("set_model")));
}

TEST_F(Watching, CallbacksAreReportedWithTheirOutcome) {
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); });
  options.hooks.post_tool_use(
      [](const PostToolUse&) -> Verdict<PostToolUse> { throw std::runtime_error("oops"); });
  said(start().send("go"));

  std::vector<Watch::Callback> callbacks = wire->callbacks();
  ASSERT_EQ(callbacks.size(), 2u);
  EXPECT_THAT(callbacks[0].name, HasSubstr("PreToolUse"));
  EXPECT_FALSE(callbacks[0].failed);
  EXPECT_THAT(callbacks[1].name, HasSubstr("PostToolUse"));
  EXPECT_TRUE(callbacks[1].failed);
}

class Thrower : public Observer {
 public:
  void on_line(Direction, std::string_view, Clock::time_point) override { fail(); }
  void on_state(SessionState, SessionState, Clock::time_point) override { fail(); }
  void on_callback(std::string_view, std::chrono::nanoseconds, bool) override { fail(); }
  void on_diagnostic(std::string_view, std::string_view) override { fail(); }
  std::atomic<int> calls = 0;

 private:
  void fail() {
    ++calls;
    throw std::runtime_error("an observer is no part of the conversation");
  }
};

TEST_F(Watching, AWatcherThatThrowsChangesNothing) {
  auto thrower = std::make_shared<Thrower>();
  options.observer = thrower;
  options.log = [](LogLevel, std::string_view) { throw std::runtime_error("nor is a log"); };
  options.on_stderr = [](std::string_view) { throw std::runtime_error("nor is this"); };
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); });
  play(R"({"startup": [{"stderr": "noise\n"}], "turns": [{"model": [
      {"emit_text": "garbage\n"},
      {"tool": "Bash", "input": {"command": "make"}, "output": "made"}, {"text": "Done."}]}]})");

  Session session = start();
  EXPECT_EQ(said(session.send("go")), "Done.");
  EXPECT_TRUE(session.set_model("opus").get());
  EXPECT_EQ(session.close(), EndStage::input_closed);
  EXPECT_GT(thrower->calls, 10);
}

// S38
TEST_F(Watching, WhatIsStrangeIsCountedAndHarmsNothing) {
  play(R"({"turns": [{"model": [
      {"emit_text": "this is no JSON\n"},
      {"emit": {"type": "from_the_future", "session_id": "$session_id", "uuid": "$uuid"}},
      {"send_control": {"subtype": "unheard_of"}, "await": true},
      {"text": "Done."}]}]})");
  Session session = start();
  Seen seen = watch(session.send("go"));

  EXPECT_EQ(seen.said(), "Done.");
  EXPECT_EQ(seen.all<UnknownMessage>().size(), 1u);
  EXPECT_EQ(session.counts().bad_lines, 1u);
  EXPECT_EQ(session.counts().unknown_messages, 1u);
  EXPECT_EQ(session.counts().unknown_requests, 1u);
  EXPECT_THAT(wire->diagnostics(), ::testing::IsSupersetOf({"bad_line", "unknown_message"}));
  EXPECT_THAT(log.at(LogLevel::warning), Contains(HasSubstr("this is no JSON")));
}

TEST_F(Watching, StderrIsHeardAsItComes) {
  std::string heard;
  std::mutex mutex;
  Gate whole;
  options.on_stderr = [&](std::string_view chunk) {
    std::lock_guard lock(mutex);
    heard += chunk;
    if (heard.ends_with("second\n")) whole.open();
  };
  play(R"({"startup": [{"stderr": "first\n"}, {"stderr": "second\n"}]})");
  Session session = start();
  whole.wait();
  std::lock_guard lock(mutex);
  EXPECT_EQ(heard, "first\nsecond\n");
}

TEST_F(Watching, StderrIsKeptUpToALimitWhileItsListenerWaits) {
  Gate sent, over;
  std::optional<Turn> turn;
  // A call may still be under way when the session, and this test, have gone.
  auto heard = std::make_shared<std::atomic<std::size_t>>(0);
  options.limits.stderr_bytes = 100'000;
  options.on_stderr = [&turn, heard, sent, over](std::string_view text) mutable {
    if (heard->fetch_add(text.size()) > 0) return;
    sent.wait();
    EXPECT_TRUE(turn->result());
    over.open();
  };
  play_turn(R"([{"stderr": ")" + std::string(1'000, 'e') +
            R"(", "times": 1000}, {"text": "Done."}])");
  {
    Session session = start();
    turn = session.send("go");
    sent.open();
    ASSERT_TRUE(over.wait());
    turn.reset();
  }
  EXPECT_LT(*heard, 500'000u);
  EXPECT_THAT(log.at(LogLevel::warning), Contains(HasSubstr("on_stderr is behind")));
}

TEST_F(Watching, StderrOfAnyLengthIsHeardByAListenerWhoIsNotBusy) {
  options.limits.stderr_bytes = 2;
  Gate whole;
  options.on_stderr = [whole](std::string_view text) mutable {
    if (text.ends_with("first\n")) whole.open();
  };
  play(R"({"startup": [{"stderr": "first\n"}]})");
  Session session = start();
  EXPECT_TRUE(whole.wait());
  EXPECT_THAT(log.at(LogLevel::warning), ::testing::IsEmpty());
}

TEST_F(Watching, WhatIsKnownOfASession) {
  options.session_id = "11111111-2222-4333-8444-555555555555";
  Session session = start();
  EXPECT_EQ(session.id(), *options.session_id);
  EXPECT_EQ(session.cli_path(), CLAUDE_SIM);
  ASSERT_TRUE(session.pid());
  EXPECT_GT(*session.pid(), 0);
  Seen seen = watch(session.send("go"));
  EXPECT_EQ(seen.messages.back().session_id(), session.id());
}

}  // namespace
}  // namespace claude::test
