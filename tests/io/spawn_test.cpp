// What a child gets from its host, in both ways of starting: what was asked for and nothing else.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include "io/allocation_watch.h"
#include "io/pipe.h"
#include "io/schedule.h"
#include "io/support.h"
#include "support/temp_dir.h"

namespace claude::io::test {
namespace {

class Spawn : public testing::TestWithParam<NamedStarter> {
 protected:
  Result<Child> start(const SpawnRequest& request) { return spawn_by(GetParam().second, request); }

  // All that the child writes to stdout.
  std::string told_by(const SpawnRequest& request) {
    Result<Child> child = start(request);
    if (!child) return child.error().message;
    std::string text = read_all(child->out);
    wait_exit(*child);
    return text;
  }
};

INSTANTIATE_TEST_SUITE_P(, Spawn, testing::ValuesIn(starters()), name_of_starter);

TEST_P(Spawn, ArgumentsArriveExactly) {
  SpawnRequest request = probe("arguments");
  request.argv.insert(request.argv.end(), {"", "two words", "--flag=\"$HOME\"", "a\nb", "ü"});
  EXPECT_EQ(told_by(request),
            "[probe]\n[arguments]\n[]\n[two words]\n[--flag=\"$HOME\"]\n[a\nb]\n[ü]\n");
}

TEST_P(Spawn, TheEnvironmentIsTheGivenOneAndNothingOfTheHosts) {
  SpawnRequest request = probe("environment");
  request.environment = {"KEY=value=more", "EMPTY=", "LINES=a\nb"};
  EXPECT_EQ(told_by(request), "[KEY=value=more]\n[EMPTY=]\n[LINES=a\nb]\n");
}

TEST_P(Spawn, TheChildRunsInTheWorkingDirectoryAndTheHostStaysInItsOwn) {
  const claude::test::TempDir folder;
  const auto before = std::filesystem::current_path();
  SpawnRequest request = probe("directory");
  request.cwd = folder.path().string();
  EXPECT_EQ(told_by(request), std::filesystem::canonical(folder.path()).string() + "\n");
  EXPECT_EQ(std::filesystem::current_path(), before);
  request.cwd = "";
  EXPECT_EQ(told_by(request), before.string() + "\n");
}

// F23 F26
TEST_P(Spawn, OnlyThreeDescriptorsReachTheChildEvenFromALeakyHost) {
  const DescriptorsUpTo many(2000);
  if (!many.granted()) GTEST_SKIP() << "the hard limit of descriptors is too low";
  const Fd low(::open("/dev/null", O_RDONLY));  // on purpose not close-on-exec
  const Fd high(::fcntl(low.get(), F_DUPFD, 1500));
  ASSERT_GE(high.get(), 1500);
  EXPECT_EQ(told_by(probe("descriptors")), "0\n1\n2\n");
}

TEST_P(Spawn, BlockedAndIgnoredSignalsOfTheHostAreNotPassedOn) {
  const auto host = [&]() -> std::string {
    for (int signal : {SIGPIPE, SIGCHLD, SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    const std::string seen = told_by(probe("signals"));
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    if (sigismember(&after, SIGUSR1) != 1) return "the host's own mask was changed";
    if (::signal(SIGPIPE, SIG_DFL) != SIG_IGN) return "the host's own disposition was changed";
    return seen;
  };
  EXPECT_EQ(in_fork(host), "");
}

TEST_P(Spawn, TheChildLeadsItsOwnProcessGroup) {
  EXPECT_EQ(told_by(probe("group")), "leads its own group\n");
}

TEST_P(Spawn, AHostThatClosedItsOwnStdioCanSpawn) {
  const auto host = [&]() -> std::string {
    for (int fd : {0, 1, 2}) ::close(fd);
    Result<Child> child = start(shell("read line; echo out $line; echo err $line >&2"));
    if (!child) return child.error().message;
    write_some(child->in.get(), "hello\n");
    return read_all(child->out) + read_all(child->err);
  };
  EXPECT_EQ(in_fork(host), "out hello\nerr hello\n");
}

TEST_P(Spawn, OurEndsAreNonBlockingAndCloseOnExecAndTheChildsAreBlocking) {
  Result<Child> child = start(probe("blocking"));
  ASSERT_TRUE(child);
  for (const Fd* fd : {&child->in, &child->out, &child->err}) {
    EXPECT_TRUE(::fcntl(fd->get(), F_GETFL) & O_NONBLOCK);
    EXPECT_TRUE(::fcntl(fd->get(), F_GETFD) & FD_CLOEXEC);
  }
  EXPECT_EQ(read_all(child->out), "blocking\nblocking\nblocking\n");
  wait_exit(*child);
}

TEST_P(Spawn, TheStdoutPipeHasTheWishedSizeWhereTheSystemAllowsIt) {
  Result<Pipe> wish = make_pipe();
  ASSERT_TRUE(wish);
  const int allowed = ::fcntl(wish->read.get(), F_SETPIPE_SZ, 1 << 20);
  Result<Child> child = start(shell("true"));
  ASSERT_TRUE(child);
  EXPECT_GE(::fcntl(child->out.get(), F_GETPIPE_SZ), allowed);
  wait_exit(*child);

  SpawnRequest request = shell("echo works");
  request.stdout_pipe_bytes = std::size_t{1} << 31;
  EXPECT_EQ(told_by(request), "works\n") << "a refused size is no error";
}

// F23
TEST_P(Spawn, EachOfManyChildrenSeesTheEndOfItsInputWhicheverIsClosedFirst) {
  std::vector<Child> children;
  for (int i = 0; i < 8; ++i) {
    Result<Child> child = start(shell("cat; echo ended"));
    ASSERT_TRUE(child);
    children.push_back(std::move(*child));
  }
  for (std::size_t i : {3u, 7u, 0u, 5u, 1u, 6u, 2u, 4u}) {
    children[i].in.close();
    EXPECT_EQ(read_all(children[i].out), "ended\n");
    EXPECT_EQ(wait_exit(children[i]).code, 0);
  }
}

Schedule schedule_of(pid_t pid) {
  Schedule schedule;
  EXPECT_TRUE(get_schedule(pid, schedule));
  return schedule;
}

// What a child gets from a thread with this schedule.
Schedule schedule_of_a_child(Schedule host) {
  Schedule schedule;
  std::thread([&] {
    EXPECT_TRUE(set_schedule(0, host));
    Result<Child> child = spawn(shell("read line"));
    ASSERT_TRUE(child);
    schedule = schedule_of(child->pid);
    child->in.close();
    wait_exit(*child);
  }).join();
  return schedule;
}

class Slices : public testing::Test {
 protected:
  void SetUp() override {
    if (!CLAUDE_IO_VFORK) GTEST_SKIP() << "posix_spawn knows no slices";
    host_ = schedule_of(0);
    if (host_.slice_ns == 0) GTEST_SKIP() << "this kernel has one slice for all";
  }
  Schedule host_;
};

TEST_F(Slices, ThoseOfAChildAreLongerThanTheHostsAtTheSamePriority) {
  host_.nice = 3;
  const Schedule child = schedule_of_a_child(host_);
  EXPECT_GT(child.slice_ns, host_.slice_ns);
  EXPECT_EQ(child.slice_ns, 6'000'000);
  EXPECT_EQ(child.nice, 3);
  EXPECT_EQ(child.policy, SCHED_OTHER);
}

TEST_F(Slices, LongerOnesOfTheHostsStay) {
  host_.slice_ns = 50'000'000;
  EXPECT_EQ(schedule_of_a_child(host_).slice_ns, 50'000'000);
}

TEST_F(Slices, APolicyThatTheHostHasChosenStaysAsItIs) {
  host_.policy = SCHED_BATCH;
  const Schedule child = schedule_of_a_child(host_);
  EXPECT_EQ(child.policy, SCHED_BATCH);
  EXPECT_EQ(child.slice_ns, host_.slice_ns);
}

// As systemd does for a service with SystemCallFilter=~@resources.
void kill_whoever_sets_a_schedule() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setattr, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {.len = std::size(rules), .filter = rules};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

TEST_P(Spawn, AHostThatMayNotSetSchedulesCanSpawn) {
  std::thread([&] {
    kill_whoever_sets_a_schedule();
    EXPECT_EQ(told_by(shell("echo here")), "here\n");
  }).join();
}

std::atomic<int> forks_seen = 0;

TEST_P(Spawn, TheHostsMemoryIsNotCopied) {
  // A fork, which copies the page tables, runs these handlers; vfork and its like do not.
  ASSERT_EQ(pthread_atfork([] { ++forks_seen; }, nullptr, nullptr), 0);
  forks_seen = 0;
  EXPECT_EQ(told_by(shell("echo started")), "started\n");
  EXPECT_EQ(forks_seen, 0);
}

// F27
TEST_P(Spawn, NothingIsAllocatedBetweenForkAndExec) {
  const AllocationWatch watch;
  SpawnRequest request = shell("echo started");
  request.cwd = "/";
  EXPECT_EQ(told_by(request), "started\n");
  request.cwd = "/nowhere";
  EXPECT_FALSE(start(request));
  EXPECT_EQ(watch.in_children(), 0);
}

TEST(AllocationWatch, SeesWhatAChildAllocatesInEveryWay) {
  const AllocationWatch watch;
  const auto child = [] {
    ::free(::malloc(1));
    ::free(::calloc(1, 1));
    ::free(::realloc(nullptr, 1));
    ::free(::strdup("text"));
    ::operator delete(::operator new(1));
    return std::string();
  };
  EXPECT_EQ(in_fork(child), "");
  EXPECT_EQ(watch.in_children(), 5);
}

// F27
TEST_P(Spawn, WorksWhileAnotherThreadChangesTheEnvironmentAndAllocates) {
  std::atomic<bool> over = false;
  std::thread other([&] {
    while (!over) {
      for (const char* value : {"short", "a value that takes a place of its own"})
        ::setenv("CHANGES", value, 1);
      ::free(::malloc(1000));
    }
  });
  SpawnRequest request = probe("environment");
  request.environment = {"KEY=value"};
  for (int i = 0; i < 50; ++i) EXPECT_EQ(told_by(request), "[KEY=value]\n");
  over = true;
  other.join();
  ::unsetenv("CHANGES");
}

}  // namespace
}  // namespace claude::io::test
