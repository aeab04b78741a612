// The agent's tests: no account, no network, no sleeps.
#include "release_notes.h"

#include <claude/sim.h>
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ReleaseNotes, AreWrittenFromTheHistory) {
  claude::Sim sim;
  sim.turn()
      .tool("Bash", {{"command", "git log --oneline"}})
      .gives("a1b2c3 Fix the pump")
      .tool("Write", {{"file_path", "NOTES.md"}, {"content", "- The pump works.\n"}})
      .text("One change.");

  EXPECT_EQ(ReleaseNotes(sim.options()).write_for("1.2"), "One change.");

  EXPECT_THAT(sim.prompts(), ElementsAre(HasSubstr("version 1.2")));
  EXPECT_EQ(text_of(sim.folder() + "/NOTES.md"), "- The pump works.\n");
}

TEST(ReleaseNotes, TouchNoOtherFile) {
  claude::Sim sim;
  sim.turn().tool("Write", {{"file_path", "main.cpp"}, {"content", ""}}).text("I may not.");

  EXPECT_EQ(ReleaseNotes(sim.options()).write_for("1.2"), "I may not.");

  EXPECT_TRUE(sim.permissions().at(0).denied);
  EXPECT_EQ(sim.permissions().at(0).reason, "Only git log and NOTES.md.");
  EXPECT_FALSE(std::ifstream(sim.folder() + "/main.cpp"));
}

TEST(ReleaseNotes, RunNoOtherCommand) {
  claude::Sim sim;
  sim.turn().tool("Bash", {{"command", "git push --force"}}).text("I may not.");
  EXPECT_EQ(ReleaseNotes(sim.options()).write_for("1.2"), "I may not.");
  EXPECT_TRUE(sim.permissions().at(0).denied);
}

TEST(ReleaseNotes, TellWhatWentWrong) {
  claude::Sim refusing;
  refusing.turn().api_error(400, "not today");
  auto failed = ReleaseNotes(refusing.options()).write_for("1.2");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().to_string(), HasSubstr("not today"));

  claude::Sim dying;
  dying.turn().exits(3, "out of memory\n");
  auto died = ReleaseNotes(dying.options()).write_for("1.2");
  ASSERT_FALSE(died);
  EXPECT_EQ(died.error().exit_code, 3);
}

}  // namespace
