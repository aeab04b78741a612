// Transports of the user's own that throw, are none, or do not count right: the session says so and
// hangs nobody.
#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>

#include "session/own_transport.h"

namespace claude::test {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::HasSubstr;

class FaultyTransport : public OwnTransport {
 protected:
  using Made = Result<std::unique_ptr<Transport>>;

  // Throws in the member of this name from when it is told to.
  class Throws : public Transport {
   public:
    Throws(FaultyTransport& test, std::unique_ptr<Transport> inner)
        : test_(test), inner_(std::move(inner)) {}

    IoResult read(std::span<char> into) override { return in("read()"), inner_->read(into); }
    IoResult write(std::string_view text) override { return in("write()"), inner_->write(text); }
    int read_fd() const override { return in("read_fd()"), inner_->read_fd(); }
    int write_fd() const override { return inner_->write_fd(); }
    std::optional<Exit> exited() override { return in("exited()"), std::nullopt; }
    std::optional<int> pid() const override { return in("pid()"), std::nullopt; }
    void close_input() override { in("close_input()"), inner_->close_input(); }

   private:
    void in(std::string_view member) const {
      if (test_.throws_in != member) return;
      throw std::runtime_error("no such cable");
    }

    FaultyTransport& test_;
    std::unique_ptr<Transport> inner_;
  };

  FaultyTransport() {
    options.transport = [&](const Command& command) -> Made {
      return std::make_unique<Throws>(*this, cli.factory()(command).value());
    };
  }

  std::string_view throws_in;  // set while no other thread is at work
};

TEST_F(FaultyTransport, AFactoryThatThrowsFailsTheStart) {
  options.transport = [](const Command&) -> Made { throw std::runtime_error("no such moon"); };
  const Error error = start_error();
  EXPECT_EQ(error.code, Errc::spawn_failed);
  EXPECT_THAT(error.message, HasSubstr("no such moon"));
  EXPECT_EQ(error.where, "Options::transport");
}

TEST_F(FaultyTransport, AFactoryThatGivesNoneFailsTheStart) {
  options.transport = [](const Command&) { return Made(nullptr); };
  const Error error = start_error();
  EXPECT_EQ(error.code, Errc::invalid_option);
  EXPECT_EQ(error.where, "Options::transport");
}

// The parameter: in which member.
class ThrownIn : public FaultyTransport, public ::testing::WithParamInterface<const char*> {};
class ThrownInAnyUse : public ThrownIn {};
class ThrownInTalk : public ThrownIn {};
class ThrownAtTheEnd : public ThrownIn {};

INSTANTIATE_TEST_SUITE_P(Is, ThrownInAnyUse, ::testing::Values("read_fd()", "read()", "write()"));
INSTANTIATE_TEST_SUITE_P(Is, ThrownInTalk, ::testing::Values("read()", "write()"));
INSTANTIATE_TEST_SUITE_P(Is, ThrownAtTheEnd,
                         ::testing::Values("exited()", "close_input()", "pid()"));

TEST_P(ThrownInAnyUse, TheReasonOfAFailedStart) {
  throws_in = GetParam();
  const Error error = start_error();
  EXPECT_THAT(error.code, AnyOf(Eq(Errc::spawn_failed), Eq(Errc::exited_during_init)));
  EXPECT_THAT(error.message, HasSubstr("no such cable"));
}

TEST_P(ThrownInTalk, TheReasonOfTheEnd) {
  Session session = start();
  throws_in = GetParam();
  cli.inject_line(assistant("there is something to be read"));
  const Result<TurnResult> result = session.send("Hello").result();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("no such cable"));
  EXPECT_EQ(session.state(), SessionState::failed);
  const auto who_comes_later = std::async(std::launch::async, [&] { return session.counts(); });
  who_comes_later.wait();
  EXPECT_FALSE(session.set_model("opus").get());
}

TEST_F(FaultyTransport, ThrowsOnAThreadOfTheLibrary) {
  Session session = start();
  Stream<MessageOrEvent> everything = session.subscribe();
  Gate ended;
  std::string told;
  throws_in = "read()";
  everything.on_item([&](const MessageOrEvent& item) {
    told = std::get<SessionFailed>(std::get<SessionEvent>(item)).error.message;
    ended.open();
  });
  ASSERT_TRUE(ended.wait());
  EXPECT_THAT(told, HasSubstr("no such cable"));
}

TEST_P(ThrownAtTheEnd, NoReasonToWait) {
  Session session = start();
  throws_in = GetParam();
  EXPECT_FALSE(session.pid());
  EXPECT_EQ(session.close(), EndStage::input_closed);
}

// A CLI in memory that calls it done when nothing was read or written.
class CallsNothingDone : public Transport {
 public:
  explicit CallsNothingDone(std::unique_ptr<Transport> inner) : inner_(std::move(inner)) {}

  IoResult read(std::span<char> into) override { return done(inner_->read(into)); }
  IoResult write(std::string_view bytes) override { return done(inner_->write(bytes)); }
  IoResult read_errors(std::span<char>) override { return {}; }
  int read_fd() const override { return inner_->read_fd(); }
  int write_fd() const override { return inner_->write_fd(); }
  std::optional<Exit> exited() override {
    return input_closed_ ? std::optional(Exit{.code = 0, .signal = {}}) : std::nullopt;
  }
  void close_input() override { input_closed_ = true; }

 private:
  static IoResult done(IoResult said) {
    return said.status == IoStatus::would_block ? IoResult{} : said;
  }

  std::unique_ptr<Transport> inner_;
  bool input_closed_ = false;
};

// S19
TEST_F(OwnTransport, NothingReadOrWrittenIsNothingForNow) {
  options.transport = [&](const Command& command) -> Result<std::unique_ptr<Transport>> {
    return std::make_unique<CallsNothingDone>(cli.factory()(command).value());
  };
  Session session = start();
  cli.take_input(false);
  Turn turn = session.send("Hello");
  EXPECT_FALSE(turn.next(std::chrono::milliseconds(0)));
  EXPECT_FALSE(cli.has_line());

  cli.take_input(true);
  cli.inject_line(result_for(cli.next()));
  EXPECT_TRUE(turn.result());
  EXPECT_EQ(session.close(), EndStage::input_closed) << "what follows the exit is nothing, too";
}

// It says that it has read and written more than there was room for.
TEST_F(OwnTransport, NoMoreIsReadOrWrittenThanWasAskedFor) {
  struct Boasts : CallsNothingDone {
    using CallsNothingDone::CallsNothingDone;
    IoResult read(std::span<char> into) override {
      std::ranges::fill(into, '\n');
      return {IoStatus::ok, into.size() + 1};
    }
    IoResult write(std::string_view bytes) override { return {IoStatus::ok, bytes.size() + 1}; }
    bool carries_control() const override { return false; }
  };
  options.transport = [&](const Command& command) -> Result<std::unique_ptr<Transport>> {
    return std::make_unique<Boasts>(cli.factory()(command).value());
  };
  Session session = SimTest::start();
  Turn turn = session.send("Hello");
  cli.inject_line(assistant("there is something to be read"));
  EXPECT_FALSE(turn.next(std::chrono::milliseconds(0)));
  EXPECT_EQ(session.state(), SessionState::running);
  session.close();
}

}  // namespace
}  // namespace claude::test
