// A CLI that does not read, floods stderr, or closes one of its pipes and lives on.
#include <fcntl.h>
#include <unistd.h>

#include <future>

#include "session/fixture.h"
#include "session/memory_transport.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class Pipes : public SimTest {
 protected:
  Pipes() { options.timeouts.exit_grace = 0ms; }
  static std::string megabyte() { return std::string(1 << 20, 'm'); }
};

// F20
TEST_F(Pipes, ACliThatStopsReadingCanBeClosed) {
  play(R"({"turns": [{"raw": [{"reading": false}, {"emit": {"type": "deaf"}}, {"hang": true}]}]})");
  Session session = start();
  Turn first = session.send("Hello");
  ASSERT_TRUE(first.next()) << "from here on it is deaf";

  Turn stuck = session.send(megabyte());
  EXPECT_EQ(stuck.next(1ms), std::nullopt);
  session.close();

  EXPECT_EQ(stuck.result().error().code, Errc::session_stopped);
}

// F20
TEST_F(Pipes, ACliThatStopsReadingCanBeClosedWhileAThreadWaits) {
  play(R"({"turns": [{"raw": [{"reading": false}, {"emit": {"type": "deaf"}}, {"hang": true}]}]})");
  Session session = start();
  ASSERT_TRUE(session.send("Hello").next()) << "from here on it is deaf";

  Turn stuck = session.send(megabyte());
  auto waiting = std::async(std::launch::async, [&] { return stuck.result(); });
  session.close();  // ThreadSanitizer sees whether its input is closed while it is being watched

  EXPECT_EQ(waiting.get().error().code, Errc::session_stopped);
}

// F20
TEST_F(Pipes, ACliThatAsksWithoutEndAndReadsNoAnswerIsEnded) {
  options.limits.output_bytes = 100'000;
  play(R"({"turns": [{"raw": [{"reading": false}, {"emit": {"type": "control_request",
           "request_id": "r", "request": {"subtype": "nonsense"}}, "times": 10000},
           {"hang": true}]}]})");
  Session session = start();
  Result<TurnResult> result = session.send("Hello").result();

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::write_failed);
  EXPECT_THAT(result.error().message, HasSubstr("asks and does not read"));
}

// F20
TEST_F(Pipes, WhatIsForACliThatDoesNotReadIsRefusedAboveTheLimit) {
  options.limits.output_bytes = 100'000;
  play(R"({"turns": [{"raw": [{"reading": false}, {"emit": {"type": "deaf"}}, {"hang": true}]}]})");
  Session session = start();
  Turn first = session.send("Hello");
  ASSERT_TRUE(first.next()) << "from here on it is deaf";

  Turn stuck = session.send(megabyte());
  Result<TurnResult> refused = session.send("One more").result();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::write_failed);
  EXPECT_THAT(refused.error().message, HasSubstr("The CLI does not read"));
  auto operation = session.set_model("opus").get();
  ASSERT_FALSE(operation);
  EXPECT_EQ(operation.error().code, Errc::write_failed);
}

// F20
TEST_F(Pipes, ACliMayWriteMoreThanAPipeHoldsBeforeItReads) {
  play(R"({"startup": [{"flood": 2000}, {"flush": true}]})");
  EXPECT_EQ(said(start().send(megabyte())), "You said: " + megabyte());
}

// F20
TEST_F(Pipes, WhatWaitsIsWrittenWithoutAnybodyWaiting) {
  MemoryCli cli;
  options.transport = cli.factory();
  Session session = start();
  cli.next();  // initialize

  cli.take_input(false);
  Turn turn = session.send("Hello");
  EXPECT_EQ(turn.next(1ms), std::nullopt) << "this thread looks after the output, then goes";
  cli.take_input(true);

  EXPECT_EQ(cli.next()["message"]["content"], "Hello");
}

// F21
TEST_F(Pipes, StderrMayCloseAtAnyTime) {
  play(R"({"startup": [{"stderr": "half a li"}, {"close_stderr": true}],
           "turns": [{"model": [{"text": "Hi"}]}]})");
  EXPECT_EQ(said(start().send("Hello")), "Hi");
}

