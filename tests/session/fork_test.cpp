// A host that forks: its copy has copies of our objects, but the CLI and the threads are the
// host's.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <thread>
#include <vector>

#include "session/fixture.h"

namespace claude::test {
namespace {

// How a copy of this process ends that does this: 0 when it came to the end of it.
int status_of_copy_that(const std::function<void()>& does) {
  const pid_t copy = fork();
  if (copy == 0) {
    alarm(20);  // if it hangs
    does();
    _exit(0);
  }
  int status = 0;
  while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

class Forks : public SimTest {};

TEST_F(Forks, ACopyThatDropsItsSessionLeavesTheHostsAlone) {
  options.mcp_servers.add_external("files", Json::object({{"command", "true"}}));
  std::optional<Session> session = start();
  EXPECT_EQ(said(session->send("Hello")), "You said: Hello");

  EXPECT_EQ(status_of_copy_that([&] { session.reset(); }), 0);

  EXPECT_EQ(said(session->send("Still there?")), "You said: Still there?");
  EXPECT_EQ(session->close(), EndStage::input_closed);
}

TEST_F(Forks, ACopyThatDropsATurnLeavesItToTheHost) {
  Session session = start();
  std::optional<Turn> turn = session.send("Hello");
  EXPECT_EQ(status_of_copy_that([&] { turn.reset(); }), 0);
  EXPECT_EQ(said(std::move(*turn)), "You said: Hello");
}

TEST_F(Forks, ACopyThatDropsAReplyLeavesTheAnswerToTheHost) {
  Gate asked;
  std::optional<Reply<Permission>> reply;
  options.can_use_tool_later = [&, asked](const ToolRequest&, Reply<Permission> given) mutable {
    reply = std::move(given);
    asked.open();
  };
  play_turn(kMakeThenDone);
  Session session = start();
  Turn turn = session.send("Make it");
  ASSERT_TRUE(asked.wait());

  EXPECT_EQ(status_of_copy_that([&] { reply.reset(); }), 0);

  (*reply)(allow());
  EXPECT_THAT(watch(std::move(turn)).tool_results(), ::testing::ElementsAre("made"));
}

// Waits in the lock until it may go on.
class Holder : public Watch {
 public:
  void on_line(Direction direction, std::string_view line, Clock::time_point now) override {
    Watch::on_line(direction, line, now);
    if (!line.contains("set_model")) return;
    held.open();
    go.wait();
  }
  Gate held, go;
};

TEST_F(Forks, ACopyDropsAllWhileTheHostIsAtWork) {
  auto holder = std::make_shared<Holder>();
  options.observer = holder;
  Gate called;
  std::vector<std::function<void()>> queue;  // of an executor: nobody runs it
  options.executor = [&, called](std::function<void()> work) mutable {
    queue.push_back(std::move(work));
    called.open();
  };
  std::optional<Session> session = start();
  std::optional<Turn> turn = session->send("Hello");
  turn->on_message([](const Message&) {});
  ASSERT_TRUE(called.wait());
  std::thread worker([copy = *session]() mutable { copy.set_model("opus").get(); });
  ASSERT_TRUE(holder->held.wait());

  EXPECT_EQ(status_of_copy_that([&] {
              turn.reset();
              queue.clear();
              session.reset();
            }),
            0);
  holder->go.open();
  worker.join();
}

TEST_F(Forks, ACopyThatDropsAQueryLeavesItToTheHost) {
  // More than a pipe holds: the CLI is there as long as this is not read.
  const std::string much(10'000, 'm');
  play_turn(R"([{"emit": {"type": "much", "of": ")" + much + R"("}, "times": 300}])");
  for (bool legacy : {false, true}) {
    options.legacy_argv = legacy;
    std::optional<Query> asked = query("Hello", options);
    EXPECT_TRUE(asked->next());
    EXPECT_EQ(status_of_copy_that([&] { asked.reset(); }), 0) << legacy;
    EXPECT_TRUE(asked->result()) << legacy;
  }
}

TEST_F(Forks, ACopyThatDropsARuntimeDoesNotWaitForThreadsThatItHasNot) {
  options.runtime = std::make_shared<Runtime>();
  Gate called;
  options.runtime->run([called]() mutable { called.open(); });
  EXPECT_TRUE(called.wait()) << "its thread stays, and waits for more";
  EXPECT_EQ(status_of_copy_that([&] { options.runtime = nullptr; }), 0);
  EXPECT_EQ(said(start().send("Hello")), "You said: Hello");
}

#ifndef __SANITIZE_THREAD__  // a copy that starts threads is none of ThreadSanitizer's
TEST_F(Forks, ACopyStartsSessionsOfItsOwn) {
  std::optional<Session> session = start();
  EXPECT_EQ(status_of_copy_that([&] {
              if (said(start().send("Hello")) != "You said: Hello") _exit(1);
            }),
            0);
  EXPECT_EQ(status_of_copy_that([&] {
              session.reset();
              if (said(start().send("Hello")) != "You said: Hello") _exit(1);
            }),
            0);
  EXPECT_EQ(said(session->send("Still there?")), "You said: Still there?");
}
#endif

TEST_F(Forks, ACopyIsToldThatTheThreadsOfARuntimeAreTheHosts) {
  options.runtime = std::make_shared<Runtime>();
  EXPECT_EQ(status_of_copy_that([&] {
              const Error error = start_error();
              if (error.code != Errc::invalid_option || error.where != "Options::runtime") _exit(1);
            }),
            0);
}

}  // namespace
}  // namespace claude::test
