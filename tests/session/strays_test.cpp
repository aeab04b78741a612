// CLIs that leave their process group, where its signals do not reach them: they end all the same.
#include <signal.h>

#include <array>
#include <memory>
#include <string>

#include "io/child.h"
#include "io/poller.h"
#include "session/child_transport.h"
#include "session/fixture.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class Strays : public SimTest {
 protected:
  // A CLI of which `--version` and everything else are each a line of sh. Their pids stay in the
  // files `version` and `session`.
  void use_cli(const std::string& version, const std::string& session) {
    project.write("cli", "#!/bin/sh\ncase \"$*\" in\n--version) echo $$ > version; " + version +
                             ";;\n*) echo $$ > session; " + session + ";;\nesac\n");
    std::filesystem::permissions(project.path() / "cli", std::filesystem::perms::owner_all);
    options.cli_path = project.path() / "cli";
  }
  // Whether the one that left this pid has started and is gone, reaped as well.
  bool is_gone(const char* file) const {
    const std::string pid = project.read(file);
    return !pid.empty() && kill(std::stoi(pid), 0) != 0;
  }

  // Leaves the group, closes its output and stays.
  static constexpr const char* kStray =
      "trap '' TERM; exec " IO_PROBE " stray /bin/sh -c 'exec >&-; exec " IO_PROBE " linger'";
};

// F18
TEST_F(Strays, AreKilledByClose) {
  use_cli("exit 1", "exec " IO_PROBE " stray " CLAUDE_SIM " \"$@\"");
  play(R"({"faults": {"ignore": ["eof", "sigterm"]}})");
  options.timeouts.exit_grace = 10ms;
  options.timeouts.terminate_grace = 10ms;
  EXPECT_EQ(start().close(), EndStage::killed);
  EXPECT_TRUE(is_gone("session"));
}

// F18
TEST_F(Strays, HeedSigtermOutsideTheirGroup) {
  use_cli("exit 1", "exec " IO_PROBE " stray " CLAUDE_SIM " \"$@\"");
  play(R"({"faults": {"ignore": ["eof"]}})");
  options.timeouts.exit_grace = 10ms;
  options.timeouts.terminate_grace = 1h;
  EXPECT_EQ(start().close(), EndStage::terminated);
  EXPECT_TRUE(is_gone("session"));
}

// F18
TEST_F(Strays, ThatAreAskedForTheirVersionFirstDoNotHoldUpTheStart) {
  options.version_check = VersionCheck::before_start;
  use_cli(kStray, "exec " CLAUDE_SIM " \"$@\"");
  EXPECT_EQ(said(start().send("Hello")), "You said: Hello");
  EXPECT_TRUE(is_gone("version"));
}

// F18
TEST_F(Strays, ThatFailToStartAreEndedAndSoAreThoseAskedForTheirVersionThen) {
  options.timeouts.exit_grace = 10ms;
  options.timeouts.terminate_grace = 10ms;
  use_cli(kStray, kStray);
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::exited_during_init);
  EXPECT_THAT(error.message, HasSubstr("closed its output, but went on running"));
  EXPECT_TRUE(is_gone("session"));
  EXPECT_TRUE(is_gone("version"));
}

// F18
TEST_F(Strays, OfAQueryInTheOldFormEndWithIt) {
  options.legacy_argv = true;
  use_cli("exit 1", "exec " IO_PROBE
                    R"( stray /bin/sh -c 'echo "{\"type\": \"left\"}"; exec )" IO_PROBE " linger'");
  {
    Query asked = query("Hello", options);
    EXPECT_TRUE(asked.next());
  }
  EXPECT_TRUE(is_gone("session"));
}

// What not even SIGKILL ends cannot be had in a test: here nobody sends it.
std::unique_ptr<Transport> not_killed(const std::string& script) {
  auto child = io::spawn({.program = "/bin/sh", .argv = {"sh", "-c", script}});
  return std::make_unique<ChildTransport>(std::move(child.value()), io::PrivateFiles());
}

// F18
TEST(StuckChildren, AreNotWaitedForLongerThanPatienceLasts) {
  auto stuck = not_killed("exec " IO_PROBE " linger");
  EXPECT_FALSE(wait_for_exit(*stuck, 1ms));
  stuck->kill();
  EXPECT_EQ(wait_for_exit(*stuck)->signal, SIGKILL);
}

// F18
TEST(StuckChildren, ThatEndAfterTheyWereGivenUpAreReapedWithTheirTransport) {
  auto stuck = not_killed("read line");
  const int pid = stuck->pid().value();
  EXPECT_FALSE(wait_for_exit(*stuck, 0ms));
  stuck->close_input();
  std::array<io::PollItem, 1> ended{{{.fd = stuck->exit_fd()}}};
  ASSERT_EQ(io::poll_few(ended, kPatience), 1u);
  EXPECT_EQ(kill(pid, 0), 0) << "nobody has reaped it yet";
  stuck.reset();
  EXPECT_NE(kill(pid, 0), 0);
}

}  // namespace
}  // namespace claude::test
