// Implements the fixture and its pieces.
#include "support/real_cli.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace claude::test {
namespace {

constexpr std::string_view kListening = "listening ";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> api_command(const TempDir& folder, const std::string& scenario) {
  std::vector<std::string> argv{SIM_API_PROGRAM, "--log=" + (folder.path() / "log").string()};
  if (!scenario.empty()) {
    folder.write("scenario.json", scenario);
    argv.push_back("--scenario=" + (folder.path() / "scenario.json").string());
  }
  return argv;
}

}  // namespace

std::optional<std::string> real_cli_path() {
  std::string path = variable("CLAUDE_REAL_CLI");
  if (path.empty() || ::access(path.c_str(), X_OK) != 0) return std::nullopt;
  return path;
}

Environment cli_environment(const std::filesystem::path& home) {
  return {{"HOME", home.string()},
          {"PATH", variable("PATH")},
          {"ANTHROPIC_API_KEY", "sk-ant-test-000"},
          {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
          {"DISABLE_TELEMETRY", "1"},
          {"DISABLE_ERROR_REPORTING", "1"},
          {"DISABLE_AUTOUPDATER", "1"},
          {"IS_SANDBOX", "1"}};
}

SimApi::SimApi(const std::string& scenario) : process_(api_command(folder_, scenario)) {
  std::string line = process_.read_line().value_or("");
  if (!line.starts_with(kListening)) {
    process_.wait();
    throw std::runtime_error("claude-sim-api did not start: " + process_.stderr_text());
  }
  base_url_ = "http://" + line.substr(kListening.size());
}

std::vector<std::string> SimApi::requests() const {
  std::vector<std::string> lines;
  std::istringstream log(folder_.read("log"));
  for (std::string line; std::getline(log, line);) lines.push_back(line);
  return lines;
}

void RealCliTest::SetUp() {
  std::optional<std::string> path = real_cli_path();
  if (!path) {
    if (variable("CI") == "true") FAIL() << kRealCliAdvice;
    GTEST_SKIP() << kRealCliAdvice;
  }
  cli_path_ = *path;
  api_ = std::make_unique<SimApi>();
}

void RealCliTest::use_scenario(const std::string& scenario) {
  api_ = std::make_unique<SimApi>(scenario);
}

Environment RealCliTest::environment() const {
  Environment environment = cli_environment(home_.path());
  environment["ANTHROPIC_BASE_URL"] = api_->base_url();
  return environment;
}

}  // namespace claude::test
