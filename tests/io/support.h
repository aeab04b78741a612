// What the tests of this room share: requests in a word, reading a child to its end, a forked
// host to be mistreated, an old kernel. Waits have a watchdog of a minute and are never slept.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "io/child.h"

namespace claude::io::test {

constexpr std::chrono::seconds kWatchdog{60};

SpawnRequest shell(const std::string& script);
SpawnRequest probe(const std::string& fact);  // see children/probe.cpp

// False when the minute is over.
bool wait_readable(int fd);

// Everything until the end of file, or "watchdog".
std::string read_all(const Fd& fd);
std::string read_line(const Fd& fd);

// Waits for the leader to exit, then reaps it.
ExitStatus wait_exit(Child& child);

// Runs the body in a forked copy of this process, where signals, limits and descriptors may be
// bent without harm. The body returns what is wrong, empty when all is well; so does this.
std::string in_fork(const std::function<std::string()>& body);

// A kernel without close_range, pidfds and pwritev2; skips where seccomp cannot make one.
class OldKernel : public testing::Test {
 protected:
  void SetUp() override;
  static std::string in_fork(const std::function<std::string()>& body);
};

int open_descriptors();
bool has_children();

}  // namespace claude::io::test
