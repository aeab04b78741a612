// How children end: exit status, the group, the ladder on real processes, a host that interferes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "io/child.h"
#include "io/exec.h"
#include "io/ladder.h"
#include "io/pipe.h"
#include "io/support.h"

namespace claude::io::test {
namespace {

using namespace std::chrono_literals;

Child started(const SpawnRequest& request) {
  Result<Child> child = spawn(request);
  if (!child) {
    ADD_FAILURE() << child.error().to_string();
    return Child{};
  }
  return std::move(*child);
}

TEST(Exit, TheCodeIsReported) {
  Child child = started(shell("exit 3"));
  const ExitStatus status = wait_exit(child);
  EXPECT_EQ(status.code, 3);
  EXPECT_EQ(status.signal, std::nullopt);
}

TEST(Exit, TheSignalIsReported) {
  Child child = started(shell("kill -SEGV $$"));
  const ExitStatus status = wait_exit(child);
  EXPECT_EQ(status.code, std::nullopt);
  EXPECT_EQ(status.signal, SIGSEGV);
}

TEST(Exit, ARunningChildHasNoStatusAndOneThatExitedKeepsItUntilReaped) {
  Child child = started(shell("read line; exit 4"));
  EXPECT_EQ(try_reap(child), std::nullopt);
  EXPECT_FALSE(exited_unreaped(child));
  child.in.close();
  ASSERT_TRUE(wait_readable(child.pidfd.get()));
  EXPECT_TRUE(exited_unreaped(child));
  EXPECT_TRUE(exited_unreaped(child));
  EXPECT_EQ(wait_exit(child).code, 4);
}

TEST(Exit, AfterReapingNothingIsSignalled) {
  Child child = started(shell("exit 0"));
  wait_exit(child);
  EXPECT_EQ(child.pid, -1);
  EXPECT_FALSE(terminate_group(child, SIGKILL));
}

// F24
TEST(Exit, UnderAHostThatIgnoresSigchldTheChildIsGoneWithUnknownStatus) {
  const auto host = []() -> std::string {
    ::signal(SIGCHLD, SIG_IGN);
    Result<Child> child = spawn(shell("read line; exit 3"));
    if (!child) return child.error().message;
    if (try_reap(*child)) return "reaped while it runs";
    child->in.close();
    const ExitStatus status = wait_exit(*child);
    return status.code || status.signal ? "a status from nowhere" : "";
  };
  EXPECT_EQ(in_fork(host), "");
}

// F24
TEST(Exit, UnderAHostThatReapsEveryChildTheChildIsGoneWithUnknownStatus) {
  Child child = started(shell("exit 3"));
  ASSERT_EQ(::waitpid(-1, nullptr, 0), child.pid);
  EXPECT_TRUE(exited_unreaped(child));
  EXPECT_FALSE(terminate_group(child, SIGKILL)) << "nobody is left, and the id may be another's";
  const ExitStatus status = wait_exit(child);
  EXPECT_EQ(status.code, std::nullopt);
  EXPECT_EQ(status.signal, std::nullopt);
}

// F24
TEST(Exit, AStartErrorIsReportedUnderAHostThatIgnoresSigchld) {
  const auto host = []() -> std::string {
    ::signal(SIGCHLD, SIG_IGN);
    const Result<Child> child = spawn({.program = "/nowhere/claude", .argv = {"claude"}});
    return child || child.error().code != Errc::cli_not_found ? "no clear error" : "";
  };
  EXPECT_EQ(in_fork(host), "");
}

TEST(Group, ASignalReachesEveryProcessOfIt) {
  // Both hold stdout: its end says that both are gone.
  Child child = started(shell("sh -c 'echo ready; exec " IO_PROBE " linger' & wait"));
  EXPECT_EQ(read_line(child.out), "ready\n");
  EXPECT_TRUE(terminate_group(child, SIGTERM));
  EXPECT_EQ(read_all(child.out), "");
  EXPECT_EQ(wait_exit(child).signal, SIGTERM);
}

// F18
TEST(Group, ALeaderThatLeftItIsSignalledToo) {
  Child child =
      started(shell("exec " IO_PROBE " stray /bin/sh -c 'echo left; exec " IO_PROBE " linger'"));
  EXPECT_EQ(read_line(child.out), "left\n");
  EXPECT_TRUE(terminate_group(child, SIGTERM)) << "nobody is in the group";
  EXPECT_EQ(read_all(child.out), "");
  EXPECT_EQ(wait_exit(child).signal, SIGTERM);
}

TEST(Group, ALeaderGetsASignalOnceWhetherItLeftOrNot) {
  for (const char* way : {"", IO_PROBE " stray "}) {
    Child child = started(shell("exec " + std::string(way) + IO_PROBE " count"));
    EXPECT_EQ(read_line(child.out), "ready\n");
    terminate_group(child, SIGRTMIN);
    child.in.close();
    EXPECT_EQ(read_all(child.out), "1\n") << way;
    wait_exit(child);
  }
}

// What fork() copies of the host has a Child too, but not the child.
TEST(Group, IsLeftAloneByACopyOfTheHost) {
  Child child = started(shell("cat"));
  EXPECT_EQ(in_fork([&]() -> std::string {
              if (!exited_unreaped(child)) return "somebody else's child is waited for";
              if (terminate_group(child, SIGKILL)) return "somebody else's child is signalled";
              return "";
            }),
            "");
  write_some(child.in.get(), "here\n");
  EXPECT_EQ(read_line(child.out), "here\n");
  child.in.close();
  EXPECT_EQ(wait_exit(child).code, 0);
}

// Applies what the ladder says to a real child. Its time is fed: a deadline is reached by being
// told so, unless the child is expected to exit on its own after the action.
class Ended {
 public:
  explicit Ended(Child& child) : child_(child) { ending_.start(now_); }

