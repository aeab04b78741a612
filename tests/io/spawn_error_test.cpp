// What spawn() says when it cannot, in both ways of starting, and that nothing is left behind.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "io/support.h"
#include "support/temp_dir.h"

namespace claude::io::test {
namespace {

using testing::HasSubstr;

class SpawnError : public testing::TestWithParam<NamedStarter> {
 protected:
  // The error; the request must not leave a descriptor or a process.
  Error refused(const SpawnRequest& request) {
    const int before = open_descriptors();
    const Result<Child> child = spawn_by(GetParam().second, request);
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_FALSE(has_children());
    EXPECT_FALSE(child);
    return child ? Error{} : child.error();
  }

  // An error that names the path and says what to do.
  void expect(const SpawnRequest& request, Errc code, int os_error, const std::string& path) {
    const Error error = refused(request);
    EXPECT_EQ(error.code, code) << error.message;
    EXPECT_EQ(error.os_error, os_error);
    EXPECT_EQ(error.where, path);
    EXPECT_THAT(error.message, HasSubstr(path));
    EXPECT_FALSE(error.advice.empty());
  }

  static SpawnRequest program(const std::string& path) {
    return {.program = path, .argv = {path}, .environment = {}};
  }

  std::string file(const std::string& name, const std::string& text, unsigned mode) {
    folder_.write(name, text);
    const std::string path = in_folder(name);
    ::chmod(path.c_str(), mode);
    return path;
  }
  std::string in_folder(const std::string& name) { return (folder_.path() / name).string(); }

  claude::test::TempDir folder_;
};

INSTANTIATE_TEST_SUITE_P(, SpawnError, testing::ValuesIn(starters()), name_of_starter);

// F2
TEST_P(SpawnError, AMissingWorkingDirectoryIsNamed) {
  SpawnRequest request = shell("true");
  request.cwd = in_folder("nowhere");
  expect(request, Errc::cwd_missing, ENOENT, request.cwd);
}

TEST_P(SpawnError, AWorkingDirectoryThatIsAFileIsNamed) {
  SpawnRequest request = shell("true");
  request.cwd = file("plain", "", 0644);
  expect(request, Errc::cwd_missing, ENOTDIR, request.cwd);
}

// F2
TEST_P(SpawnError, AMissingProgramIsNamed) {
  const std::string path = in_folder("claude");
  expect(program(path), Errc::cli_not_found, ENOENT, path);
}

TEST_P(SpawnError, AProgramBelowAPlainFileIsMissing) {
  const std::string path = file("plain", "", 0644) + "/claude";
  expect(program(path), Errc::cli_not_found, ENOTDIR, path);
}

// F2
TEST_P(SpawnError, AFileWithoutExecutePermissionIsNamed) {
  const std::string path = file("claude", "#!/bin/sh\n", 0644);
  expect(program(path), Errc::not_executable, EACCES, path);
}

TEST_P(SpawnError, AFolderIsNotExecutable) {
  const std::string path = folder_.path().string();
  expect(program(path), Errc::not_executable, EACCES, path);
}

// F2
TEST_P(SpawnError, AProgramForAnotherProcessorIsNamed) {
  std::string elf(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  elf.resize(64, '\0');
  elf[16] = 2;       // an executable
  elf[18] = '\x16';  // for the S/390
  const std::string path = file("claude", elf, 0755);
  expect(program(path), Errc::wrong_architecture, ENOEXEC, path);
}

TEST_P(SpawnError, AScriptWhoseInterpreterIsMissingNamesBoth) {
  const std::string path = file("claude", "#! /opt/none/node --flag\n", 0755);
  expect(program(path), Errc::wrong_architecture, ENOENT, path);
  EXPECT_THAT(refused(program(path)).message, HasSubstr("/opt/none/node,"));
}

TEST_P(SpawnError, TooLongArgumentsAreToldFromABrokenProgram) {
  SpawnRequest request = shell("true");
  request.argv.push_back(std::string(8 << 20, 'x'));
  const Error error = refused(request);
  EXPECT_EQ(error.code, Errc::spawn_failed);
  EXPECT_EQ(error.os_error, E2BIG);
  EXPECT_THAT(error.advice, HasSubstr("too long"));
}

TEST_P(SpawnError, ANulByteIsRefusedBecauseItWouldCutTheText) {
  SpawnRequest request = shell("true");
  request.argv.push_back(std::string("a\0b", 3));
  EXPECT_EQ(refused(request).code, Errc::invalid_option);
  EXPECT_EQ(refused(request).where, "argv[3]");

  request = shell("true");
  request.environment.push_back(std::string("KEY=se\0cret", 11));
  EXPECT_EQ(refused(request).where, "environment: KEY");
}

// F26
TEST_P(SpawnError, AtTheDescriptorLimitTheErrorIsClearAndNothingLeaks) {
  const auto host = [&]() -> std::string {
    // One more descriptor allowed each time, until it works: every place of refusal is passed.
    rlimit usual = {};
    ::getrlimit(RLIMIT_NOFILE, &usual);
    const int before = open_descriptors();
    const int lowest_free = Fd(::open("/dev/null", O_RDONLY)).get();
    for (int allowed = 0; allowed < 100; ++allowed) {
      rlimit tight = usual;
      tight.rlim_cur = static_cast<rlim_t>(lowest_free + allowed);
      if (::setrlimit(RLIMIT_NOFILE, &tight) != 0) return "no limit set";
      Result<Child> child = spawn_by(GetParam().second, shell("exit 0"));
      ::setrlimit(RLIMIT_NOFILE, &usual);
      if (child && !child->pidfd) return "nobody would notice its exit";
      if (child) return allowed < 6 ? "worked too early" : "";
      if (child.error().code != Errc::spawn_failed) return child.error().message;
      if (child.error().os_error != EMFILE) return child.error().message;
      if (!child.error().advice.contains("ulimit -n")) return "advice: " + child.error().advice;
      if (child.error().where != "/bin/sh") return "where: " + child.error().where;
      if (open_descriptors() != before) return "leaked at " + std::to_string(allowed);
    }
    return "never worked";
  };
  EXPECT_EQ(in_fork(host), "");
}

// F26
TEST_P(SpawnError, AtTheProcessLimitTheErrorIsClearAndNothingLeaks) {
  const auto host = [&]() -> std::string {
    if (::getuid() == 0 && ::setuid(65534) != 0) return "cannot leave root, who has no limit";
    const rlimit none = {.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_NPROC, &none);
    const int before = open_descriptors();
    const Result<Child> child = spawn_by(GetParam().second, shell("exit 0"));
    if (child) return "it worked";
    if (child.error().os_error != EAGAIN) return child.error().message;
    if (!child.error().advice.contains("ulimit -u")) return "advice: " + child.error().advice;
    return open_descriptors() == before ? "" : "leaked";
  };
  EXPECT_EQ(in_fork(host), "");
}

}  // namespace
}  // namespace claude::io::test
