// How the kernel shares out the CPUs to a thread: its struct sched_attr, which headers of some
// systems lack and others do not let stand beside <sched.h>.
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdint>

namespace claude::io {

struct Schedule {
  std::uint32_t size = sizeof(Schedule);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t slice_ns = 0;  // 0 before Linux 6.12, which has one for all
  std::uint64_t deadline_ns = 0;
  std::uint64_t period_ns = 0;
};

// Both take 0 for the calling thread, may be called between fork and exec, and say whether it was
// done.
inline bool get_schedule(pid_t thread, Schedule& schedule) {
  return ::syscall(SYS_sched_getattr, thread, &schedule, sizeof schedule, 0U) == 0;
}
inline bool set_schedule(pid_t thread, Schedule& schedule) {
  return ::syscall(SYS_sched_setattr, thread, &schedule, 0U) == 0;
}

}  // namespace claude::io
