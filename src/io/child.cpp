// What became of a child, and signals to its group.
#include "io/child.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace claude::io {
namespace {

enum class Life { running, exited, gone };

// Asks for the child by pidfd where there is one: its pid may have been reaped by the host and
// given to another child since. Fills `info` when it exited.
Life look(const Child& child, int options, siginfo_t& info) {
#ifdef SYS_pidfd_open
  constexpr auto kByPidfd = static_cast<idtype_t>(3);  // P_PIDFD, which older headers lack
  const idtype_t kind = child.pidfd ? kByPidfd : P_PID;
#else
  const idtype_t kind = P_PID;
#endif
  const int raw_id = child.pidfd ? child.pidfd.get() : child.pid;
  info = {};
  while (::waitid(kind, static_cast<id_t>(raw_id), &info, WEXITED | WNOHANG | options) != 0) {
    if (errno != EINTR) return Life::gone;
  }
  return info.si_pid == 0 ? Life::running : Life::exited;
}

#ifdef __linux__
#ifndef SYS_pidfd_send_signal
constexpr long SYS_pidfd_send_signal = 424;
#endif
constexpr unsigned kProcessGroup = 4;  // PIDFD_SIGNAL_PROCESS_GROUP, since Linux 6.9

// Exact even when the leader was reaped: the kernel remembers the group itself, not its number.
// nullopt where the kernel cannot do it.
std::optional<bool> signal_group_by_pidfd(const Child& child, int signal) {
  if (!child.pidfd) return std::nullopt;
  const long done =
      ::syscall(SYS_pidfd_send_signal, child.pidfd.get(), signal, nullptr, kProcessGroup);
  if (done == 0) return true;
  if (errno == ESRCH) return false;
  return std::nullopt;
}
#else
std::optional<bool> signal_group_by_pidfd(const Child&, int) {
  return std::nullopt;
}
#endif

}  // namespace

std::optional<ExitStatus> try_reap(Child& child) {
  if (child.pid < 0) return ExitStatus{};
  siginfo_t info;
  const Life life = look(child, 0, info);
  if (life == Life::running) return std::nullopt;
  child.pid = -1;
  if (life == Life::gone) return ExitStatus{};
  if (info.si_code == CLD_EXITED) return ExitStatus{.code = info.si_status};
  return ExitStatus{.signal = info.si_status};
}

bool exited_unreaped(const Child& child) {
  siginfo_t info;
  return child.pid < 0 || look(child, WNOWAIT, info) != Life::running;
}

bool terminate_group(const Child& child, int signal) {
  if (child.pid < 0) return false;
  if (const auto sent = signal_group_by_pidfd(child, signal)) return *sent;
  siginfo_t info;
  if (look(child, WNOWAIT, info) == Life::gone) return false;
  return ::kill(-child.pid, signal) == 0;
}

}  // namespace claude::io
