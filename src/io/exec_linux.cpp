// vfork and exec.
//
// Between the two the child runs in our memory while our thread stands still, so it may call
// async-signal-safe functions only and must leave by exec or _exit. In return its errors come
// back through an ordinary variable.
#ifdef __linux__

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "io/exec.h"
#include "io/schedule.h"

namespace claude::io {
namespace {

#ifndef SYS_close_range
constexpr long SYS_close_range = 436;
#endif
constexpr unsigned kCloseRangeCloexec = 4;

// Time on a CPU that a child asks for at once; without asking it gets 3 ms at most.
constexpr std::uint64_t kChildSliceNs = 6'000'000;

// No handler of the host may run in the child: it would act on the host's memory.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

// Everything from here to become_program() runs in the child.

void reset_signals() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// For kernels before 5.11 and sandboxes that refuse close_range.
bool mark_all_close_on_exec_by_proc() {
  const int directory = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return false;
  alignas(dirent64) char entries[4096];
  long size = 0;
  while ((size = ::syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0) {
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      int fd = 0;
      for (const char* c = entry->d_name; *c >= '0' && *c <= '9'; ++c) fd = fd * 10 + (*c - '0');
      if (fd > 2) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
      at += entry->d_reclen;
    }
  }
  return size == 0;
}

bool mark_all_close_on_exec() {
  return ::syscall(SYS_close_range, 3U, ~0U, kCloseRangeCloexec) == 0 ||
         mark_all_close_on_exec_by_proc();
}

// Whoever asks for longer slices waits longer for them: where CPUs are short, the host's threads
// come before the child and all that it starts, at an equal share. So a host reads what the CLI
// has written at once, and its user interface stays smooth while tools compile. Only a wish:
// kernels before 6.12 have one slice for all. A policy of the host's own choice stays.
void ask_for_long_slices() {
  // A filter may kill whoever asks (SystemCallFilter=~@resources): not worth a child.
  if (::prctl(PR_GET_SECCOMP) != 0) return;
  Schedule wish;
  if (!get_schedule(0, wish)) return;
  if (wish.policy != SCHED_OTHER || wish.slice_ns >= kChildSliceNs) return;
  wish.slice_ns = kChildSliceNs;
  set_schedule(0, wish);
}

[[noreturn]] void give_up(ExecFailure& failure, ExecFailure::Step step) {
  failure = {step, errno};
  ::_exit(127);
}

[[noreturn]] void become_program(const ExecPlan& plan, pid_t host, ExecFailure& failure) {
  using enum ExecFailure::Step;
  if (::setpgid(0, 0) != 0) give_up(failure, start);
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(failure, start);
  if (::getppid() != host) ::_exit(127);  // the host died before the wish was heard
  ask_for_long_slices();
  if (::dup2(plan.in, 0) < 0 || ::dup2(plan.out, 1) < 0 || ::dup2(plan.err, 2) < 0) {
    give_up(failure, start);
  }
  if (!mark_all_close_on_exec()) give_up(failure, start);
  if (plan.cwd && ::chdir(plan.cwd) != 0) give_up(failure, chdir);
  reset_signals();
  ::execve(plan.program, plan.argv, plan.environment);
  give_up(failure, exec);
}

// A function of its own, because vfork returns twice into the frame that calls it.
[[gnu::noinline]] pid_t fork_into(const ExecPlan& plan, pid_t host, ExecFailure& failure) {
  const pid_t pid = ::vfork();
  // POSIX allows the child nothing but exec; Linux allows it whatever leaves the host's memory
  // alone.
  if (pid == 0) become_program(plan, host, failure);  // NOLINT(clang-analyzer-unix.Vfork)
  return pid;
}

}  // namespace

std::expected<pid_t, ExecFailure> start_by_vfork(const ExecPlan& plan) {
  const SignalsBlocked blocked;
  ExecFailure failure{ExecFailure::Step::start, 0};
  const pid_t pid = fork_into(plan, ::getpid(), failure);
  if (pid < 0) return std::unexpected(ExecFailure{ExecFailure::Step::start, errno});
  if (failure.os_error == 0) return pid;
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return std::unexpected(failure);
}

}  // namespace claude::io

#endif
