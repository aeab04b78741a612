// The version number stands once, in CMakeLists.txt. That the installed package and pkg-config
// repeat it is tested by the consumer projects beside this file.
#include <claude/version.h>
#include <gtest/gtest.h>

TEST(Version, IsThatOfTheProject) {
  EXPECT_EQ(claude::version(), PROJECT_VERSION);
}
