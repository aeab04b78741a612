// What claude-sim does on the machine that runs your tests: no more than it is for.
// docs/security.md.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "session/fixture.h"

namespace claude::test {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Simulator : public SimTest {
 protected:
  // A server of the project that tells of its start, to whoever reads `started`.
  void add_server_of_the_project() {
    ::mkfifo((project.path() / "started").c_str(), 0600);
    project.write(".mcp.json", R"({"mcpServers": {"teller":
        {"command": "/bin/sh", "args": ["-c", "echo yes > started"]}}})");
  }
};

TEST_F(Simulator, OpensNoPort) {
  Session session = start();
  said(session.send("Hello"));
  const fs::path descriptors = "/proc/" + std::to_string(session.pid().value()) + "/fd";
  for (const fs::path& descriptor : fs::directory_iterator(descriptors))
    EXPECT_THAT(fs::read_symlink(descriptor).string(), Not(StartsWith("socket:")));
}

TEST_F(Simulator, RunsNoCommandOfAToolOrOfAHook) {
  project.write(".claude/settings.json", R"({"hooks": {"UserPromptSubmit": [{"hooks":
      [{"type": "command", "command": "touch made"}]}]}})");
  options.allowed_tools = {"Bash"};
  play_turn(R"([{"tool": "Bash", "input": {"command": "touch made"}}, {"text": "Done."}])");
  EXPECT_EQ(said(start().send("go")), "Done.");
  EXPECT_FALSE(fs::exists(project.path() / "made"));
}

TEST_F(Simulator, StartsTheProgramsThatAreServersOfTheProject) {
  add_server_of_the_project();
  Session session = start();
  std::string told;
  std::ifstream(project.path() / "started") >> told;
  EXPECT_EQ(told, "yes");
}

TEST_F(Simulator, StartsNoServerOfTheProjectWhenTheConfigurationIsStrict) {
  add_server_of_the_project();
  options.strict_mcp_config = true;
  Session session = start();
  EXPECT_THAT(session.mcp_status().get().value().servers, IsEmpty());
}

}  // namespace
}  // namespace claude::test
