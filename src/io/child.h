// Child processes: starting one, learning how it ended, ending its process group.
//
// The child leads a process group of its own, which is the tree that we promise to end, and gets
// descriptors 0, 1, 2 and nothing else of the host: no other descriptor, no blocked or ignored
// signal. Who closes what, and when to escalate, is said in io/ladder.h.
#pragma once

#include <claude/error.h>
#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/fd.h"
#include "io/host_process.h"

namespace claude::io {

struct SpawnRequest {
  std::string program = {};                   // absolute path
  std::vector<std::string> argv = {};         // argv[0] included
  std::vector<std::string> environment = {};  // "K=V", complete: nothing is inherited
  std::string cwd = {};                       // empty: the host's
  std::size_t stdout_pipe_bytes = 1 << 20;    // a wish; the system may grant less
};

// A started process. Plain ownership: dropping it closes our ends and leaves the process alone.
// One thread at a time.
struct Child {
  Fd in, out, err;  // our ends, non-blocking
  pid_t pid = -1;   // also the group's id; -1 once reaped, so that nobody can signal it
  Fd pidfd;         // readable once the leader has exited; empty where the system has none
  HostProcess host = {};
};

// Starts the program without copying the host's memory, so it costs the same in a host of any
// size, and with nothing but async-signal-safe calls before exec.
//
// On Linux the child is killed when the *thread* that called spawn() ends (PR_SET_PDEATHSIG, so
// that a killed host leaves nothing behind): call it on a thread that outlives the child.
//
// Errors: cwd_missing, cli_not_found, not_executable, wrong_architecture, each with the path in
// `where`; invalid_option for a text with a NUL in it; spawn_failed for all else. After an error
// there is no process and no descriptor left.
Result<Child> spawn(const SpawnRequest& request);

// How a process ended. Both empty: it is gone, but the host took its status (it ignores SIGCHLD
// or waits for every child itself).
struct ExitStatus {
  std::optional<int> code = {};
  std::optional<int> signal = {};
};

// Takes the exit status; nullopt while the leader runs. Never blocks. Ends our right to signal:
// end the rest of the group before, see exited_unreaped().
std::optional<ExitStatus> try_reap(Child& child);

// Whether the leader has exited, without reaping it. While it stays unreaped its pid, and so the
// group's id, cannot be given to a stranger: this is the moment to kill what is left of the
// group. Also true when the host reaped it behind our back, and for the child of another process.
bool exited_unreaped(const Child& child);

// Sends the signal to every process of the group, and to the leader also when it has left the group
// (setpgid), even for that of the host. False when there is none, or when they can no longer be
// known as ours (reaped, by us or by the host, and the kernel cannot signal a group by pidfd): a
// recycled id is never signalled. Nor is the child of another process, whose copy we are.
bool terminate_group(const Child& child, int signal);

}  // namespace claude::io
