// The real Claude Code CLI below a test: where it is, a scripted Messages API for it on loopback,
// a private home and project folder, and an environment with nothing else in it. The pieces are
// plain values, for whoever starts the CLI: the library or a bare ChildProcess.
//
//   class Hooks : public RealCliTest {};
//   TEST_F(Hooks, MayDenyACommand) {
//     ChildProcess cli({cli_path(), "--verbose", ...}, environment(), project());
//     ... send a prompt that carries its script: R"(go @@[{"text": "Hi"}]@@)"
//
// docs/simulator.md describes scripts and scenarios.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/child_process.h"
#include "support/temp_dir.h"

namespace claude::test {

// From CLAUDE_REAL_CLI, which ./check sets after it has installed the CLI.
std::optional<std::string> real_cli_path();

// What to say where it is missing.
inline constexpr const char* kRealCliAdvice =
    "the real CLI is not here: run ./check, or set CLAUDE_REAL_CLI to it";

// An environment with nothing of the machine's in it but PATH: no key, address or configuration
// of its user reaches the CLI.
Environment cli_environment(const std::filesystem::path& home);

// claude-sim-api on a free port of 127.0.0.1; it ends with this object.
class SimApi {
 public:
  // `scenario` is JSON text; "" leaves everything to the scripts in the prompts.
  explicit SimApi(const std::string& scenario = "");

  // The address as the CLI takes it: http://127.0.0.1:PORT
  const std::string& base_url() const { return base_url_; }

  // The requests that have come, oldest first, each a line {"method","path","body"}: what the
  // CLI told the model.
  std::vector<std::string> requests() const;

 private:
  TempDir folder_;
  ChildProcess process_;
  std::string base_url_;
};

// Skips when the CLI is not there; with CI=true that is a failure.
class RealCliTest : public ::testing::Test {
 protected:
  void SetUp() override;

  // Starts the model anew with another scenario: before environment() is used.
  void use_scenario(const std::string& scenario);

  const std::string& cli_path() const { return cli_path_; }
  Environment environment() const;
  std::filesystem::path project() const { return project_.path(); }
  const TempDir& project_files() const { return project_; }
  const SimApi& api() const { return *api_; }

 private:
  std::string cli_path_;
  TempDir home_;
  TempDir project_;
  std::unique_ptr<SimApi> api_;
};

}  // namespace claude::test
