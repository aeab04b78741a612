// The initialize request as it stands on the wire.
#include "launch/initialize.h"

#include <gmock/gmock.h>

#include "launch/world.h"

namespace claude::launch {
namespace {

using namespace std::chrono_literals;
using test::World;

auto go_on() {
  return [](const auto&) { return proceed(); };
}

std::string on_the_wire(const Options& options) {
  return initialize_fields(options).dump();
}

TEST(Initialize, PlainOptionsSayOnlyThatTheSystemPromptIsEmpty) {
  EXPECT_EQ(on_the_wire({}), R"({"systemPrompt":[""]})");
}

// S61 S62
TEST(Initialize, AHookIsRegisteredByEventWithMatcherIdAndTimeout) {
  Options options;
  options.hooks.pre_tool_use("Bash", go_on()).pre_tool_use(go_on());
  EXPECT_EQ(initialize_fields(options)["hooks"].dump(),
            R"({"PreToolUse":[{"matcher":"Bash","hookCallbackIds":["hook_0"],"timeout":65},)"
            R"({"matcher":null,"hookCallbackIds":["hook_1"],"timeout":65}]})");
}

// S63 S112
TEST(Initialize, IdsCountTheRegistrationsFromZeroAcrossEvents) {
  Options options;
  options.hooks.pre_tool_use("Write", go_on()).stop(go_on()).pre_tool_use("Edit", go_on());
  const Json hooks = initialize_fields(options)["hooks"];
  EXPECT_EQ(hooks["PreToolUse"][0]["hookCallbackIds"].dump(), R"(["hook_0"])");
  EXPECT_EQ(hooks["Stop"][0]["hookCallbackIds"].dump(), R"(["hook_1"])");
  EXPECT_EQ(hooks["PreToolUse"][1]["hookCallbackIds"].dump(), R"(["hook_2"])");
  EXPECT_EQ(initialize_fields(options), initialize_fields(options));
}

// S113 S114
TEST(Initialize, AnEventTakesSeveralMatchersAndAMatcherSeveralCallbacks) {
  Options options;
  options.hooks.pre_tool_use("Write|Edit", go_on())
      .pre_tool_use("Write|Edit", go_on())
      .pre_tool_use("Bash", go_on());
  const Json hooks = initialize_fields(options)["hooks"]["PreToolUse"];
  ASSERT_EQ(hooks.size(), 3u);
  EXPECT_EQ(hooks[0]["matcher"].text(), "Write|Edit");
  EXPECT_EQ(hooks[1]["matcher"].text(), "Write|Edit");
  EXPECT_EQ(hooks[2]["matcher"].text(), "Bash");
}

// S64
TEST(Initialize, TheTimeoutIsSentInSecondsAndIsLongerThanOurs) {
  Options options;
  options.timeouts.hook = 90s;
  options.hooks.stop(go_on()).pre_tool_use("Bash", go_on(), {.timeout = 500ms});
  const Json hooks = initialize_fields(options)["hooks"];
  EXPECT_EQ(hooks["Stop"][0]["timeout"], 95);
  EXPECT_EQ(hooks["PreToolUse"][0]["timeout"], 5.5);
  EXPECT_EQ(hook_timeout(options.hooks.registrations()[0], options), 90s);
  EXPECT_EQ(hook_timeout(options.hooks.registrations()[1], options), 500ms);
}

// S65
TEST(Initialize, AnEventIsNamedExactlyWhenItHasACallback) {
  EXPECT_EQ(initialize_fields({}).find("hooks"), nullptr);
  Options options;
  options.hooks.pre_compact(go_on());
  const Json hooks = initialize_fields(options)["hooks"];
  EXPECT_EQ(hooks.size(), 1u);
  EXPECT_NE(hooks.find("PreCompact"), nullptr);
}

// S66 S98
TEST(Initialize, EventsHaveTheNamesOfTheWire) {
  Options options;
  options.hooks.pre_tool_use(go_on())
      .post_tool_use(go_on())
      .user_prompt_submit(go_on())
      .stop(go_on())
      .subagent_stop(go_on())
      .pre_compact(go_on());
  std::vector<std::string> names;
  const Json hooks = initialize_fields(options)["hooks"];
  for (const auto& [name, value] : hooks.members()) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop",
                                          "SubagentStop", "PreCompact"));
}

