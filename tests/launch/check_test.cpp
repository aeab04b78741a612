// Options that are refused, each with the member at fault.
#include "launch/check.h"

#include <gmock/gmock.h>

#include "launch/world.h"

namespace claude::launch {
namespace {

using namespace std::chrono_literals;
using test::kId;
using testing::HasSubstr;

const std::string kNul(1, '\0');

// The member of Options that is at fault, or "" when all is well.
std::string fault(const Options& options) {
  const auto error = check(options);
  if (!error) return {};
  EXPECT_EQ(error->code, Errc::invalid_option);
  EXPECT_FALSE(error->message.empty());
  EXPECT_FALSE(error->advice.empty());
  return error->where;
}

TEST(Check, PlainAndReasonableOptionsPass) {
  EXPECT_EQ(fault({}), "");
  EXPECT_EQ(fault({.model = "opus",
                   .fallback_model = "haiku",
                   .max_turns = 1,
                   .max_budget_usd = 0.01,
                   .max_thinking_tokens = 0,
                   .session_id = kId}),
            "");
  EXPECT_EQ(fault({.session_id = kId, .resume = "a title", .fork_session = true}), "");
}

TEST(Check, OneOfTheTwoPermissionCallbacksIsEnough) {
  Options options;
  options.can_use_tool = [](const ToolRequest&) { return Permission(allow()); };
  options.can_use_tool_later = [](ToolRequest, Reply<Permission>) {};
  EXPECT_EQ(fault(options), "Options::can_use_tool_later");
}

TEST(Check, BypassingPermissionsNeedsTwoWords) {
  Options options{.permission_mode = PermissionMode::bypass_permissions};
  EXPECT_EQ(fault(options), "Options::permission_mode");
  options.allow_bypass_permissions = true;
  EXPECT_EQ(fault(options), "");

  EXPECT_EQ(fault({.extra_args = {{"dangerously-skip-permissions", {}}}}), "Options::extra_args");
  EXPECT_EQ(fault({.extra_args = {{"permission-mode", "bypassPermissions"}}}),
            "Options::extra_args");
  EXPECT_EQ(fault({.extra_args = {{"permission-mode", "plan"}}}), "");
}

TEST(Check, AConversationHasOneOriginAndOneId) {
  EXPECT_EQ(fault({.resume = "abc", .continue_conversation = true}),
            "Options::continue_conversation");
  EXPECT_EQ(fault({.session_id = kId, .resume = "abc"}), "Options::session_id");
  EXPECT_EQ(fault({.session_id = kId, .continue_conversation = true}), "Options::session_id");
  EXPECT_EQ(fault({.fork_session = true}), "Options::fork_session");
  EXPECT_EQ(fault({.session_id = "42"}), "Options::session_id");
  EXPECT_EQ(fault({.resume = ""}), "Options::resume");
}

TEST(Check, NumbersThatTheCliWouldIgnoreOrRefuse) {
  EXPECT_EQ(fault({.max_turns = 0}), "Options::max_turns");
  EXPECT_EQ(fault({.max_budget_usd = 0}), "Options::max_budget_usd");
  EXPECT_EQ(fault({.max_budget_usd = std::numeric_limits<double>::quiet_NaN()}),
            "Options::max_budget_usd");
  EXPECT_EQ(fault({.max_thinking_tokens = -1}), "Options::max_thinking_tokens");
}

TEST(Check, AModelIsNotItsOwnFallback) {
  EXPECT_EQ(fault({.model = "opus", .fallback_model = "opus"}), "Options::fallback_model");
}

TEST(Check, ARuleCannotSmuggleInAnother) {
  for (const char* rule :
       {"Read,Bash", "Read Bash", "Read\nBash", "Bash(f(x), Write)", "Bash(ls", ""}) {
    EXPECT_EQ(fault({.allowed_tools = {rule}}), "Options::allowed_tools") << rule;
    EXPECT_EQ(fault({.disallowed_tools = {rule}}), "Options::disallowed_tools") << rule;
    EXPECT_EQ(fault({.tools = std::vector<std::string>{rule}}), "Options::tools") << rule;
  }
}

TEST(Check, CommasInsideTheParenthesesOfARuleAreItsOwn) {
  EXPECT_EQ(fault({.allowed_tools = {"Read", "Bash(git log, *)", "mcp__calc__add"}}), "");
}

TEST(Check, OtherListsAreNotSplitEither) {
  EXPECT_EQ(fault({.setting_sources = std::vector<std::string>{"user,local"}}),
            "Options::setting_sources");
  EXPECT_EQ(fault({.betas = {"a,b"}}), "Options::betas");
}

TEST(Check, FurtherFlagsHavePlainNames) {
  EXPECT_EQ(fault({.extra_args = {{"debug-file", "/tmp/x"}, {"bare", {}}}}), "");
  for (const char* name : {"", "-p", "--model", "model=opus", "a b", "1x"}) {
    EXPECT_EQ(fault({.extra_args = {{name, {}}}}), "Options::extra_args") << name;
  }
}

TEST(Check, AFurtherFlagDoesNotRepeatOneOfOurs) {
  EXPECT_EQ(fault({.extra_args = {{"output-format", "text"}}}), "Options::extra_args");
  EXPECT_EQ(fault({.model = "opus", .extra_args = {{"model", "haiku"}}}), "Options::extra_args");
  EXPECT_EQ(fault({.extra_args = {{"model", "haiku"}}}), "");
}

TEST(Check, NamesOfVariablesHaveNoEqualsSignAndNoNul) {
  for (const std::string& name : {std::string("A=B"), "A" + kNul, std::string()}) {
    Options set;
    set.environment.set[name] = "x";
    Options unset;
    unset.environment.unset = {name};
    EXPECT_EQ(fault(set), "Options::environment");
    EXPECT_EQ(fault(unset), "Options::environment");
  }
  Options value;
  value.environment.set["A"] = kNul;
  EXPECT_EQ(fault(value), "Options::environment");
}

TEST(Check, AVariableIsSetOrUnset) {
  Options options;
  options.environment.set["A"] = "x";
  options.environment.unset = {"A"};
  EXPECT_EQ(fault(options), "Options::environment");
}

TEST(Check, AnExactEnvironmentHasToTurnOnCheckpointingItself) {
  Options options{.file_checkpointing = true};
  options.environment.mode = Environment::Mode::exact;
  EXPECT_EQ(fault(options), "Options::file_checkpointing");
  options.environment.set["CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING"] = "true";
  EXPECT_EQ(fault(options), "");
}

TEST(Check, FurtherFieldsOfInitializeAreNotOurs) {
  Options options;
  options.initialize_fields = Json::object({{"title", "x"}});
  EXPECT_EQ(fault(options), "");
  for (const char* name : {"hooks", "subtype", "systemPrompt", "agents", "sdkMcpServers"}) {
    options.initialize_fields = Json::object({{name, Json()}});
    EXPECT_EQ(fault(options), "Options::initialize_fields") << name;
  }
  options.initialize_fields = Json::array();
  EXPECT_EQ(fault(options), "Options::initialize_fields");
}

TEST(Check, AnAgentThatTheCliWouldDropIsRefused) {
  const AgentDefinition good{.description = "helps", .prompt = "Help."};
  const auto fault_of = [](AgentDefinition agent) {
    Options options;
    options.agents["a"] = std::move(agent);
    return fault(options);
  };
  EXPECT_EQ(fault_of(good), "");
  AgentDefinition bad = good;
  bad.description.clear();
  EXPECT_EQ(fault_of(bad), "Options::agents[a]");
  bad = good;
  bad.model = "";
  EXPECT_EQ(fault_of(bad), "Options::agents[a]");
  bad = good;
  bad.max_turns = 0;
  EXPECT_EQ(fault_of(bad), "Options::agents[a]");
  bad = good;
  bad.more = Json::object({{"prompt", "x"}});
  EXPECT_EQ(fault_of(bad), "Options::agents[a]");
}

TEST(Check, AServerHasOneNameAndSomebodyWhoAnswers) {
  const auto handler = [](const Json&) { return Json(); };
  Options twice;
  twice.mcp_servers.add("calc", handler).add_external("calc", Json::object());
  Options nobody;
  nobody.mcp_servers.add("calc", nullptr);
  Options sdk;
  sdk.mcp_servers.add_external("calc", Json::object({{"type", "sdk"}}));
  Options text;
  text.mcp_servers.add_external("calc", "calc --stdio");
  for (const Options* options : {&twice, &nobody, &sdk, &text}) {
    EXPECT_EQ(fault(*options), "Options::mcp_servers");
  }
}

TEST(Check, WhatBelongsToThePromptOfClaudeCodeIsNotLost) {
  Options options{.system_prompt = SystemPrompt::text("Be brief.")};
  options.system_prompt.exclude_dynamic_sections = true;
  EXPECT_EQ(fault(options), "Options::system_prompt");
  options.system_prompt = SystemPrompt::claude_code();
  options.system_prompt.blocks = {"x"};
  EXPECT_EQ(fault(options), "Options::system_prompt");
}

TEST(Check, ATimeoutOfAHookIsNeitherNothingNorForever) {
  for (const auto timeout : {std::chrono::milliseconds(0), std::chrono::milliseconds::max()}) {
    Options options;
    options.hooks.stop([](const Stop&) { return proceed(); }, {.timeout = timeout});
    EXPECT_EQ(fault(options), "Options::hooks");
  }
}

TEST(Check, ASchemaIsAnObject) {
  Options options;
  options.json_schema = "object";
  EXPECT_EQ(fault(options), "Options::json_schema");
}

TEST(CheckWords, ANulByteIsRefusedAndTheFlagNamed) {
  const auto error = check_words(arguments({.model = "opus" + kNul}, kId));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, Errc::invalid_option);
  EXPECT_EQ(error->where, "--model");
  EXPECT_EQ(fault({.cwd = "/" + kNul}), "Options::cwd");
  EXPECT_EQ(fault({.cli_path = "/" + kNul}), "Options::cli_path");
}

TEST(CheckWords, AWordLongerThanTheSystemTakesIsRefused) {
  const std::string prefix = "--settings=";
  const std::string fits(kLongestWordBytes - prefix.size(), 'x');
  EXPECT_FALSE(check_words(arguments({.settings = fits}, kId)));
  const auto error = check_words(arguments({.settings = fits + "x"}, kId));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where, "--settings");
  EXPECT_THAT(check_words(legacy_arguments({}, fits + prefix + "x"))->where, "the prompt");
}

TEST(CheckWords, TheLegacyFormNeedsAPrompt) {
  EXPECT_TRUE(check_legacy_prompt(""));
  EXPECT_FALSE(check_legacy_prompt("hi"));
}

}  // namespace
}  // namespace claude::launch
