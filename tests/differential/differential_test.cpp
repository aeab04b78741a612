// Each scenario is played twice: by claude-sim as the CLI, and by claude-sim-api as the model
// below the real CLI. The host, which is in the scenario, too, must see the same lines.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>

#include "differential/compare.h"
#include "differential/normal_form.h"
#include "differential/player.h"
#include "differential/session_rows.h"
#include "differential/tolerated.h"
#include "support/real_cli.h"

namespace claude::differential {
namespace {

namespace fs = std::filesystem;
using test::ChildProcess;
using test::Environment;
using test::TempDir;

constexpr const char* kFolder = PROJECT_SOURCE_DIR "/tests/differential/scenarios";

// On a busy machine an order is now and then a matter of luck, on either side: the CLI reads a file
// while the prompt arrives, an interrupt comes before the line that it is to cut. What differs each
// time is a difference.
constexpr int kPlays = 3;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> command(const std::string& program, const json& host,
                                 const Transcript& past) {
  std::vector<std::string> argv{program,           "--input-format", "stream-json",
                                "--output-format", "stream-json",    "--verbose"};
  if (host.value("asks", true)) argv.push_back("--permission-prompt-tool=stdio");
  const json flags = host.value("flags", json::array());
  for (const json& flag : flags) argv.push_back(said_value(flag, past));
  return argv;
}

void write_files(const TempDir& project, const json& host) {
  const json files = host.value("files", json::object());
  for (const auto& [name, content] : files.items()) {
    std::string text;
    if (content.is_string()) text = content;
    if (content.is_array())
      for (const json& line : content) text += line.get<std::string>() + "\n";
    project.write(name, text);
  }
}

// The host's process, and those that come after it in the same folder and home.
Transcript play(const std::string& program, const json& host, const std::string& api,
                const Environment& more = {}) {
  TempDir project, home;
  write_files(project, host);
  Transcript whole;
  for (const json* part = &host; part; part = part->contains("then") ? &(*part)["then"] : nullptr) {
    Environment environment = test::cli_environment(home.path());
    environment["ANTHROPIC_BASE_URL"] = api;
    environment.insert(more.begin(), more.end());
    const json variables = part->value("environment", json::object());
    for (const auto& [name, value] : variables.items()) environment[name] = value;
    ChildProcess cli(command(program, *part, whole), environment, project.path());
    const Transcript played = Player(*part, cli).play();
    whole.entries.insert(whole.entries.end(), played.entries.begin(), played.entries.end());
    whole.stuck += played.stuck;
  }
  if (host.value("transcripts", false)) add_session_rows(whole, home.path());
  return normal_form(whole, {project.path(), home.path(), api.substr(api.find("//") + 2)});
}

// What the test names in the code, the page explains in a table.
TEST(Tolerated, DifferencesAreFewAndEachIsExplained) {
  const std::string page = read(PROJECT_SOURCE_DIR "/docs/simulator.md");
  EXPECT_LE(tolerated().size(), 10u);
  for (const Tolerated& difference : tolerated())
    EXPECT_NE(page.find("| `" + std::string(difference.name) + "` |"), page.npos)
        << difference.name;
}

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(kFolder)) names.push_back(file.path().stem());
  std::ranges::sort(names);
  return names;
}

// The page's table of control requests is a promise that each is played here.
TEST(ControlRequests, OfTheTableAreEachInAScenario) {
  const std::string page = read(PROJECT_SOURCE_DIR "/docs/simulator.md");
  const std::size_t begin = page.find("| control requests |");
  const std::string table = page.substr(begin, page.find("\n\n", begin) - begin);
  std::string scenarios;
  for (const std::string& name : scenario_names())
    scenarios += read(fs::path(kFolder) / (name + ".json"));
  const std::regex word("`([a-z_]+)`");
  for (std::sregex_iterator at(table.begin(), table.end(), word), end; at != end; ++at) {
    const std::string name = (*at)[1];
    if (name == "initialize") continue;  // nearly each scenario begins with it
    EXPECT_NE(scenarios.find("\"subtype\": \"" + name + "\""), scenarios.npos) << name;
  }
}

class Scenario : public testing::TestWithParam<std::string> {};

TEST_P(Scenario, IsPlayedByTheSimulatorAsByTheRealCli) {
  const std::optional<std::string> real_cli = test::real_cli_path();
  if (!real_cli) GTEST_SKIP() << test::kRealCliAdvice;
  const fs::path file = fs::path(kFolder) / (GetParam() + ".json");
  const json scenario = json::parse(read(file), nullptr, true, true);
  const json& host = scenario.at("host");

  std::string difference;
  for (int plays = 0; plays < kPlays; ++plays) {
    const Transcript sim =
        play(CLAUDE_SIM, host, "http://127.0.0.1:1", {{"CLAUDE_SIM_SCENARIO", file.string()}});
    const test::SimApi api(read(file));
    const Transcript real = play(*real_cli, host, api.base_url());
    difference = sim.stuck + real.stuck + differences(real, sim);
    if (difference.empty()) break;
    std::cerr << "differs:\n" << difference;
  }
  EXPECT_EQ(difference, "");
}

INSTANTIATE_TEST_SUITE_P(Differential, Scenario, testing::ValuesIn(scenario_names()),
                         [](const auto& scenario) { return scenario.param; });

}  // namespace
}  // namespace claude::differential
