// posix_spawn, for systems other than Linux. It cannot ask for the parent-death signal: a killed
// host leaves its child to notice the end of stdin.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "io/exec.h"

namespace claude::io {
namespace {

struct FileActions {
  posix_spawn_file_actions_t value;
  FileActions() { posix_spawn_file_actions_init(&value); }
  ~FileActions() { posix_spawn_file_actions_destroy(&value); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
};

struct Attributes {
  posix_spawnattr_t value;
  Attributes() { posix_spawnattr_init(&value); }
  ~Attributes() { posix_spawnattr_destroy(&value); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
};

int add_file_actions(posix_spawn_file_actions_t& actions, const ExecPlan& plan) {
  const int ends[] = {plan.in, plan.out, plan.err};
  for (int number = 0; number < 3; ++number) {
    if (int error = posix_spawn_file_actions_adddup2(&actions, ends[number], number)) return error;
  }
  // Apple has a flag for it. Elsewhere a host's descriptor without close-on-exec would leak.
#if defined(__FreeBSD__) || (defined(__GLIBC__) && __GLIBC_PREREQ(2, 34))
  if (int error = posix_spawn_file_actions_addclosefrom_np(&actions, 3)) return error;
#endif
  return plan.cwd ? posix_spawn_file_actions_addchdir_np(&actions, plan.cwd) : 0;
}

int set_attributes(posix_spawnattr_t& attributes) {
  sigset_t signals;
  sigemptyset(&signals);
  if (int error = posix_spawnattr_setsigmask(&attributes, &signals)) return error;
  sigfillset(&signals);
  if (int error = posix_spawnattr_setsigdefault(&attributes, &signals)) return error;
  if (int error = posix_spawnattr_setpgroup(&attributes, 0)) return error;
  int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
#ifdef __APPLE__
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  return posix_spawnattr_setflags(&attributes, static_cast<short>(flags));
}

// posix_spawn does not say which step failed, so the directory is looked at before.
int cannot_enter(const char* directory) {
  struct stat found = {};
  if (::stat(directory, &found) != 0) return errno;
  if (!S_ISDIR(found.st_mode)) return ENOTDIR;
  return ::access(directory, X_OK) == 0 ? 0 : errno;
}

}  // namespace

std::expected<pid_t, ExecFailure> start_by_posix_spawn(const ExecPlan& plan) {
  using enum ExecFailure::Step;
  if (plan.cwd) {
    if (int error = cannot_enter(plan.cwd)) return std::unexpected(ExecFailure{chdir, error});
  }
  FileActions actions;
  Attributes attributes;
  if (int error = add_file_actions(actions.value, plan)) {
    return std::unexpected(ExecFailure{start, error});
  }
  if (int error = set_attributes(attributes.value)) {
    return std::unexpected(ExecFailure{start, error});
  }
  pid_t pid = -1;
  if (int error = posix_spawn(&pid, plan.program, &actions.value, &attributes.value, plan.argv,
                              plan.environment)) {
    return std::unexpected(ExecFailure{exec, error});
  }
  return pid;
}

}  // namespace claude::io
