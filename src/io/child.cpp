// What became of a child, and signals to it and its group.
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

enum class Whom : unsigned {  // as pidfd_send_signal numbers them
  leader = 0,
  group = 4,  // PIDFD_SIGNAL_PROCESS_GROUP, since Linux 6.9
};

#ifdef __linux__
#ifndef SYS_pidfd_send_signal
constexpr long SYS_pidfd_send_signal = 424;
#endif

// Exact even when the leader was reaped: the kernel remembers the group itself, not its number.
// nullopt where the kernel cannot do it.
std::optional<bool> signal_by_pidfd(const Child& child, int signal, Whom whom) {
  if (!child.pidfd) return std::nullopt;
  const long done = ::syscall(SYS_pidfd_send_signal, child.pidfd.get(), signal, nullptr,
                              static_cast<unsigned>(whom));
  if (done == 0) return true;
  if (errno == ESRCH) return false;
  return std::nullopt;
}
#else
std::optional<bool> signal_by_pidfd(const Child&, int, Whom) {
  return std::nullopt;
}
#endif

bool send_signal(const Child& child, int signal, Whom whom) {
  if (const auto sent = signal_by_pidfd(child, signal, whom)) return *sent;
  siginfo_t info;
  if (look(child, WNOWAIT, info) == Life::gone) return false;
  return ::kill(whom == Whom::group ? -child.pid : child.pid, signal) == 0;
}

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
  if (child.pid < 0 || !child.host.is_this_one()) return false;
  const bool group_got_it = send_signal(child, signal, Whom::group);
  // A leader that has left the group was not reached. SIGKILL asks not where it is, for it may come
  // and go, and twice does no harm; of any other signal a leader that stayed has had its one.
  const bool leader_got_it = signal != SIGKILL && ::getpgid(child.pid) == child.pid;
  if (leader_got_it) return group_got_it;
  return send_signal(child, signal, Whom::leader) || group_got_it;
}

}  // namespace claude::io