  // One action, applied.
  Action step() {
    const Action action = ending_.step(now_, exited_unreaped(child_));
    if (action == Action::close_stdin) child_.in.close();
    if (action == Action::terminate_group) terminate_group(child_, SIGTERM);
    if (action == Action::kill_group) terminate_group(child_, SIGKILL);
    if (action == Action::reap) status_ = try_reap(child_);
    return action;
  }
  void pass_grace() { now_ = *ending_.next_deadline(); }
  void see_exit() { EXPECT_TRUE(wait_readable(child_.pidfd.get())); }

  Stage reached() const { return ending_.reached(); }
  std::optional<ExitStatus> status() const { return status_; }

 private:
  Child& child_;
  Ending ending_;
  Ending::TimePoint now_;
  std::optional<ExitStatus> status_;
};

TEST(Ladder, AChildThatHeedsTheEndOfItsInputIsNotSignalled) {
  Child child = started(shell("cat; exit 7"));
  Ended ended(child);
  EXPECT_EQ(ended.step(), Action::close_stdin);
  ended.see_exit();
  EXPECT_EQ(ended.step(), Action::kill_group);
  EXPECT_EQ(ended.step(), Action::reap);
  EXPECT_EQ(ended.reached(), Stage::eof);
  EXPECT_EQ(ended.status()->code, 7);
}

// F18
TEST(Ladder, AChildThatIgnoresEofAndTermIsKilledWithItsGrandchild) {
  Child child = started(shell("trap '' TERM; " IO_PROBE " linger & echo ready; wait; wait"));
  EXPECT_EQ(read_line(child.out), "ready\n");
  Ended ended(child);
  EXPECT_EQ(ended.step(), Action::close_stdin);
  EXPECT_EQ(ended.step(), Action::wait);
  ended.pass_grace();
  EXPECT_EQ(ended.step(), Action::terminate_group);
  EXPECT_EQ(ended.step(), Action::wait);
  ended.pass_grace();
  EXPECT_EQ(ended.step(), Action::kill_group);
  ended.see_exit();
  EXPECT_EQ(ended.step(), Action::reap);
  EXPECT_EQ(ended.reached(), Stage::kill);
  EXPECT_EQ(ended.status()->signal, SIGKILL);
  EXPECT_EQ(read_all(child.out), "") << "the grandchild held stdout open until its end";
}

// F18
TEST(Ladder, ALeaderThatLeftItsGroupIsKilledAndSoIsWhomItLeftThere) {
  Child child = started(shell("trap '' TERM; " IO_PROBE " linger & exec " IO_PROBE
                              " stray /bin/sh -c 'echo left; exec " IO_PROBE " linger'"));
  EXPECT_EQ(read_line(child.out), "left\n");
  Ended ended(child);
  EXPECT_EQ(ended.step(), Action::close_stdin);
  ended.pass_grace();
  EXPECT_EQ(ended.step(), Action::terminate_group);
  ended.pass_grace();
  EXPECT_EQ(ended.step(), Action::kill_group);
  ended.see_exit();
  EXPECT_EQ(ended.step(), Action::reap);
  EXPECT_EQ(ended.status()->signal, SIGKILL);
  EXPECT_EQ(read_all(child.out), "") << "the grandchild held stdout open until its end";
}

// F18
TEST(Ladder, AGrandchildThatOutlivesTheLeaderIsKilledBeforeTheLeaderIsReaped) {
  Child child = started(shell(IO_PROBE " linger & exit 5"));
  Ended ended(child);
  ended.see_exit();
  EXPECT_EQ(ended.step(), Action::kill_group);
  EXPECT_EQ(ended.step(), Action::reap);
  EXPECT_EQ(ended.reached(), Stage::none);
  EXPECT_EQ(ended.status()->code, 5);
  EXPECT_EQ(read_all(child.out), "") << "the grandchild held stdout open until its end";
}

// F19
TEST(HostDeath, AKilledHostTakesTheChildAlong) {
  if (!CLAUDE_IO_VFORK) GTEST_SKIP() << "posix_spawn has no parent-death signal";
  auto report = make_pipe();
  ASSERT_TRUE(report);
  const pid_t host = ::fork();
  if (host == 0) {
    Result<Child> child = spawn(probe("linger"));
    write_some(report->write.get(), child ? std::to_string(child->pid) + "\n" : "none\n");
    for (;;) ::pause();
  }
  report->write.close();
  const pid_t child = std::stoi(read_line(report->read));
  const Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, child, 0U)));
  ASSERT_TRUE(pidfd);
  ::kill(host, SIGKILL);
  EXPECT_TRUE(wait_readable(pidfd.get(), 2s)) << "the child lives on";
  ::waitpid(host, nullptr, 0);
}

