// Defines the functions by which a program learns the time of day: the C++ library and all of this
// program call these in place of those of the C library.
#include "faults/wall_clock.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <ctime>

namespace {

std::atomic<std::time_t> step = 0;
std::atomic<std::time_t> moved = 0;

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const long failed = syscall(SYS_clock_gettime, clock, now);
  const bool wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (failed == 0 && wall) now->tv_sec += moved += step;
  return static_cast<int>(failed);
}

extern "C" int gettimeofday(timeval* __restrict now, void* __restrict) noexcept {
  timespec precise = {};
  clock_gettime(CLOCK_REALTIME, &precise);
  *now = {.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
  return 0;
}

extern "C" std::time_t time(std::time_t* into) noexcept {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  if (into != nullptr) *into = now.tv_sec;
  return now.tv_sec;
}

namespace claude::test {

MadClock::MadClock(std::chrono::seconds hop) {
  step = hop.count();
}

MadClock::~MadClock() {
  step = 0;
  moved = 0;
}

}  // namespace claude::test
