// What is there is taken, however little time is left; and what floods holds up no deadline.
#include <algorithm>
#include <chrono>
#include <memory>

#include "session/own_transport.h"

namespace claude::test {
namespace {

class Deadlines : public OwnTransport {};

// Floods as soon as it is asked for another model.
class AnswersWithAFlood : public Transport {
 public:
  AnswersWithAFlood(std::unique_ptr<Transport> inner, std::size_t& flooded)
      : inner_(std::move(inner)), flooded_(flooded) {}

  IoResult read(std::span<char> into) override {
    if (!asked_ || closed_) return inner_->read(into);
    std::ranges::fill(into, '\n');
    flooded_ += into.size();
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
  std::unique_ptr<Transport> inner_;
  std::size_t& flooded_;
  bool asked_ = false;
  bool closed_ = false;
};

TEST_F(Deadlines, ADeadlineWaitsForNoMoreThanAPipeHolds) {
  std::size_t flooded = 0;
  options.transport = [&](const Command& command) -> Result<std::unique_ptr<Transport>> {
    return std::make_unique<AnswersWithAFlood>(cli.factory()(command).value(), flooded);
  };
  options.timeouts.set_model = std::chrono::milliseconds(0);
  Session session = start();
  auto set = session.set_model("opus").get();
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, Errc::timeout);
  EXPECT_LT(flooded, std::size_t{3} << 20);
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
