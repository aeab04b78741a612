// Starts that fail, each with what happened and what to do.
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "session/fixture.h"
#include "session/memory_transport.h"
#include "support/full_disk.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class StartErrors : public SimTest {
 protected:
  // A program of the test's own in place of the CLI.
  void use_script(const std::string& body) {
    project.write("cli", "#!/bin/sh\n" + body);
    std::filesystem::permissions(project.path() / "cli", std::filesystem::perms::owner_all);
    options.cli_path = project.path() / "cli";
  }
};

// S154 S11
TEST_F(StartErrors, AnUnknownFlagMeansAnUnsupportedVersion) {
  use_script("echo \"error: unknown option '--input-format=stream-json'\" >&2; exit 1\n");
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::unsupported_version);
  EXPECT_THAT(error.message, HasSubstr("unknown option '--input-format=stream-json'"));
  EXPECT_THAT(error.stderr_tail, HasSubstr("unknown option"));
  EXPECT_EQ(error.exit_code, 1);
  EXPECT_THAT(error.advice, HasSubstr(kMinimumCliVersion));
}

// S155
TEST_F(StartErrors, AnUnknownFlagOutranksAnOldVersionAndThatAnEarlyExit) {
  use_script(
      "case \"$*\" in --version) echo 1.0.20; exit 0;; esac\n"
      "echo \"error: unknown option '--x'\" >&2; exit 1\n");
  EXPECT_THAT(start_error().message, HasSubstr("refuses a flag"));

  use_script(
      "case \"$*\" in --version) echo 1.0.20; exit 0;; esac\n"
      "echo 'something else' >&2; exit 1\n");
  Error old = start_error();
  EXPECT_EQ(old.code, Errc::unsupported_version);
  EXPECT_THAT(old.message, HasSubstr("1.0.20"));

  use_script(
      "case \"$*\" in --version) echo 2.1.325; exit 0;; esac\n"
      "echo 'something else' >&2; exit 1\n");
  EXPECT_EQ(start_error().code, Errc::exited_during_init);
}

// S156 S157 F1
TEST_F(StartErrors, AnEarlyExitHasItsCodeItsOutputAndAdvice) {
  play(R"({"startup": [{"stderr": "cannot find module\n"}, {"exit": 3}]})");
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::exited_during_init);
  EXPECT_EQ(error.exit_code, 3);
  EXPECT_THAT(error.stderr_tail, HasSubstr("cannot find module"));
  EXPECT_THAT(error.message, HasSubstr("exited with code 3"));
  EXPECT_THAT(error.message, HasSubstr("cannot find module"));
  EXPECT_THAT(error.advice, HasSubstr(kMinimumCliVersion));
  EXPECT_THAT(error.to_string(), HasSubstr("cannot find module"));
}

// F32
TEST_F(StartErrors, AFullDiskIsNamedAndNoFileIsLeftOnIt) {
  const TempDir temporary;
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  options.mcp_servers.add_external("db", Json::object({{"command", "/no/such/server"}}));
  Error error;
  {
    const FullDisk full(10);  // less than the configuration of the server
    error = start_error();
  }
  ::unsetenv("TMPDIR");
  EXPECT_EQ(error.code, Errc::spawn_failed);
  EXPECT_EQ(error.os_error, EFBIG);
  EXPECT_THAT(error.message, HasSubstr("writing " + temporary.path().string()));
  EXPECT_THAT(error.advice, HasSubstr("TMPDIR"));
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
}

TEST_F(StartErrors, ASignalDuringTheStartIsNamed) {
  play(R"({"startup": [{"kill": "SEGV"}]})");
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::exited_during_init);
  EXPECT_EQ(error.signal, 11);
}

TEST_F(StartErrors, ARefusedInitializeHasTheClisText) {
  play(R"({"faults": {"answers": {"initialize": {"error": "hooks are not welcome"}}}})");
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::init_failed);
  EXPECT_EQ(error.cli_text, "hooks are not welcome");
  EXPECT_THAT(error.message, HasSubstr("hooks are not welcome"));
  EXPECT_FALSE(error.advice.empty());
}

// S158 S160 F3
TEST_F(StartErrors, SilenceEndsWithTheTimeoutAndWhatWasPrinted) {
  options.timeouts.initialize = 500ms;  // enough for a slow machine to print
  play(R"({"startup": [{"stderr": "waiting for the license server\n"}, {"flush": true},
                       {"hang": true}]})");
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::init_timeout);
  EXPECT_THAT(error.message, HasSubstr("500 ms"));
  EXPECT_THAT(error.stderr_tail, HasSubstr("waiting for the license server"));
  EXPECT_THAT(error.advice, HasSubstr("timeouts.initialize"));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left behind";
}

// A CLI that was never ready has no conversation to bring to an end.
TEST_F(StartErrors, TheGraceOfAnEndingIsNotForOneThatNeverBegan) {
  options.timeouts = {.initialize = 50ms, .exit_grace = 1h};
  play(R"({"faults": {"answers": {"initialize": {"times": 0}}, "ignore": ["eof"]}})");
  EXPECT_EQ(start_error().code, Errc::init_timeout);

  play(R"({"faults": {"answers": {"initialize": {"error": "no"}}, "ignore": ["eof"]}})");
  EXPECT_EQ(start_error().code, Errc::init_failed);
}

// Nothing was refused.
TEST_F(StartErrors, AnAnswerThatCannotBeReadSaysSo) {
  MemoryCli cli;
  cli.on_write = [&](const WireJson& line) {
    cli.inject(R"({"type":"control_response","response":{"subtype":"success","request_id":)" +
               line["request_id"].dump() + R"(,"response":{"pid":1e999}}})" + "\n");
  };
  options.transport = cli.factory();
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::invalid_json);
  EXPECT_THAT(error.message, HasSubstr("cannot be read"));
  EXPECT_EQ(error.where, "initialize");
}

