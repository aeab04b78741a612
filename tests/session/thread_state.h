// What a thread of this process does, as the kernel tells it.
#pragma once

#include <sys/types.h>

#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace claude::test {

// "R" runs, "S" sleeps; empty for a thread that has ended.
inline std::string state_of(pid_t thread) {
  std::ifstream stat("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string state;
  stat.ignore(std::numeric_limits<std::streamsize>::max(), ')') >> state;
  return state;
}

inline void wait_until_asleep(pid_t thread) {
  while (state_of(thread) != "S") std::this_thread::yield();
}

}  // namespace claude::test
