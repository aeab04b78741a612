// What the tests of this room share: requests in a word, both ways to start them, reading a child
// to its end, a forked host to be mistreated, an old kernel. Waits have a watchdog of a minute,
// which is why this looks at the clock, and are never slept.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "io/child.h"
#include "io/exec.h"

namespace claude::io::test {

constexpr std::chrono::seconds kWatchdog{60};

SpawnRequest shell(const std::string& script);
SpawnRequest probe(const std::string& fact);  // see children/probe.cpp

// For tests that both ways to start a program have to pass.
using NamedStarter = std::pair<const char*, Starter>;
std::vector<NamedStarter> starters();
std::string name_of_starter(const testing::TestParamInfo<NamedStarter>& run);

// False when that time is over.
bool wait_readable(int fd, std::chrono::seconds patience = kWatchdog);

// Everything until the end of file, or "watchdog".
std::string read_all(const Fd& fd);
std::string read_line(const Fd& fd);

// Waits for the leader to exit, then reaps it.
ExitStatus wait_exit(Child& child);

// Runs the body in a forked copy of this process, where signals, limits and descriptors may be
// bent without harm. The body returns what is wrong, empty when all is well; so does this.
std::string in_fork(const std::function<std::string()>& body);

// Lets this process have descriptors of these numbers, as far as its hard limit does. Afterwards
// the limit is what it was.
class DescriptorsUpTo {
 public:
  explicit DescriptorsUpTo(rlim_t highest);
  ~DescriptorsUpTo();
  DescriptorsUpTo(const DescriptorsUpTo&) = delete;
  DescriptorsUpTo& operator=(const DescriptorsUpTo&) = delete;

  bool granted() const { return granted_; }

 private:
  rlimit before_ = {};
  bool granted_ = false;
};

// A kernel without close_range, pidfds and pwritev2; skips where seccomp cannot make one.
class OldKernel : public testing::Test {
 protected:
  void SetUp() override;
  static std::string in_fork(const std::function<std::string()>& body);
};

int open_descriptors();
bool has_children();

}  // namespace claude::io::test
