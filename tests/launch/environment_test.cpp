// The variables that the CLI gets, in the three modes.
#include "launch/environment.h"

#include <claude/version.h>
#include <gmock/gmock.h>

#include "launch/world.h"

namespace claude::launch {
namespace {

using test::World;
using testing::Contains;
using testing::Key;
using testing::Not;
using testing::Pair;

World inside_a_cli() {
  World world;
  for (const char* name :
       {"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_CHILD_SESSION", "NODE_OPTIONS", kCheckpointVariable}) {
    world.environment[name] = "outer";
  }
  return world;
}

TEST(EnvironmentOfTheCli, IsOursWithTheMarksOfThisLibrary) {
  EXPECT_THAT(environment({}, World()),
              testing::ElementsAre(Pair("CLAUDE_AGENT_SDK_VERSION", std::string(version())),
                                   Pair("CLAUDE_CODE_ENTRYPOINT", "sdk-cpp"),
                                   Pair("HOME", "/home/ada"), Pair("PATH", "/usr/bin")));
}

TEST(EnvironmentOfTheCli, OverlaySetsAndUnsets) {
  Options options;
  options.environment.set = {{"PATH", "/opt"}, {"LANG", "C"}};
  options.environment.unset = {"HOME"};
  const auto variables = environment(options, World());
  EXPECT_THAT(variables, Contains(Pair("PATH", "/opt")));
  EXPECT_THAT(variables, Contains(Pair("LANG", "C")));
  EXPECT_THAT(variables, Not(Contains(Key("HOME"))));
}

TEST(EnvironmentOfTheCli, TheMarksOfAnOuterCliAreDropped) {
  const auto variables = environment({}, inside_a_cli());
  EXPECT_THAT(variables, Not(Contains(Pair(testing::_, "outer"))));
  EXPECT_THAT(variables, Contains(Pair("CLAUDE_CODE_ENTRYPOINT", "sdk-cpp")));
}

TEST(EnvironmentOfTheCli, TheMarksStayWhenTheUserWantsThem) {
  Options kept;
  kept.environment.strip_nesting_markers = false;
  EXPECT_THAT(environment(kept, inside_a_cli()), Contains(Pair("CLAUDECODE", "outer")));

  Options set;
  set.environment.set = {{"NODE_OPTIONS", "--max-old-space-size=512"},
                         {"CLAUDE_CODE_ENTRYPOINT", "my-app"}};
  const auto variables = environment(set, inside_a_cli());
  EXPECT_THAT(variables, Contains(Pair("NODE_OPTIONS", "--max-old-space-size=512")));
  EXPECT_THAT(variables, Contains(Pair("CLAUDE_CODE_ENTRYPOINT", "my-app")));
}

TEST(EnvironmentOfTheCli, CleanPassesOnlyWhatIsNamed) {
  World world;
  world.environment["AWS_SECRET_ACCESS_KEY"] = "x";
  Options options;
  options.environment.mode = Environment::Mode::clean;
  options.environment.set = {{"LANG", "C"}};
  const auto variables = environment(options, world);
  EXPECT_THAT(variables, Contains(Pair("PATH", "/usr/bin")));
  EXPECT_THAT(variables, Contains(Pair("LANG", "C")));
  EXPECT_THAT(variables, Contains(Key("CLAUDE_CODE_ENTRYPOINT")));
  EXPECT_THAT(variables, Not(Contains(Key("AWS_SECRET_ACCESS_KEY"))));
}

TEST(EnvironmentOfTheCli, CleanPassesAMarkThatIsNamed) {
  Options options;
  options.environment.mode = Environment::Mode::clean;
  options.environment.pass = {"NODE_OPTIONS"};
  EXPECT_THAT(environment(options, inside_a_cli()), Contains(Pair("NODE_OPTIONS", "outer")));
}

TEST(EnvironmentOfTheCli, ExactIsWhatIsSetAndNothingElse) {
  Options options{.cwd = "/srv"};
  options.environment.mode = Environment::Mode::exact;
  options.environment.set = {{"PATH", "/opt"}};
  EXPECT_THAT(environment(options, World()), testing::ElementsAre(Pair("PATH", "/opt")));
}

// S67 S171
TEST(EnvironmentOfTheCli, CheckpointingIsTurnedOnByItsVariable) {
  EXPECT_THAT(environment({.file_checkpointing = true}, World()),
              Contains(Pair("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true")));
  EXPECT_THAT(environment({}, inside_a_cli()),
              Not(Contains(Key("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING"))));
}

TEST(EnvironmentOfTheCli, PwdNamesTheDirectoryThatTheCliRunsIn) {
  EXPECT_THAT(environment({.cwd = "sub"}, World()), Contains(Pair("PWD", "/srv/sub")));
  EXPECT_THAT(environment({}, World()), Not(Contains(Key("PWD"))));
}

}  // namespace
}  // namespace claude::launch
