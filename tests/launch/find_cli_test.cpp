// Where the CLI is looked for, and what is said when it is not there.
#include "launch/find_cli.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "launch/world.h"
#include "support/temp_dir.h"

namespace claude::launch {
namespace {

using test::error_of;
using test::World;
using testing::HasSubstr;

// S9
TEST(FindCli, TheProgramIsFoundOnPath) {
  World world;
  world.environment["PATH"] = "/bin::/opt/tools:/usr/bin";
  world.programs = {"/opt/tools/claude", "/usr/bin/claude"};
  EXPECT_EQ(find_cli({}, world), "/opt/tools/claude");
}

// S9
TEST(FindCli, APathInTheOptionsIsTakenAsItIs) {
  World world;
  world.programs = {"/srv/claude-2/claude", "/usr/bin/claude"};
  EXPECT_EQ(find_cli({.cli_path = "/srv/claude-2/claude"}, world), "/srv/claude-2/claude");
}

TEST(FindCli, ARelativePathIsMadeAbsoluteBecauseTheChildRunsElsewhere) {
  World world;
  world.programs = {"/srv/build/claude"};
  EXPECT_EQ(find_cli({.cli_path = "./build/claude"}, world), "/srv/build/claude");
  world.programs = {"/srv/link/../claude"};
  EXPECT_EQ(find_cli({.cli_path = "link/../claude"}, world), "/srv/link/../claude");
}

TEST(FindCli, ANameWithoutASlashIsLookedUpOnPath) {
  World world;
  world.programs = {"/usr/bin/claude", "/usr/bin/claude-beta"};
  EXPECT_EQ(find_cli({.cli_path = "claude-beta"}, world), "/usr/bin/claude-beta");
}

TEST(FindCli, TheOptionOutranksTheVariableAndTheVariableOutranksPath) {
  World world;
  world.environment["CLAUDE_CLI_PATH"] = "/a/claude";
  world.programs = {"/a/claude", "/b/claude", "/usr/bin/claude"};
  EXPECT_EQ(find_cli({}, world), "/a/claude");
  EXPECT_EQ(find_cli({.cli_path = "/b/claude"}, world), "/b/claude");
}

TEST(FindCli, AnEmptyVariableCountsAsUnset) {
  World world;
  world.environment["CLAUDE_CLI_PATH"] = "";
  EXPECT_EQ(find_cli({}, world), "/usr/bin/claude");
}

TEST(FindCli, BehindPathComeThePlacesOfTheInstallers) {
  for (const char* place :
       {"/home/ada/.claude/local/claude", "/home/ada/.local/bin/claude",
        "/home/ada/.npm-global/bin/claude", "/usr/local/bin/claude", "/opt/homebrew/bin/claude"}) {
    World world;
    world.programs = {place};
    EXPECT_EQ(find_cli({}, world), place);
  }
}

TEST(FindCli, WhatLiesInTheCurrentDirectoryIsNotRunByChance) {
  World world;
  world.environment["PATH"] = "::";
  world.programs = {"/srv/claude"};
  EXPECT_FALSE(find_cli({}, world));
}

// F2
TEST(FindCli, AMissingProgramIsAnErrorThatListsThePlacesAndSaysWhatToDo) {
  World world;
  world.programs = {};
  const Error error = error_of(find_cli({}, world));
  EXPECT_EQ(error.code, Errc::cli_not_found);
  EXPECT_THAT(error.message, HasSubstr("/usr/bin/claude"));
  EXPECT_THAT(error.message, HasSubstr("/home/ada/.local/bin/claude"));
  EXPECT_THAT(error.advice, HasSubstr("npm install -g @anthropic-ai/claude-code"));
  EXPECT_THAT(error.advice, HasSubstr("Options::cli_path"));
}

// F2
TEST(FindCli, ANamedPathThatIsMissingIsAnErrorAndNoOtherPlaceIsTried) {
  World world;
  world.environment["CLAUDE_CLI_PATH"] = "/gone/claude";
  const Error error = error_of(find_cli({}, world));
  EXPECT_EQ(error.code, Errc::cli_not_found);
  EXPECT_EQ(error.where, "/gone/claude");
  EXPECT_THAT(error.message, HasSubstr("CLAUDE_CLI_PATH"));
}

// F2
TEST(FindCli, AFileWithoutExecutePermissionIsAnErrorOfItsOwn) {
  World world;
  world.files = {"/srv/claude"};
  const Error named = error_of(find_cli({.cli_path = "/srv/claude"}, world));
  EXPECT_EQ(named.code, Errc::not_executable);
  EXPECT_EQ(named.where, "/srv/claude");

  world.programs = {};
  world.files = {"/usr/bin/claude"};
  const Error found = error_of(find_cli({}, world));
  EXPECT_EQ(found.code, Errc::not_executable);
  EXPECT_EQ(found.where, "/usr/bin/claude");
}

TEST(FindCli, ADirectoryIsNoProgram) {
  World world;
  world.directories = {"/usr/bin/claude", "/srv"};
  world.programs = {"/usr/local/bin/claude"};
  EXPECT_EQ(find_cli({}, world), "/usr/local/bin/claude");
  const Error named = error_of(find_cli({.cli_path = "/srv"}, world));
  EXPECT_EQ(named.code, Errc::not_executable);
  EXPECT_THAT(named.message, HasSubstr("is a directory"));
  EXPECT_THAT(named.advice, HasSubstr("/srv/claude"));
}

TEST(RealSurroundings, TellProgramsFilesAndFoldersApart) {
  const test::TempDir folder;
  folder.write("plain", "text");
  folder.write("program", "#!/bin/sh\n");
  const std::string below = folder.path().string() + "/";
  std::filesystem::permissions(below + "program", std::filesystem::perms::owner_all);

  const Surroundings real = real_surroundings();
  EXPECT_EQ(real.look(folder.path().string()), PathKind::directory);
  EXPECT_EQ(real.look(below + "plain"), PathKind::file);
  EXPECT_EQ(real.look(below + "program"), PathKind::program);
  EXPECT_EQ(real.look(below + "missing"), PathKind::nothing);
  EXPECT_EQ(real.look(below + std::string("program\0x", 9)), PathKind::nothing);
  EXPECT_FALSE(real.variable("PATH").empty());
  EXPECT_EQ(real.absolute("x"), std::filesystem::current_path().string() + "/x");
}

TEST(Surroundings, MakeAPathAbsoluteAndPlain) {
  Surroundings here;
  here.current_directory = "/srv";
  EXPECT_EQ(here.absolute("bin/claude"), "/srv/bin/claude");
  EXPECT_EQ(here.absolute("./bin//./claude"), "/srv/bin/claude");
  EXPECT_EQ(here.absolute("."), "/srv");
  EXPECT_EQ(here.absolute("/srv/app/"), "/srv/app");
  EXPECT_EQ(here.absolute("/"), "/");
  here.current_directory = "/";
  EXPECT_EQ(here.absolute("x"), "/x");
}

TEST(Surroundings, LeaveAPathAloneThatClimbsBecauseOfLinks) {
  Surroundings here;
  here.current_directory = "/srv";
  EXPECT_EQ(here.absolute("link/../claude"), "/srv/link/../claude");
}

}  // namespace
}  // namespace claude::launch
