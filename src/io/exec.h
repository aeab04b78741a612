// The two ways to start a program, behind one signature. Internal to this room: others call
// spawn() of io/child.h, which picks the right one for the system.
#pragma once

#include <sys/types.h>

#include <expected>

#include "io/child.h"

// Whether vfork is there and is what it says: ThreadSanitizer replaces it by fork, whose child
// cannot report through our memory.
#if !defined(__linux__) || defined(__SANITIZE_THREAD__)
#define CLAUDE_IO_VFORK 0
#elif defined(__has_feature)
#define CLAUDE_IO_VFORK !__has_feature(thread_sanitizer)
#else
#define CLAUDE_IO_VFORK 1
#endif

namespace claude::io {

// All that is needed after the fork, made before it: the child may not allocate.
struct ExecPlan {
  const char* program;
  char* const* argv;
  char* const* environment;
  const char* cwd;   // null: the host's
  int in, out, err;  // become 0, 1, 2; each above 2
};

struct ExecFailure {
  enum class Step { start, chdir, exec } step;
  int os_error;
};

using Starter = std::expected<pid_t, ExecFailure> (*)(const ExecPlan& plan);

// vfork and exec, with the parent-death signal. Linux only.
std::expected<pid_t, ExecFailure> start_by_vfork(const ExecPlan& plan);

// posix_spawn: everywhere else. Built and tested on Linux too.
std::expected<pid_t, ExecFailure> start_by_posix_spawn(const ExecPlan& plan);

// spawn() with the way of starting named.
Result<Child> spawn_by(Starter starter, const SpawnRequest& request);

}  // namespace claude::io