// F21
TEST_F(Pipes, AHundredMegabytesOfStderrAreDrainedAndTheirEndIsKept) {
  std::string last = "the last words";
  std::size_t untold = 100'000'000 + last.size();
  options.limits.stderr_bytes = untold;  // the test wants to hear all of it
  Gate all_told;
  options.on_stderr = [&](std::string_view text) {
    untold -= text.size();
    if (untold == 0) all_told.open();
  };
  play(R"({"turns": [{"model": [{"stderr": ")" + std::string(10'000, 'e') +
       R"(", "times": 10000}, {"stderr": ")" + last + R"("}, {"exit": 3}]}]})");
  Session session = start();
  Result<TurnResult> result = session.send("Hello").result();

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().stderr_tail.size(), 64u << 10);
  EXPECT_THAT(result.error().stderr_tail, EndsWith(last));
  EXPECT_TRUE(all_told.wait());
}

// F14 F21
TEST_F(Pipes, StderrIsReadEvenIfTheThreadThatReadsItWaitsInACallback) {
  play(R"({"turns": [{"model": [{"text": "One"}]}, {"model": [{"stderr": ")" +
       std::string(10'000, 'e') + R"(", "times": 30}, {"text": "Two"}]}]})");
  options.executor = [](const std::function<void()>& work) { work(); };
  Session session = start();
  Gate done;
  std::string second;
  session.send("one").then([&, done](const Result<TurnResult>&) mutable {
    second = said(session.send("two"));
    done.open();
  });
  EXPECT_TRUE(done.wait());
  EXPECT_EQ(second, "Two");
}

// Passes everything on to a CLI in memory, and has a stderr that is closed from the start.
class WithClosedErrors : public Transport {
 public:
  WithClosedErrors(std::unique_ptr<Transport> inner, std::atomic<int>& reads)
      : inner_(std::move(inner)), error_reads_(reads), closed_(open("/dev/null", O_RDONLY)) {}
  ~WithClosedErrors() override { ::close(closed_); }

  IoResult read(std::span<char> into) override { return inner_->read(into); }
  IoResult write(std::string_view bytes) override { return inner_->write(bytes); }
  int read_fd() const override { return inner_->read_fd(); }
  int write_fd() const override { return inner_->write_fd(); }
  void close_input() override { inner_->close_input(); }
  IoResult read_errors(std::span<char>) override {
    ++error_reads_;
    return {IoStatus::closed, 0};
  }
  int error_fd() const override { return closed_; }

 private:
  std::unique_ptr<Transport> inner_;
  std::atomic<int>& error_reads_;
  int closed_;
};

// F21
TEST_F(Pipes, AClosedStderrIsReadOnceAndNotAgain) {
  MemoryCli cli;
  std::atomic<int> reads = 0;
  options.transport = [&](const Command& command) -> Result<std::unique_ptr<Transport>> {
    return std::make_unique<WithClosedErrors>(cli.factory()(command).value(), reads);
  };
  Session session = start();
  for (int i = 0; i < 100; ++i) session.messages().next(0ms);
  session.close();
  EXPECT_LE(reads, 1);
}

// F22
TEST_F(Pipes, ACliThatClosesItsOutputAndLivesOnIsEnded) {
  play(R"({"turns": [{"raw": [{"close_stdout": true}, {"hang": true}]}]})");
  Session session = start();
  Result<TurnResult> result = session.send("Hello").result();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().to_string(), HasSubstr("closed its output"));
  EXPECT_EQ(session.state(), SessionState::failed);
  EXPECT_EQ(session.interrupt().get().error().code, Errc::session_stopped);
}

// F22
TEST_F(Pipes, ACliThatClosesItsInputAndLivesOnIsEnded) {
  play(R"({"turns": [{"raw": [{"close_stdin": true}, {"emit": {"type": "shut"}},
                              {"hang": true}]}]})");
  Session session = start();
  Turn turn = session.send("Hello");
  ASSERT_TRUE(turn.next()) << "from here on its input is closed";

  Result<ModelSet> set = session.set_model("opus").get();
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().to_string(), HasSubstr("closed its input"));
  EXPECT_THAT(turn.result().error().to_string(), HasSubstr("closed its input"));
}

// F22
TEST_F(Pipes, TheEndOfAPipeIsNoticedWithoutAnybodyWaiting) {
  play(R"({"turns": [{"raw": [{"close_stdin": true}, {"emit": {"type": "shut"}},
                              {"hang": true}]}]})");
  Session session = start();
  Turn turn = session.send("Hello");
  ASSERT_TRUE(turn.next());

  std::promise<Error> told;
  session.set_model("opus").then([&](Result<ModelSet> set) { told.set_value(set.error()); });
  EXPECT_THAT(told.get_future().get().to_string(), HasSubstr("closed its input"));
}

}  // namespace
}  // namespace claude::test
