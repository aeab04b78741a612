// Each scenario is played twice: by claude-sim as the CLI, and by claude-sim-api as the model
// below the real CLI. The host, which is in the scenario, too, must see the same lines.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "differential/compare.h"
#include "differential/normal_form.h"
#include "differential/player.h"
#include "differential/tolerated.h"
#include "support/real_cli.h"

namespace claude::differential {
namespace {

namespace fs = std::filesystem;
using test::ChildProcess;
using test::Environment;
using test::TempDir;

constexpr const char* kFolder = PROJECT_SOURCE_DIR "/tests/differential/scenarios";

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> command(const std::string& program, const json& host) {
  std::vector<std::string> argv{program,           "--input-format", "stream-json",
                                "--output-format", "stream-json",    "--verbose"};
  if (host.value("asks", true)) argv.push_back("--permission-prompt-tool=stdio");
  const json flags = host.value("flags", json::array());
  argv.insert(argv.end(), flags.begin(), flags.end());
  return argv;
}

Transcript play(const std::string& program, const json& host, const std::string& api,
                const Environment& more = {}) {
  TempDir project, home;
  const json files = host.value("files", json::object());
  for (const auto& [name, text] : files.items()) project.write(name, text.get<std::string>());
  Environment environment = test::cli_environment(home.path());
  environment["ANTHROPIC_BASE_URL"] = api;
  environment.insert(more.begin(), more.end());
  const json variables = host.value("environment", json::object());
  for (const auto& [name, value] : variables.items()) environment[name] = value;
  ChildProcess cli(command(program, host), environment, project.path());
  Transcript transcript = Player(host, cli).play();
  return normal_form(transcript, {project.path(), home.path(), api.substr(api.find("//") + 2)});
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

class Scenario : public testing::TestWithParam<std::string> {};

TEST_P(Scenario, IsPlayedByTheSimulatorAsByTheRealCli) {
  const std::optional<std::string> real_cli = test::real_cli_path();
  if (!real_cli) GTEST_SKIP() << test::kRealCliAdvice;
  const fs::path file = fs::path(kFolder) / (GetParam() + ".json");
  const json scenario = json::parse(read(file), nullptr, true, true);
  const json& host = scenario.at("host");

  const Transcript sim =
      play(CLAUDE_SIM, host, "http://127.0.0.1:1", {{"CLAUDE_SIM_SCENARIO", file.string()}});
  ASSERT_EQ(sim.stuck, "");
  const test::SimApi api(read(file));
  const Transcript real = play(*real_cli, host, api.base_url());

  EXPECT_EQ(real.stuck, "");
  EXPECT_EQ(differences(real, sim), "");
}

INSTANTIATE_TEST_SUITE_P(Differential, Scenario, testing::ValuesIn(scenario_names()),
                         [](const auto& scenario) { return scenario.param; });

}  // namespace
}  // namespace claude::differential
