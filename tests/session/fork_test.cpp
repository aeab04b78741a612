// A host that forks: its copy has copies of our objects, but the CLI and the threads are the
// host's.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

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

}  // namespace
}  // namespace claude::test
