// What the tests of this room share; see the header.
#include "io/support.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>

#include "io/pipe.h"
#include "io/poller.h"

namespace claude::io::test {

SpawnRequest shell(const std::string& script) {
  return {
      .program = "/bin/sh", .argv = {"sh", "-c", script}, .environment = {"PATH=/usr/bin:/bin"}};
}

SpawnRequest probe(const std::string& fact) {
  return {.program = IO_PROBE, .argv = {"probe", fact}, .environment = {}};
}

std::vector<NamedStarter> starters() {
  return {
#if CLAUDE_IO_VFORK
      {"vfork", start_by_vfork},
#endif
      {"posix_spawn", start_by_posix_spawn}};
}
std::string name_of_starter(const testing::TestParamInfo<NamedStarter>& run) {
  return run.param.first;
}

bool wait_readable(int fd, std::chrono::seconds patience) {
  PollItem item{.fd = fd};
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    if (poll_few({&item, 1}, patience) > 0) return true;
  }
  return false;
}

static std::string read_until(const Fd& fd, char last) {
  std::string all;
  while (wait_readable(fd.get())) {
    char byte = 0;
    const ReadOutcome got = read_some(fd.get(), {&byte, 1});
    if (got.kind == ReadOutcome::Kind::eof) return all;
    if (got.kind == ReadOutcome::Kind::error) return all + "error";
    if (got.kind != ReadOutcome::Kind::bytes) continue;
    all += byte;
    if (byte == last) return all;
  }
  return all + "watchdog";
}

std::string read_all(const Fd& fd) {
  return read_until(fd, '\0');
}
std::string read_line(const Fd& fd) {
  return read_until(fd, '\n');
}

ExitStatus wait_exit(Child& child) {
  if (child.pidfd) wait_readable(child.pidfd.get());
  const auto end = std::chrono::steady_clock::now() + kWatchdog;
  while (std::chrono::steady_clock::now() < end) {
    if (auto status = try_reap(child)) return *status;
  }
  return {.code = -1, .signal = -1};
}

std::string in_fork(const std::function<std::string()>& body) {
  auto pipe = make_pipe();
  const pid_t pid = ::fork();
  if (pid == 0) {
    const std::string wrong = body();
    write_some(pipe->write.get(), wrong);
    ::_exit(0);
  }
  pipe->write.close();
  std::string wrong = read_all(pipe->read);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) wrong += "killed by signal " + std::to_string(WTERMSIG(status));
  return wrong;
}

DescriptorsUpTo::DescriptorsUpTo(rlim_t highest) {
  ::getrlimit(RLIMIT_NOFILE, &before_);
  rlimit raised = before_;
  raised.rlim_cur = std::max(before_.rlim_cur, highest + 1);
  granted_ = ::setrlimit(RLIMIT_NOFILE, &raised) == 0;
}

DescriptorsUpTo::~DescriptorsUpTo() {
  ::setrlimit(RLIMIT_NOFILE, &before_);
}

static bool become_old_kernel() {
  const auto number = [](long call) { return static_cast<unsigned>(call); };
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number(SYS_close_range), 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number(SYS_pidfd_open), 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number(SYS_pidfd_send_signal), 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number(SYS_pwritev2), 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
  };
  const sock_fprog filter = {.len = std::size(program), .filter = program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

void OldKernel::SetUp() {
  const auto impossible = [] { return std::string(become_old_kernel() ? "" : "impossible"); };
  if (test::in_fork(impossible) != "") GTEST_SKIP() << "seccomp is not available here";
}

std::string OldKernel::in_fork(const std::function<std::string()>& body) {
  return test::in_fork([&] { return become_old_kernel() ? body() : "not an old kernel"; });
}

int open_descriptors() {
  int count = -1;  // the directory itself
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

bool has_children() {
  siginfo_t info;
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace claude::io::test