TEST(Initialize, FailingShutIsAskedOfTheCliTooWhereItIsWished) {
  Options options;
  options.hooks.pre_tool_use("Bash", go_on(), {.on_failure = OnFailure::block}).stop(go_on());
  const Json hooks = initialize_fields(options)["hooks"];
  EXPECT_EQ(hooks["PreToolUse"][0]["onFailure"].text(), "block");
  EXPECT_EQ(hooks["Stop"][0].find("onFailure"), nullptr);
}

// S67
TEST(Initialize, ServersOfThisProcessAreAnnouncedByNameAndOthersAreNot) {
  Options options;
  options.mcp_servers.add("calc", [](const Json&) { return Json(); })
      .add("clock", [](const Json&) { return Json(); })
      .add_external("files", Json::object({{"command", "mcp-files"}}));
  EXPECT_EQ(initialize_fields(options)["sdkMcpServers"].dump(), R"(["calc","clock"])");
  EXPECT_EQ(initialize_fields({}).find("sdkMcpServers"), nullptr);
}

// S68
TEST(Initialize, AgentsGoOutHere) {
  Options options;
  options.agents["plain"] = {.description = "helps", .prompt = "Help."};
  options.agents["rich"] = {.description = "reviews",
                            .prompt = "Review.",
                            .tools = std::vector<std::string>{"Read"},
                            .disallowed_tools = std::vector<std::string>{"Bash"},
                            .model = "haiku",
                            .max_turns = 3,
                            .more = Json::object({{"background", true}})};
  EXPECT_EQ(initialize_fields(options)["agents"].dump(),
            R"({"plain":{"description":"helps","prompt":"Help."},)"
            R"("rich":{"description":"reviews","prompt":"Review.","tools":["Read"],)"
            R"("disallowedTools":["Bash"],"model":"haiku","maxTurns":3,"background":true}})");
}

TEST(Initialize, ASystemPromptOfYourOwnGoesOutAsBlocks) {
  EXPECT_EQ(initialize_fields({.system_prompt = SystemPrompt::text("Be brief.")})["systemPrompt"],
            Json::array({"Be brief."}));
}

TEST(Initialize, ThePromptOfClaudeCodeIsTheOneThatIsNotSaid) {
  Options options{.system_prompt = SystemPrompt::claude_code("Be brief.")};
  options.system_prompt.exclude_dynamic_sections = true;
  EXPECT_EQ(on_the_wire(options), R"({"appendSystemPrompt":"Be brief.",)"
                                  R"("excludeDynamicSections":true})");
  EXPECT_EQ(on_the_wire({.system_prompt = SystemPrompt::claude_code()}), "{}");
}

TEST(Initialize, ASchemaAndSubagentTextAndFurtherFieldsGoOut) {
  Options options{.system_prompt = SystemPrompt::claude_code()};
  options.json_schema = Json::object({{"type", "object"}});
  options.forward_subagent_text = true;
  options.initialize_fields = Json::object({{"title", "My work"}});
  EXPECT_EQ(on_the_wire(options), R"({"jsonSchema":{"type":"object"},)"
                                  R"("forwardSubagentText":true,"title":"My work"})");
}

// S73
TEST(Initialize, TheVariableRaisesTheTimeoutAndNeverLowersIt) {
  World world;
  const Options options;
  EXPECT_EQ(initialize_timeout(options, world), 60s);
  world.environment["CLAUDE_CODE_STREAM_CLOSE_TIMEOUT"] = "120000";
  EXPECT_EQ(initialize_timeout(options, world), 120s);
  world.environment["CLAUDE_CODE_STREAM_CLOSE_TIMEOUT"] = "1000";
  EXPECT_EQ(initialize_timeout(options, world), 60s);
  for (const char* nonsense : {"soon", "-5", "120000s", ""}) {
    world.environment["CLAUDE_CODE_STREAM_CLOSE_TIMEOUT"] = nonsense;
    EXPECT_EQ(initialize_timeout(options, world), 60s) << nonsense;
  }
}

}  // namespace
}  // namespace claude::launch
