// Which options become which words, as they stand on the command line.
#include "launch/arguments.h"

#include <gmock/gmock.h>

#include "launch/world.h"

namespace claude::launch {
namespace {

using test::kId;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The words of these options that plain options do not have.
Words added(const Options& options) {
  const Words plain = arguments({}, kId);
  Words words = arguments(options, kId);
  std::erase_if(words, [&](const auto& word) {
    return std::find(plain.begin(), plain.end(), word) != plain.end();
  });
  return words;
}

// S1 S2
TEST(Arguments, ASessionSpeaksStreamJsonBothWaysAndIsVerbose) {
  EXPECT_THAT(arguments({}, kId),
              ElementsAre("--input-format=stream-json", "--output-format=stream-json", "--verbose",
                          std::string("--session-id=") + kId));
}

// S3
TEST(Arguments, APermissionCallbackBringsThePromptTool) {
  Options now;
  now.can_use_tool = [](const ToolRequest&) { return Permission(allow()); };
  Options later;
  later.can_use_tool_later = [](ToolRequest, Reply<Permission>) {};
  Options questions;
  questions.on_question = [](const Questions&) { return Answers(); };
  EXPECT_THAT(added(now), ElementsAre("--permission-prompt-tool=stdio"));
  EXPECT_THAT(added(later), ElementsAre("--permission-prompt-tool=stdio"));
  EXPECT_THAT(added(questions), ElementsAre("--permission-prompt-tool=stdio"));
}

// S131
TEST(Arguments, WithoutACallbackThereIsNoPromptToolSoThatTheCliDeniesByItself) {
  EXPECT_THAT(arguments({}, kId), Not(Contains(HasSubstr("permission-prompt-tool"))));
}

// S4
TEST(Arguments, TheModelIsAFlag) {
  EXPECT_THAT(added({.model = "opus", .fallback_model = "haiku", .effort = "low"}),
              ElementsAre("--model=opus", "--fallback-model=haiku", "--effort=low"));
}

// S6
TEST(Arguments, NoWordOfASessionIsAPrompt) {
  Options options{.model = "opus"};
  options.system_prompt = SystemPrompt::text("You are brief.");
  options.agents["helper"] = {.description = "helps", .prompt = "Help."};
  const Words words = arguments(options, kId);
  EXPECT_THAT(words, Each(StartsWith("--")));
  EXPECT_THAT(words, Not(Contains("--print")));
  EXPECT_THAT(words, Not(Contains(HasSubstr("brief"))));
}

// S8
TEST(Arguments, AValueIsOneWordWhateverItContains) {
  EXPECT_THAT(added({.model = "a b'c\"d $HOME; rm -rf /\n--verbose"}),
              ElementsAre("--model=a b'c\"d $HOME; rm -rf /\n--verbose"));
  EXPECT_THAT(added({.resume = "--dangerously-skip-permissions"}),
              ElementsAre("--resume=--dangerously-skip-permissions"));
}

TEST(Arguments, LimitsAreNumbersInTheirShortestForm) {
  EXPECT_THAT(added({.max_turns = 3, .max_budget_usd = 0.1, .max_thinking_tokens = 1024}),
              ElementsAre("--max-turns=3", "--max-budget-usd=0.1", "--max-thinking-tokens=1024"));
}

TEST(Arguments, EachBetaIsAFlagOfItsOwn) {
  EXPECT_THAT(added({.betas = {"a-1", "b-2"}}), ElementsAre("--betas=a-1", "--betas=b-2"));
}

TEST(Arguments, ToolsUnsetEmptyAndSomeAreThreeThings) {
  EXPECT_THAT(added({}), ElementsAre());
  EXPECT_THAT(added({.tools = std::vector<std::string>{}}), ElementsAre("--tools="));
  EXPECT_THAT(added({.tools = std::vector<std::string>{"Bash", "Read"}}),
              ElementsAre("--tools=Bash,Read"));
}

TEST(Arguments, SettingSourcesUnsetEmptyAndSomeAreThreeThings) {
  EXPECT_THAT(added({}), ElementsAre());
  EXPECT_THAT(added({.setting_sources = std::vector<std::string>{}}),
              ElementsAre("--setting-sources="));
  EXPECT_THAT(added({.setting_sources = std::vector<std::string>{"user", "project"}}),
              ElementsAre("--setting-sources=user,project"));
}

TEST(Arguments, RulesAreListsJoinedByCommas) {
  EXPECT_THAT(added({.allowed_tools = {"Read", "Bash(git *)"}, .disallowed_tools = {"WebFetch"}}),
              ElementsAre("--allowedTools=Read,Bash(git *)", "--disallowedTools=WebFetch"));
}

// S130
TEST(Arguments, EveryPermissionModeHasItsWord) {
  const std::pair<PermissionMode, const char*> modes[] = {
      {PermissionMode::standard, "--permission-mode=default"},
      {PermissionMode::accept_edits, "--permission-mode=acceptEdits"},
      {PermissionMode::plan, "--permission-mode=plan"},
      {PermissionMode::dont_ask, "--permission-mode=dontAsk"},
      {PermissionMode::automatic, "--permission-mode=auto"},
  };
  for (const auto& [mode, word] : modes) {
    EXPECT_THAT(added({.permission_mode = mode}), ElementsAre(word));
  }
  EXPECT_THAT(
      added({.permission_mode = PermissionMode::bypass_permissions,
             .allow_bypass_permissions = true}),
      ElementsAre("--permission-mode=bypassPermissions", "--allow-dangerously-skip-permissions"));
}

TEST(Arguments, ServersOfOthersAreOneJsonValueAndOursAreNotOnTheCommandLine) {
  Options options{.strict_mcp_config = true};
  options.mcp_servers.add("calc", [](const Json&) { return Json(); })
      .add_external("files", Json::object({{"command", "mcp-files"}}))
      .add_external("web", Json::object({{"type", "http"}, {"url", "http://127.0.0.1/"}}));
  EXPECT_THAT(added(options),
              ElementsAre(R"(--mcp-config={"mcpServers":{"files":{"command":"mcp-files"},)"
                          R"("web":{"type":"http","url":"http://127.0.0.1/"}}})",
                          "--strict-mcp-config"));
}

TEST(Arguments, PlacesAreFlags) {
  EXPECT_THAT(added({.add_dirs = {"/a", "/b, c"}, .settings = R"({"model":"haiku"})"}),
              ElementsAre("--add-dir=/a", "--add-dir=/b, c", R"(--settings={"model":"haiku"})"));
}

TEST(Arguments, AConversationThatGoesOnKeepsItsId) {
  EXPECT_THAT(arguments({.resume = "abc"}, kId), Contains("--resume=abc"));
  EXPECT_THAT(arguments({.resume = "abc"}, kId), Not(Contains(StartsWith("--session-id"))));
  EXPECT_THAT(arguments({.continue_conversation = true}, kId), Contains("--continue"));
  EXPECT_THAT(arguments({.continue_conversation = true}, kId),
              Not(Contains(StartsWith("--session-id"))));
}

TEST(Arguments, AForkGetsAnIdOfItsOwn) {
  const Words words = arguments({.resume = "abc", .fork_session = true}, kId);
  EXPECT_THAT(words, Contains("--resume=abc"));
  EXPECT_THAT(words, Contains("--fork-session"));
  EXPECT_THAT(words, Contains(std::string("--session-id=") + kId));
}

TEST(Arguments, SwitchesAreFlagsWithoutAValue) {
  EXPECT_THAT(added({.persist_session = false,
                     .partial_messages = true,
                     .replay_user_messages = true,
                     .hook_events = true}),
              ElementsAre("--replay-user-messages", "--no-session-persistence",
                          "--include-partial-messages", "--include-hook-events"));
}

TEST(Arguments, FurtherFlagsStandLastAndKeepTheirValues) {
  EXPECT_THAT(added({.model = "opus", .extra_args = {{"bare", {}}, {"debug-file", "-x y"}}}),
              ElementsAre("--model=opus", "--bare", "--debug-file=-x y"));
}

// S171
TEST(Arguments, WhatTheSdkDoesItselfIsNoFlag) {
  Options options;
  options.hooks.pre_tool_use("Bash", [](const PreToolUse&) { return proceed(); });
  options.file_checkpointing = true;
  EXPECT_THAT(added(options), ElementsAre());
}

// S7
TEST(LegacyArguments, ThePromptIsTheLastWordAndNothingIsReadFromStdin) {
  EXPECT_THAT(legacy_arguments({.model = "opus", .system_prompt = SystemPrompt::claude_code()},
                               "What is 2 + 2?"),
              ElementsAre("--print", "--output-format=stream-json", "--verbose", "--model=opus",
                          "--", "What is 2 + 2?"));
}

TEST(LegacyArguments, APromptThatReadsLikeAFlagStaysAPrompt) {
  const Words words = legacy_arguments({}, "--help");
  ASSERT_GE(words.size(), 2u);
  EXPECT_EQ(words[words.size() - 2], "--");
  EXPECT_EQ(words.back(), "--help");
}

TEST(LegacyArguments, WhatASessionSaysInInitializeIsOnTheCommandLine) {
  Options options;
  options.system_prompt.blocks = {"Be brief.", "Be kind."};
  options.agents["helper"] = {.description = "helps", .prompt = "Help."};
  options.json_schema = Json::object({{"type", "object"}});
  options.forward_subagent_text = true;
  EXPECT_THAT(
      legacy_arguments(options, "hi"),
      ElementsAre("--print", "--output-format=stream-json", "--verbose",
                  "--system-prompt=Be brief.\n\nBe kind.",
                  R"(--agents={"helper":{"description":"helps","prompt":"Help."}})",
                  R"(--json-schema={"type":"object"})", "--forward-subagent-text", "--", "hi"));
}

TEST(LegacyArguments, AnEmptySystemPromptIsSaidAsInASession) {
  EXPECT_THAT(legacy_arguments({}, "hi"), Contains("--system-prompt="));
}

// S167
TEST(LegacyArguments, CallbacksAreIgnoredThereAndTheWarningSaysSo) {
  Options options;
  options.can_use_tool = [](const ToolRequest&) { return Permission(allow()); };
  EXPECT_EQ(legacy_arguments(options, "hi"), legacy_arguments({}, "hi"));
  EXPECT_THAT(std::string(legacy_warning(options)),
              StartsWith("query() ignores hooks/can_use_tool/mcp_servers."));
}

TEST(LegacyArguments, HooksAndServersOfThisProcessAreWarnedOfTooAndNothingElse) {
  Options hooks;
  hooks.hooks.stop([](const Stop&) { return proceed(); });
  Options servers;
  servers.mcp_servers.add("calc", [](const Json&) { return Json(); });
  Options harmless{.model = "opus"};
  harmless.mcp_servers.add_external("files", Json::object({{"command", "mcp-files"}}));
  EXPECT_EQ(legacy_warning(hooks), kLegacyWarning);
  EXPECT_EQ(legacy_warning(servers), kLegacyWarning);
  EXPECT_EQ(legacy_warning(harmless), "");
}

}  // namespace
}  // namespace claude::launch
