// What other users of the machine can see: command lines, files, open ports. docs/security.md.
#include <claude/sim.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "session/fixture.h"
#include "support/real_cli.h"

namespace claude::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kSecret = "tok-0123456789";

std::string text_of(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool only_for_us(const fs::path& path) {
  const fs::perms others = fs::perms::group_all | fs::perms::others_all;
  return (fs::status(path).permissions() & others) == fs::perms::none;
}

// What stands behind this flag on a command line, as /proc has it.
std::string value_of(const std::string& flag, const std::string& command_line) {
  const std::size_t at = command_line.find(flag + "=");
  if (at == command_line.npos) return {};
  return command_line.c_str() + at + flag.size() + 1;  // to the NUL behind the word
}

class OtherUsers : public SimTest {
 protected:
  OtherUsers() {
    Json headers = Json::object({{"Authorization", "Bearer " + std::string(kSecret)}});
    options.mcp_servers.add_external("remote", Json::object({{"type", "http"},
                                                             {"url", "http://127.0.0.1:1"},
                                                             {"headers", std::move(headers)}}));
    options.settings = R"( {"env": {"DEPLOY_TOKEN": "tok-0123456789"}})";
  }
};

TEST_F(OtherUsers, SeeNoSecretOfAnMcpServerOrOfSettingsOnTheCommandLine) {
  Session session = start();
  const std::string line = text_of("/proc/" + std::to_string(session.pid().value()) + "/cmdline");
  EXPECT_THAT(line, HasSubstr("--input-format"));
  EXPECT_THAT(line, Not(HasSubstr(kSecret)));

  for (const char* flag : {"--mcp-config", "--settings"}) {
    const fs::path file = value_of(flag, line);
    EXPECT_THAT(text_of(file), HasSubstr(kSecret)) << "the CLI finds it here: " << file;
    EXPECT_TRUE(only_for_us(file)) << file;
    EXPECT_TRUE(only_for_us(file.parent_path())) << file.parent_path();
  }
}

TEST_F(OtherUsers, FindNoFileWhenTheSessionHasEnded) {
  Session session = start();
  const std::string line = text_of("/proc/" + std::to_string(session.pid().value()) + "/cmdline");
  const fs::path file = value_of("--mcp-config", line);
  EXPECT_TRUE(fs::exists(file));
  session.close();
  EXPECT_FALSE(fs::exists(file));
  EXPECT_FALSE(fs::exists(file.parent_path()));
}

TEST_F(OtherUsers, FindNoFileOfAStartThatFailed) {
  const TempDir temporary;
  setenv("TMPDIR", temporary.path().c_str(), 1);
  play(R"({"startup": [{"exit": 3}]})");
  start_error();
  options.cli_path = "/dev/null";
  start_error();
  unsetenv("TMPDIR");
  EXPECT_TRUE(fs::is_empty(temporary.path()));
}

TEST_F(OtherUsers, CannotReadACassette) {
  const std::string cassette = project.path() / "tape.ndjson";
  options.observer = Recorder::open(cassette).value();
  start().close();
  EXPECT_TRUE(only_for_us(cassette));
}

TEST_F(OtherUsers, CannotReadACassetteInAFileThatTheyCouldReadBefore) {
  const fs::path cassette = project.path() / "tape.ndjson";
  project.write("tape.ndjson", "what was there before");
  fs::permissions(cassette, fs::perms{0644});
  options.observer = Recorder::open(cassette).value();
  start().close();
  EXPECT_TRUE(only_for_us(cassette));
  EXPECT_THAT(text_of(cassette), StartsWith("{\"cassette\":1}\n"));
}

TEST_F(OtherUsers, GetNoCassetteInAFileOfTheirs) {
  const fs::path cassette = project.path() / "tape.ndjson";
  project.write("tape.ndjson", "theirs");
  if (::chown(cassette.c_str(), 65534, 65534) != 0) GTEST_SKIP() << "only root gives files away";
  const Result<std::shared_ptr<Recorder>> recorder = Recorder::open(cassette);
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().os_error, EPERM);
  EXPECT_EQ(text_of(cassette), "theirs");
}

TEST(OtherUsersOfTests, CannotReadTheFolderOfASimulatedCli) {
  Sim sim;
  EXPECT_TRUE(only_for_us(fs::path(sim.folder()).parent_path()));
}

// The sockets of a table of /proc/net that listen at this port, by their address in hex.
std::vector<std::string> listening(const char* table, int port) {
  std::ostringstream wanted;
  wanted << ':' << std::hex << std::uppercase << std::setw(4) << std::setfill('0') << port;
  std::vector<std::string> addresses;
  std::istringstream rows(text_of(table));
  for (std::string row; std::getline(rows, row);) {
    std::string number, local, remote, state;
    std::istringstream(row) >> number >> local >> remote >> state;
    if (state == "0A" && local.ends_with(wanted.str()))
      addresses.push_back(local.substr(0, local.find(':')));
  }
  return addresses;
}

TEST(OtherMachines, CannotReachTheSimulatedApi) {
  const SimApi api;
  const int port = std::stoi(api.base_url().substr(api.base_url().rfind(':') + 1));
  EXPECT_THAT(listening("/proc/net/tcp", port), ::testing::ElementsAre("0100007F"));
  EXPECT_THAT(listening("/proc/net/tcp6", port), ::testing::IsEmpty());
}

}  // namespace
}  // namespace claude::test
