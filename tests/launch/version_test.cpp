// Reading the version of the CLI and judging it.
#include "launch/version.h"

#include <gmock/gmock.h>

namespace claude::launch {
namespace {

using testing::HasSubstr;

TEST(CliVersion, IsReadFromWhatTheCliPrints) {
  EXPECT_EQ(parse_version("2.1.325 (Claude Code)\n"), (Version{2, 1, 325}));
  EXPECT_EQ(parse_version("2.1.325"), (Version{2, 1, 325}));
  EXPECT_EQ(parse_version("v2.0.0-beta.1"), (Version{2, 0, 0}));
  EXPECT_EQ(parse_version("(node:7) Warning: 1.2.3 is old\n2.1.0 (Claude Code)"),
            (Version{2, 1, 0}));
}

TEST(CliVersion, WhatIsNoVersionIsNotReadAsOne) {
  for (const char* text : {"", "claude", "2.1", "2.1.", "2..1", "-1.2.3", "99999999999.0.0"}) {
    EXPECT_EQ(parse_version(text), std::nullopt) << text;
  }
}

// S150
TEST(CliVersion, IsGoodTooOldOrUnknown) {
  EXPECT_EQ(judge_version("2.1.325 (Claude Code)"), VersionVerdict::ok);
  EXPECT_EQ(judge_version("1.0.119 (Claude Code)"), VersionVerdict::below);
  EXPECT_EQ(judge_version("Claude Code, nightly"), VersionVerdict::unknown);
  EXPECT_EQ(judge_version(""), VersionVerdict::unknown);
}

// S151
TEST(CliVersion, TheMinimumItselfIsGoodAndNumbersAreComparedAsNumbers) {
  EXPECT_EQ(judge_version(kMinimumCliVersion), VersionVerdict::ok);
  EXPECT_EQ(judge_version("1.99.99"), VersionVerdict::below);
  EXPECT_EQ(judge_version("10.0.0"), VersionVerdict::ok);
}

// F4 S157
TEST(CliVersion, AnOldCliIsRefusedWithItsVersionTheMinimumAndWhatToDo) {
  const auto error = refuse_version("1.0.119 (Claude Code)\n", false);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, Errc::unsupported_version);
  EXPECT_THAT(error->message, HasSubstr("1.0.119 (Claude Code), older"));
  EXPECT_THAT(error->message, HasSubstr("2.0.0"));
  EXPECT_THAT(error->advice, HasSubstr("claude update"));
  EXPECT_THAT(error->advice, HasSubstr("allow_old_cli"));
}

// F4 S150
TEST(CliVersion, AnOldCliPassesWhenAllowedAndAnUnknownOneAlways) {
  EXPECT_FALSE(refuse_version("1.0.119", true));
  EXPECT_FALSE(refuse_version("nightly", false));
  EXPECT_FALSE(refuse_version("2.1.325", false));
}

// S152
TEST(CliVersion, IsAskedBeforeTheStartOnlyWhereTheProtocolIsNeeded) {
  EXPECT_FALSE(asks_version_first({}));
  EXPECT_TRUE(asks_version_first({.version_check = VersionCheck::before_start}));
  EXPECT_FALSE(
      asks_version_first({.version_check = VersionCheck::before_start, .legacy_argv = true}));
}

}  // namespace
}  // namespace claude::launch
