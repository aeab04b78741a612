// What is there is taken, however little time is left; and what floods holds up no deadline.
#include <algorithm>
#include <chrono>
#include <memory>

#include "session/own_transport.h"

namespace claude::test {
namespace {

class Deadlines : public OwnTransport {};

// Floods with a line as soon as it is asked for another model, but not without end.
class AnswersWithAFlood : public Transport {
 public:
  AnswersWithAFlood(std::unique_ptr<Transport> inner, std::string line, std::size_t& flooded)
      : inner_(std::move(inner)), line_(std::move(line)), flooded_(flooded) {}

  IoResult read(std::span<char> into) override {
    if (!asked_ || closed_ || flooded_ > kFlood) return inner_->read(into);
    for (char& c : into) c = line_[flooded_++ % line_.size()];
    return {IoStatus::ok, into.size()};
  }
  IoResult write(std::string_view bytes) override {
    asked_ |= bytes.contains("set_model");
    return inner_->write(bytes);
  }
  int read_fd() const override { return inner_->read_fd(); }
  int write_fd() const override { return inner_->write_fd(); }
  void close_input() override {
    closed_ = true;
    inner_->close_input();
  }

 private:
  static constexpr std::size_t kFlood = std::size_t{8} << 20;
  std::unique_ptr<Transport> inner_;
  std::string line_;
  std::size_t& flooded_;
  bool asked_ = false;
  bool closed_ = false;
};

class Floods : public Deadlines {
 protected:
  // The model is asked for in no time, and the answer is a flood of this line.
  void flood_with(std::string line) {
    options.transport = [this, line](const Command& command) -> Result<std::unique_ptr<Transport>> {
      return std::make_unique<AnswersWithAFlood>(cli.factory()(command).value(), line, flooded);
    };
    options.timeouts.set_model = std::chrono::milliseconds(0);
  }

  void expect_a_timeout_in_time() {
    Session session = start();
    auto set = session.set_model("opus").get();
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().code, Errc::timeout);
    EXPECT_LT(flooded, few);
  }

  std::size_t flooded = 0;
  const std::size_t few = std::size_t{3} << 20;
};

TEST_F(Floods, ADeadlineWaitsForNoMoreThanAPipeHolds) {
  flood_with("\n");
  expect_a_timeout_in_time();
}

TEST_F(Floods, ADeadlineWaitsForNoMoreInlineHooksThanAPipeHolds) {
  flood_with(WireJson{{"type", "control_request"},
                      {"request_id", "h"},
                      {"request",
                       {{"subtype", "hook_callback"},
                        {"callback_id", "hook_0"},
                        {"input", {{"padding", std::string(4000, 'x')}}}}}}
                 .dump() +
             "\n");
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); }, {.run_inline = true});
  expect_a_timeout_in_time();
}

// Each of them was a reason to read as much again.
TEST_F(Floods, MessagesAreNotReadAheadBecauseADeadlineHasCome) {
  flood_with(assistant(std::string(4000, 'x')).dump() + "\n");
  Session session = start();
  Turn turn = session.send("Hello");
  Call<ModelSet> call = session.set_model("opus");
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(turn.next());
  EXPECT_LT(flooded, few);
}

TEST_F(Deadlines, AnAnswerThatIsThereCountsHoweverLateItIsRead) {
  options.timeouts.set_model = std::chrono::milliseconds(0);
  Session session = start();
  Call<ModelSet> call = session.set_model("opus");
  cli.answer(cli.next(), {{"model", "claude-opus"}});
  // As after a long time in which nobody waited for the session.
  EXPECT_TRUE(call.get());
}

// As a loop that draws pictures asks, which has no time to wait.
TEST_F(Deadlines, WhatIsThereIsTakenWithoutWaiting) {
  cli.on_write = [this, otherwise = cli.on_write](const WireJson& line) {
    if (line["type"] == "user") return cli.inject_line(result_for(line));
    if (line["request"]["subtype"] != "set_model") return otherwise(line);
    cli.answer(line, {{"model", "opus"}});
  };
  Session session = start();
  Turn turn = session.send("Hello");
  EXPECT_TRUE(turn.next(std::chrono::milliseconds(0)));
  EXPECT_TRUE(session.set_model("opus").get(std::chrono::milliseconds(0)));
  EXPECT_TRUE(session.set_model("opus").ready());
}

TEST_F(Deadlines, AnOperationEndsInTimeWhereNobodyWaits) {
  options.timeouts.set_model = std::chrono::milliseconds(0);
  Session session = start();
  Call<ModelSet> call = session.set_model("opus");
  EXPECT_TRUE(call.ready());
  EXPECT_EQ(call.get().error().code, Errc::timeout);
}

constexpr auto kForEver = std::chrono::milliseconds::max();
constexpr auto kLongOver = std::chrono::milliseconds::min();

TEST_F(Deadlines, WhatIsLongerThanAClockCountsHasNoEnd) {
  cli.on_write = [this, otherwise = cli.on_write](const WireJson& line) {
    if (line["type"] == "user") return cli.inject_line(result_for(line));
    if (line["request"]["subtype"] != "set_model") return otherwise(line);
    cli.answer(line, {{"model", "opus"}});
  };
  options.timeouts = {.initialize = kForEver,
                      .set_model = kForEver,
                      .exit_grace = kForEver,
                      .terminate_grace = kForEver};
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.lease = kForEver});
  Session session = start();
  EXPECT_TRUE(session.send("Hello").next(kForEver));
  EXPECT_TRUE(session.set_model("opus").get(kForEver));
}

TEST_F(Deadlines, WhatIsNegativeIsOver) {
  options.timeouts = {
      .set_model = kLongOver, .exit_grace = kLongOver, .terminate_grace = kLongOver};
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.lease = kLongOver});
  Session session = start();
  EXPECT_FALSE(session.send("Hello").next(kLongOver));
  EXPECT_FALSE(session.messages().next(kLongOver));
  EXPECT_EQ(session.interrupt().get(kLongOver).error().code, Errc::timeout);
  EXPECT_EQ(session.set_model("opus").get().error().code, Errc::timeout);
}

}  // namespace
}  // namespace claude::test