TEST(HostDeath, TheChildDiesWithTheThreadThatStartedIt) {
  if (!CLAUDE_IO_VFORK) GTEST_SKIP() << "posix_spawn has no parent-death signal";
  Child child;
  std::thread([&] { child = started(probe("linger")); }).join();
  EXPECT_EQ(wait_exit(child).signal, SIGKILL);
}

// F23
TEST_F(OldKernel, WithoutCloseRangeOnlyThreeDescriptorsReachTheChild) {
  const auto host = []() -> std::string {
    const Fd leaky(::dup(0));
    const Fd high(::fcntl(leaky.get(), F_DUPFD, 900));
    Result<Child> child = spawn(probe("descriptors"));
    if (!child) return child.error().message;
    const std::string seen = read_all(child->out);
    return seen == "0\n1\n2\n" ? "" : seen;
  };
  EXPECT_EQ(in_fork(host), "");
}

TEST_F(OldKernel, WithoutPidfdsAChildIsReapedAndItsGroupSignalledByPid) {
  const auto host = []() -> std::string {
    Result<Child> child = spawn(shell(IO_PROBE " linger & echo ready; wait"));
    if (!child) return child.error().message;
    if (child->pidfd) return "this kernel is not old";
    if (read_line(child->out) != "ready\n") return "not ready";
    if (exited_unreaped(*child) || try_reap(*child)) return "it has not exited";
    if (!terminate_group(*child, SIGTERM)) return "not signalled";
    if (read_all(child->out) != "") return "the group lives";
    if (wait_exit(*child).signal != SIGTERM) return "wrong status";
    return terminate_group(*child, SIGTERM) ? "signalled after reaping" : "";
  };
  EXPECT_EQ(in_fork(host), "");
}

TEST_F(OldKernel, WithoutPidfdsALeaderThatLeftItsGroupIsSignalledByPid) {
  const auto host = []() -> std::string {
    Result<Child> child = spawn(shell("trap '' TERM; exec " IO_PROBE
                                      " stray /bin/sh -c 'echo left; exec " IO_PROBE " linger'"));
    if (!child) return child.error().message;
    if (read_line(child->out) != "left\n") return "it did not leave";
    if (!terminate_group(*child, SIGKILL)) return "not signalled";
    return wait_exit(*child).signal == SIGKILL ? "" : "wrong status";
  };
  EXPECT_EQ(in_fork(host), "");
}

// The group lives on in the grandchild, but its leader, who gave it its id, is gone.
Result<Child> leader_reaped_by_host() {
  Result<Child> child = spawn(shell("cat <&0 & exit 0"));
  if (child) ::waitpid(-1, nullptr, 0);
  return child;
}

bool kernel_signals_groups_by_pidfd() {
  constexpr unsigned kProcessGroup = 4;  // PIDFD_SIGNAL_PROCESS_GROUP
  const Fd self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0U)));
  return self && (::syscall(SYS_pidfd_send_signal, self.get(), 0, nullptr, kProcessGroup) == 0 ||
                  errno == ESRCH);
}

// F18 F24
TEST(Group, IsStillKnownByPidfdWhenTheHostReapedItsLeader) {
  if (!kernel_signals_groups_by_pidfd()) GTEST_SKIP() << "a kernel before 6.9";
  Result<Child> child = leader_reaped_by_host();
  ASSERT_TRUE(child);
  ASSERT_TRUE(terminate_group(*child, SIGKILL));
  EXPECT_EQ(read_all(child->out), "");
}

TEST_F(OldKernel, WithoutPidfdsAGroupWhoseLeaderTheHostReapedIsLeftAlone) {
  const auto host = []() -> std::string {
    Result<Child> child = leader_reaped_by_host();
    if (!child) return child.error().message;
    return terminate_group(*child, SIGTERM) ? "signalled what may be a stranger's id" : "";
  };
  EXPECT_EQ(in_fork(host), "");
}

}  // namespace
}  // namespace claude::io::test
