// The whole command, on a made-up machine and, starting nothing, on this one.
#include "launch/command.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "launch/world.h"
#include "support/temp_dir.h"

namespace claude::launch {
namespace {

using test::error_of;
using test::kId;
using test::World;
using testing::Contains;
using testing::HasSubstr;

TEST(Command, JoinsProgramWordsEnvironmentAndPlace) {
  const auto command = session_command({.model = "opus", .cwd = "/srv"}, kId, World());
  ASSERT_TRUE(command);
  EXPECT_EQ(command->program, "/usr/bin/claude");
  EXPECT_THAT(command->arguments, Contains("--model=opus"));
  EXPECT_THAT(command->arguments, Contains(std::string("--session-id=") + kId));
  EXPECT_EQ(command->environment.at("CLAUDE_CODE_ENTRYPOINT"), "sdk-cpp");
  EXPECT_EQ(command->cwd, "/srv");
}

// S60
TEST(Command, TheFirstLineIsInitializeInItsEnvelope) {
  const auto command = session_command({}, kId, World());
  ASSERT_TRUE(command);
  EXPECT_EQ(command->initialize, R"({"type":"control_request","request_id":"req_0",)"
                                 R"("request":{"subtype":"initialize","systemPrompt":[""]}})");
}

// F2
TEST(Command, AMissingWorkingDirectoryIsAnErrorThatNamesIt) {
  World world;
  world.files = {"/srv/notes.txt"};
  const Error missing = error_of(session_command({.cwd = "gone"}, kId, world));
  EXPECT_EQ(missing.code, Errc::cwd_missing);
  EXPECT_EQ(missing.where, "/srv/gone");
  EXPECT_THAT(missing.message, HasSubstr("does not exist"));

  const Error file = error_of(session_command({.cwd = "/srv/notes.txt"}, kId, world));
  EXPECT_EQ(file.code, Errc::cwd_missing);
  EXPECT_THAT(file.message, HasSubstr("is not a directory"));
}

// F2
TEST(Command, EachWayOfNotStartingHasItsOwnCode) {
  World world;
  world.files = {"/srv/plain"};
  EXPECT_EQ(error_of(session_command({.cwd = "/gone"}, kId, world)).code, Errc::cwd_missing);
  EXPECT_EQ(error_of(session_command({.cli_path = "/gone"}, kId, world)).code, Errc::cli_not_found);
  EXPECT_EQ(error_of(session_command({.cli_path = "/srv/plain"}, kId, world)).code,
            Errc::not_executable);
  EXPECT_EQ(error_of(session_command({.max_turns = 0}, kId, world)).code, Errc::invalid_option);
}

// A transport of the user's own may lead to another machine.
TEST(Command, OverAnotherTransportNothingHasToBeOnThisMachine) {
  World world;
  world.programs = {};
  world.files = {"/srv/plain"};
  Options options;
  options.transport = [](const Command&) { return Result<std::unique_ptr<Transport>>(); };
  options.cwd = "/gone";
  options.cli_path = "/srv/plain";
  EXPECT_EQ(session_command(options, kId, world)->program, "/srv/plain");
  EXPECT_EQ(session_command(options, kId, world)->cwd, "/gone");
  options.cli_path = "";
  EXPECT_EQ(session_command(options, kId, World())->program, "/usr/bin/claude") << "if it is there";
  EXPECT_EQ(session_command(options, kId, world)->program, "claude");
}

// S7
TEST(Command, TheLegacyFormWritesNothing) {
  const auto command = legacy_command({}, "hi", World());
  ASSERT_TRUE(command);
  EXPECT_EQ(command->arguments.back(), "hi");
  EXPECT_EQ(command->initialize, "");
  EXPECT_EQ(error_of(legacy_command({}, "", World())).code, Errc::invalid_option);
}

TEST(Resolve, StartsNothingAndShowsWhatIsOnlyKnownLaterByAPlaceholder) {
  const test::TempDir folder;
  folder.write("claude", "#!/bin/sh\ntouch started\n");
  const std::string path = (folder.path() / "claude").string();
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);

  const auto session = resolve({.cwd = folder.path().string(), .cli_path = path});
  ASSERT_TRUE(session) << session.error().to_string();
  EXPECT_EQ(session->program, path);
  EXPECT_THAT(session->arguments, Contains("--session-id=<fresh-uuid>"));
  const auto named = resolve({.session_id = kId, .cli_path = path});
  EXPECT_THAT(named->arguments, Contains(std::string("--session-id=") + kId));
  const auto legacy = resolve({.cli_path = path, .legacy_argv = true});
  EXPECT_EQ(legacy->arguments.back(), "<prompt>");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "started"));
}

}  // namespace
}  // namespace claude::launch
