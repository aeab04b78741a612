// Which error a failed start becomes, from what was seen of it.
#include "launch/explain.h"

#include <gmock/gmock.h>

namespace claude::launch {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kOld = "1.0.119 (Claude Code)\n";
constexpr const char* kGood = "2.1.325 (Claude Code)\n";
constexpr const char* kUnknownOption = "error: unknown option '--input-format=stream-json'\n";

FailedStart exited(int code, std::string stderr_tail) {
  return {.exit_code = code, .exited = true, .stderr_tail = std::move(stderr_tail)};
}

Error refused_by_the_system() {
  Error error;
  error.code = Errc::spawn_failed;
  error.os_error = 12;
  return error;
}

// S154
TEST(FailedStart, AnUnknownFlagMeansThatTheCliIsTooOld) {
  const Error error = explain(exited(1, kUnknownOption));
  EXPECT_EQ(error.code, Errc::unsupported_version);
  EXPECT_EQ(error.cli_text, "error: unknown option '--input-format=stream-json'");
  EXPECT_THAT(error.message, HasSubstr("--input-format"));
  EXPECT_EQ(error.exit_code, 1);
  EXPECT_EQ(error.stderr_tail, kUnknownOption);
}

// S154
TEST(FailedStart, TheSignOfAnUnknownFlagMayStandOnEitherStreamAndInSeveralWords) {
  for (const char* text : {"Unknown flag: --x", "invalid option -- 'x'", "Unrecognized option"}) {
    FailedStart start = exited(2, "");
    start.stdout_text = std::string("usage\n") + text + "\n";
    EXPECT_EQ(explain(start).code, Errc::unsupported_version) << text;
    EXPECT_EQ(explain(start).cli_text, text);
  }
}

TEST(FailedStart, ABadValueOfAFlagIsNoUnknownFlag) {
  EXPECT_EQ(explain(exited(1, "error: option '--effort <x>' argument 'y' is invalid.\n")).code,
            Errc::exited_during_init);
}

// S155
TEST(FailedStart, AnUnknownFlagOutranksTheVersionAndTheVersionOutranksTheRest) {
  FailedStart start = exited(1, kUnknownOption);
  start.version_text = kOld;
  start.timed_out = 60s;
  start.init_error = "no";
  start.spawn_error = refused_by_the_system();
  EXPECT_THAT(explain(start).message, HasSubstr("refuses a flag"));

  start.stderr_tail.clear();
  EXPECT_EQ(explain(start).code, Errc::unsupported_version);
  EXPECT_THAT(explain(start).message, HasSubstr("1.0.119"));
}

// S155
TEST(FailedStart, BehindTheVersionComeTheSystemSilenceRefusalAndExitInThisOrder) {
  FailedStart start = exited(1, "");
  start.version_text = kGood;
  start.timed_out = 60s;
  start.init_error = "no";
  start.spawn_error = refused_by_the_system();
  EXPECT_EQ(explain(start).code, Errc::spawn_failed);
  start.spawn_error.reset();
  EXPECT_EQ(explain(start).code, Errc::init_timeout);
  start.timed_out.reset();
  EXPECT_EQ(explain(start).code, Errc::init_failed);
  start.init_error.reset();
  EXPECT_EQ(explain(start).code, Errc::exited_during_init);
}

TEST(FailedStart, AnOldCliThatIsAllowedIsNotBlamedForItsVersion) {
  FailedStart start = exited(1, "boom");
  start.version_text = kOld;
  start.allow_old_cli = true;
  EXPECT_EQ(explain(start).code, Errc::exited_during_init);
}

// S156 S158
TEST(FailedStart, SilenceSaysHowLongAndCarriesWhatWasPrinted) {
  const Error error = explain({.timed_out = 1500ms,
                               .silence_advice = "It wrote 3 line(s) that are no JSON.",
                               .stderr_tail = "waiting for the proxy",
                               .stdout_text = "hello"});
  EXPECT_THAT(error.advice, HasSubstr("3 line(s)"));
  EXPECT_EQ(error.code, Errc::init_timeout);
  EXPECT_THAT(error.message, HasSubstr("1500 ms"));
  EXPECT_EQ(error.stderr_tail, "waiting for the proxy");
  EXPECT_EQ(error.cli_text, "hello");
}

// S156
TEST(FailedStart, ARefusalCarriesTheCliItself) {
  const Error error =
      explain({.init_error = "hooks must map hook events", .init_error_code = "invalid_request"});
  EXPECT_EQ(error.code, Errc::init_failed);
  EXPECT_THAT(error.message, HasSubstr("hooks must map hook events"));
  EXPECT_EQ(error.cli_text, "hooks must map hook events");
  EXPECT_EQ(error.error_code, "invalid_request");
}

// S156
TEST(FailedStart, AnEarlyExitCarriesCodeAndOutput) {
  const Error error = explain(exited(3, "out of luck\n"));
  EXPECT_EQ(error.code, Errc::exited_during_init);
  EXPECT_EQ(error.exit_code, 3);
  EXPECT_EQ(error.stderr_tail, "out of luck\n");
  EXPECT_THAT(error.message, HasSubstr("exited with code 3"));
  EXPECT_THAT(error.message, HasSubstr("out of luck"));
}

TEST(FailedStart, ADeathBySignalIsNamed) {
  const Error error = explain({.signal = 9, .exited = true});
  EXPECT_EQ(error.signal, 9);
  EXPECT_THAT(error.message, HasSubstr("signal 9"));
}

// S157
TEST(FailedStart, EachAdviceNamesTheMinimumVersionAndTheOneThatIsThere) {
  FailedStart flag = exited(1, kUnknownOption);
  FailedStart exit = exited(1, "boom");
  FailedStart silence{.timed_out = 1s};
  FailedStart refusal{.init_error = "no"};
  for (FailedStart* start : {&flag, &exit, &silence, &refusal}) {
    start->version_text = kGood;
    EXPECT_THAT(explain(*start).advice, HasSubstr("2.0.0"));
    EXPECT_THAT(explain(*start).advice, HasSubstr("2.1.325 (Claude Code)"));
  }
}

TEST(FailedStart, WhatIsNoVersionIsNotShown) {
  FailedStart start = exited(1, "boom");
  start.version_text = "\x1b[2J\xff garbage";
  EXPECT_THAT(explain(start).advice, HasSubstr("Its version is not known"));
  start.version_text = "1.0.119\x1b[2J";
  EXPECT_EQ(explain(start).message.find('\x1b'), std::string::npos);
}

TEST(FailedStart, NobodyIsSentToUpdateWhatIsNewEnough) {
  FailedStart exit = exited(1, "boom");
  FailedStart silence{.timed_out = 1s};
  FailedStart refusal{.init_error = "no"};
  for (FailedStart* start : {&exit, &silence, &refusal}) {
    EXPECT_THAT(explain(*start).advice, HasSubstr("update it"));
    start->version_text = kGood;
    EXPECT_THAT(explain(*start).advice, Not(HasSubstr("update it")));
  }
}

TEST(FailedStart, OnlyTheEndOfALongOutputStandsInTheMessage) {
  const Error error = explain(exited(1, std::string(100'000, 'x') + " the end"));
  EXPECT_LT(error.message.size(), 2 * kSnippetBytes);
  EXPECT_THAT(error.message, testing::EndsWith("the end"));
  EXPECT_EQ(error.stderr_tail.size(), 100'008u);
}

}  // namespace
}  // namespace claude::launch
