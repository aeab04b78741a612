// Sessions that outlive main(): their last owner is a static or a thread_local object of the
// user's.
#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::Each;
using ::testing::EndsWith;
using ::testing::SizeIs;

TEST(AtExit, WhatIsUsedThenWorksAsBefore) {
  TempDir home;
  ChildProcess host({AT_EXIT}, {{"CLAUDE_CLI_PATH", CLAUDE_SIM},
                                {"CLAUDE_CONFIG_DIR", home.path()},
                                {"PATH", "/usr/bin:/bin"}});
  std::vector<std::string> told;
  while (auto line = host.read_line()) told.push_back(*line);
  EXPECT_EQ(host.wait(), 0) << host.stderr_text();
  EXPECT_THAT(told, Each(EndsWith("well")));
  EXPECT_THAT(told, SizeIs(4 + 4 + 5)) << "of the thread, in main(), of the process";
}

}  // namespace
}  // namespace claude::test
