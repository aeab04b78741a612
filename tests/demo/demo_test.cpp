// The demo as a visitor without a terminal sees it: the program from outside, on claude-sim and on
// the real CLI.
#include "support/child_process.h"
#include "support/real_cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace claude::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

struct Shown {
  std::optional<int> exit_code;
  std::string text;
};

Shown run_demo(std::vector<std::string> arguments, const Environment& environment) {
  arguments.insert(arguments.begin(), DEMO);
  ChildProcess demo(std::move(arguments), environment);
  demo.close_stdin();
  Shown shown;
  while (auto line = demo.read_line()) shown.text += *line + "\n";
  shown.exit_code = demo.wait();
  shown.text += demo.stderr_text();
  return shown;
}

const std::string kScenario = std::string(PROJECT_SOURCE_DIR) + "/examples/demo.json";

void expect_every_feature(const Shown& shown) {
  EXPECT_EQ(shown.exit_code, 0) << shown.text;
  EXPECT_THAT(shown.text, HasSubstr("No terminal to ask at. The policy: "));
  EXPECT_THAT(shown.text, HasSubstr("You are reading these words as they are being written."));
  EXPECT_THAT(shown.text, HasSubstr("Hook: blocked the command `rm -rf old`"));
  EXPECT_THAT(shown.text, HasSubstr("Permission: may Write run with"));
  EXPECT_THAT(shown.text, HasSubstr("Permission: allowed"));
  EXPECT_THAT(shown.text, HasSubstr("Tool: the calculator in this process says 42"));
  EXPECT_THAT(shown.text, HasSubstr("    1 Blue\n    2 Orange\n    3 Green\n"));
  EXPECT_THAT(shown.text, HasSubstr("Question: answered with Blue"));
  EXPECT_THAT(shown.text, HasSubstr("Interrupt: stopped in mid-sentence"));
  EXPECT_THAT(shown.text, ContainsRegex("Done: 6 turns, [0-9]+ tokens in, [0-9]+ out, "
                                        "[0-9.]+ USD, [0-9.]+ s\n$"));
  EXPECT_THAT(shown.text, Not(HasSubstr("\033["))) << "colours are for terminals";
}

TEST(Demo, ShowsEveryFeatureWithoutATerminal) {
  expect_every_feature(run_demo({"--cli", CLAUDE_SIM}, {{"CLAUDE_SIM_SCENARIO", kScenario}}));
}

class RealDemo : public RealCliTest {};

TEST_F(RealDemo, ShowsTheSameOnTheRealCli) {
  std::stringstream scenario;
  scenario << std::ifstream(kScenario).rdbuf();
  use_scenario(scenario.str());
  expect_every_feature(run_demo({"--cli", cli_path()}, environment()));
}

TEST(Demo, SaysWhatAModelDidNotDo) {
  // Without a scenario the simulator only repeats the prompts: no tool is ever called.
  Shown shown = run_demo({"--cli", CLAUDE_SIM}, {});

  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.text, HasSubstr("Not seen: Hook"));
  EXPECT_THAT(shown.text, Not(HasSubstr("Not seen: Text")));
}

TEST(Demo, SaysWhyItCannotStart) {
  Shown shown = run_demo({"--cli", "/nowhere/claude"}, {});

  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.text, HasSubstr("Failed: cli_not_found"));
}

}  // namespace
}  // namespace claude::test