TEST_F(StartErrors, AProgramThatTalksOfOtherThingsIsDoubted) {
  MemoryCli cli;
  cli.on_write = [](const WireJson&) {};
  cli.inject("Welcome to the shell\n$ \n");  // before the clock begins to run
  options.transport = cli.factory();
  options.timeouts.initialize = 500ms;
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::init_timeout);
  EXPECT_THAT(error.advice, HasSubstr("2 line(s) that could not be read"));
}

TEST_F(StartErrors, AClosedPipeIsNotCalledAnExit) {
  play(R"({"startup": [{"close_stdout": true}, {"hang": true}]})");
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::exited_during_init);
  EXPECT_THAT(error.message, HasSubstr("closed its output, but went on running"));
}

TEST_F(StartErrors, WithoutAPlaceForPrivateFilesThePlaceIsNamed) {
  options.mcp_servers.add_external("files", Json::object({{"command", "true"}}));
  setenv("TMPDIR", "/nonexistent/place", 1);
  Error error = start_error();
  unsetenv("TMPDIR");
  EXPECT_EQ(error.code, Errc::spawn_failed);
  EXPECT_THAT(error.message, HasSubstr("/nonexistent/place"));
  EXPECT_THAT(error.advice, HasSubstr("TMPDIR"));
}

TEST_F(StartErrors, NoProgramAtThatPlace) {
  options.cli_path = project.path() / "nothing-here";
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::cli_not_found);
  EXPECT_THAT(error.to_string(), HasSubstr("nothing-here"));
  EXPECT_FALSE(error.advice.empty());
}

TEST_F(StartErrors, AFileThatIsNoProgram) {
  project.write("cli", "just text");
  std::filesystem::permissions(project.path() / "cli", std::filesystem::perms::owner_all);
  options.cli_path = project.path() / "cli";
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::wrong_architecture);
  EXPECT_NE(error.os_error, 0);
}

TEST_F(StartErrors, OptionsThatContradictEachOtherStartNothing) {
  options.resume = "one";
  options.session_id = "two";
  MemoryCli cli;
  options.transport = cli.factory();
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::invalid_option);
  EXPECT_EQ(cli.made(), 0);
}

// ---- Versions ----------------------------------------------------------------------------------

// S153
TEST_F(StartErrors, WhatTheRunningCliSaysOfItselfCounts) {
  play(R"({"version": "1.9.9"})");
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::unsupported_version);
  EXPECT_THAT(error.message, HasSubstr("1.9.9"));
  EXPECT_THAT(error.message, HasSubstr(kMinimumCliVersion));
  EXPECT_THAT(error.advice, HasSubstr("allow_old_cli"));

  options.allow_old_cli = true;
  EXPECT_EQ(said(start().send("Hello")), "You said: Hello");
}

// S149 S152
TEST_F(StartErrors, TheVersionIsAskedFirstOnlyWhenToldSo) {
  use_script("echo \"$*\" >> asked\nexec " CLAUDE_SIM " \"$@\"\n");
  said(start().send("Hello"));
  EXPECT_THAT(project.read("asked"), Not(HasSubstr("--version")));

  options.version_check = VersionCheck::before_start;
  said(start().send("Hello"));
  EXPECT_THAT(project.read("asked"), HasSubstr("--version"));
}

// S150
TEST_F(StartErrors, AnOldVersionFailsFirstAndAnUnreadableOneIsWarnedOf) {
  options.version_check = VersionCheck::before_start;
  use_script(
      "case \"$*\" in --version) echo '1.0.20 (Claude Code)'; exit 0;; esac\n"
      "touch started\n");
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::unsupported_version);
  EXPECT_FALSE(std::filesystem::exists(project.path() / "started"));

  use_script(
      "case \"$*\" in --version) head -c 200000 /dev/zero >&2; echo 1.0.20; exit 0;; esac\n"
      "exec " CLAUDE_SIM " \"$@\"\n");
  EXPECT_EQ(start_error().code, Errc::unsupported_version) << "though it fills its stderr";

  use_script("case \"$*\" in --version) echo 'who knows'; exit 0;; esac\nexec " CLAUDE_SIM
             " \"$@\"\n");
  EXPECT_EQ(said(start().send("Hello")), "You said: Hello");
  EXPECT_THAT(log.at(LogLevel::warning), Contains(HasSubstr("version")));
}

TEST_F(StartErrors, AVersionThatIsNeverSaidIsNotWaitedFor) {
  options.version_check = VersionCheck::before_start;
  use_script("case \"$*\" in --version) exec sleep 300;; esac\nexec " CLAUDE_SIM " \"$@\"\n");
  EXPECT_EQ(said(start().send("Hello")), "You said: Hello");
}

TEST_F(StartErrors, WhoStillHoldsTheOutputDoesNotHideTheVersion) {
  options.version_check = VersionCheck::before_start;
  use_script(
      "case \"$*\" in --version) echo '1.0.20 (Claude Code)'; sleep 300 & exit 0;; esac\n"
      "touch started\n");
  EXPECT_EQ(start_error().code, Errc::unsupported_version);
  EXPECT_FALSE(std::filesystem::exists(project.path() / "started"));
}

// S151
TEST_F(StartErrors, TheMinimumIsANamedConstant) {
  play(R"({"version": ")" + std::string(kMinimumCliVersion) + "\"}");
  EXPECT_EQ(said(start().send("Hello")), "You said: Hello");
}

}  // namespace
}  // namespace claude::test
