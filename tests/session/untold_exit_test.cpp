// Processes of whose exit no descriptor tells: it is asked for.
#include <unistd.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <thread>

#include "session/own_transport.h"
#include "session/thread_state.h"

namespace claude::test {
namespace {

using ::testing::HasSubstr;

// A process of which no descriptor tells that it has ended, as on macOS and on old kernels; and
// somebody whom it left behind holds its output open.
class EndsUntold : public Transport {
 public:
  struct Life {
    std::atomic<bool> ended = false;
    std::atomic<bool> noticed = false;
  };
  EndsUntold(std::unique_ptr<Transport> inner, Life& life)
      : inner_(std::move(inner)), life_(life) {}

  IoResult read(std::span<char> into) override { return inner_->read(into); }
  IoResult write(std::string_view bytes) override { return inner_->write(bytes); }
  int read_fd() const override { return inner_->read_fd(); }
  int write_fd() const override { return inner_->write_fd(); }
  std::optional<int> pid() const override { return 1; }
  std::optional<Exit> exited() override {
    if (!life_.ended) return std::nullopt;
    life_.noticed = true;
    return Exit{.code = 3, .signal = {}};
  }
  void close_input() override { inner_->close_input(); }

 private:
  std::unique_ptr<Transport> inner_;
  Life& life_;
};

class UntoldExit : public OwnTransport {
 protected:
  UntoldExit() {
    options.transport = [&](const Command& command) -> Result<std::unique_ptr<Transport>> {
      return std::make_unique<EndsUntold>(cli.factory()(command).value(), life);
    };
    cli.on_close = [&] { life.ended = true; };
    options.timeouts.exit_grace = std::chrono::hours(1);
  }
  // On the runtime's own thread, where that reads.
  static void at_once(const std::function<void()>& work) { work(); }
  EndsUntold::Life life;
};

// F18
TEST_F(UntoldExit, EndsATurnThatIsWaitedFor) {
  Session session = start();
  Turn turn = session.send("Hello");
  cli.next();
  std::atomic<pid_t> waiter = 0;
  auto result = std::async(std::launch::async, [&] {
    waiter = gettid();
    return turn.result();
  });
  while (waiter == 0) std::this_thread::yield();
  wait_until_asleep(waiter);
  life.ended = true;
  EXPECT_EQ(result.get().error().exit_code, 3);
}

// F18
TEST_F(UntoldExit, EndsATurnThatIsAskedForNowAndThen) {
  Session session = start();
  Turn turn = session.send("Hello");
  cli.next();
  life.ended = true;
  while (!turn.done()) turn.next(std::chrono::milliseconds(0));
  EXPECT_EQ(turn.result().error().exit_code, 3);
}

// F18
TEST_F(UntoldExit, EndsACallForWhichSomebodyIsToBeCalled) {
  options.executor = at_once;
  Session session = start();
  std::promise<std::optional<int>> exit_code;
  session.set_model("opus").then([&](const Result<ModelSet>&) { life.ended = true; });
  session.set_model("sonnet").then(
      [&](const Result<ModelSet>& set) { exit_code.set_value(set.error().exit_code); });
  cli.answer(cli.next(), {{"model", "opus"}});
  EXPECT_EQ(exit_code.get_future().get(), 3);
}

// F18
TEST_F(UntoldExit, EndsTheClosing) {
  cli.on_close = [] {};
  Session session = start();
  EXPECT_EQ(closed_while(session, [&] { life.ended = true; }), EndStage::input_closed);
}

// F18
TEST_F(UntoldExit, IsNoticedAlsoWhenNobodyWaitsForTheClosing) {
  cli.on_close = [] {};
  options.executor = at_once;
  Session session = start();
  session.set_model("opus").then([&](const Result<ModelSet>&) { session.close(); });
  cli.answer(cli.next(), {{"model", "opus"}});
  while (!cli.input_closed()) std::this_thread::yield();
  life.ended = true;
  while (!life.noticed) std::this_thread::yield();
}

}  // namespace
}  // namespace claude::test
