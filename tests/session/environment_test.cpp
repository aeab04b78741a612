// The variables that a CLI really gets, in each mode: what /proc has of the running process.
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

// This process's environment for as long as it lives.
class HostHas {
 public:
  explicit HostHas(std::vector<std::string> variables) : variables_(std::move(variables)) {
    for (std::string& variable : variables_) pointers_.push_back(variable.data());
    pointers_.push_back(nullptr);
    environ = pointers_.data();
  }
  ~HostHas() { environ = before_; }
  HostHas(const HostHas&) = delete;
  HostHas& operator=(const HostHas&) = delete;

 private:
  std::vector<std::string> variables_;
  std::vector<char*> pointers_;
  char** before_ = environ;
};

class CliEnvironment : public SimTest {
 protected:
  // In their order.
  std::vector<std::string> given() {
    const Session session = start();
    std::ifstream file("/proc/" + std::to_string(session.pid().value()) + "/environ");
    std::vector<std::string> variables;
    for (std::string variable; std::getline(file, variable, '\0');) variables.push_back(variable);
    std::ranges::sort(variables);
    return variables;
  }

  const std::string set_ = "CLAUDE_CONFIG_DIR=" + options.environment.set.at("CLAUDE_CONFIG_DIR");
  const std::string pwd_ = "PWD=" + project.path().string();
  const std::string version_ = "CLAUDE_AGENT_SDK_VERSION=" + std::string(version());
  const HostHas host_{{"HOME=/home/jane", "PATH=/usr/bin:/bin", "USER=jane", "LANG=C", "TERM=dumb",
                       "TMPDIR=/tmp", "DEPLOY_TOKEN=hunter2", "PWD=/elsewhere",
                       "NODE_OPTIONS=--inspect", "CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli",
                       "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=true"}};
};

TEST_F(CliEnvironment, OverlayIsTheHostsWithoutNodeOptionsAndMarksOfAnOuterCli) {
  EXPECT_THAT(given(),
              ElementsAre(version_, "CLAUDE_CODE_ENTRYPOINT=sdk-cpp", set_, "DEPLOY_TOKEN=hunter2",
                          "HOME=/home/jane", "LANG=C", "PATH=/usr/bin:/bin", pwd_, "TERM=dumb",
                          "TMPDIR=/tmp", "USER=jane"));
}

TEST_F(CliEnvironment, CleanIsSixOfTheHostsAndThoseOfTheLibrary) {
  options.environment.mode = claude::Environment::Mode::clean;
  EXPECT_THAT(given(), ElementsAre(version_, "CLAUDE_CODE_ENTRYPOINT=sdk-cpp", set_,
                                   "HOME=/home/jane", "LANG=C", "PATH=/usr/bin:/bin", pwd_,
                                   "TERM=dumb", "TMPDIR=/tmp", "USER=jane"));
}

TEST_F(CliEnvironment, ExactIsWhatIsSetAndNothingElse) {
  options.environment.mode = claude::Environment::Mode::exact;
  EXPECT_THAT(given(), ElementsAre(set_));
}

TEST_F(CliEnvironment, CheckpointingHasAVariableOfItsOwn) {
  options.environment.mode = claude::Environment::Mode::clean;
  options.file_checkpointing = true;
  EXPECT_THAT(given(), Contains("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=true"));
}

}  // namespace
}  // namespace claude::test
