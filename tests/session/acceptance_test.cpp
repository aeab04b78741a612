// Everything at once: whole flows in memory, and the acceptance criteria in one session.
#include <map>
#include <set>

#include "session/fixture.h"
#include "session/memory_transport.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class Acceptance : public SimTest {};

McpHandler echo_server() {
  return [](const Json& message) {
    Json result = Json::object({{"tools", Json::array({Json::object({{"name", "echo"}})})}});
    if (message["method"].text() == "tools/call") {
      Json block =
          Json::object({{"type", "text"}, {"text", message["params"]["arguments"]["say"]}});
      result = Json::object({{"content", Json::array({block})}});
    }
    return Json::object({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", result}});
  };
}

// S182
TEST_F(Acceptance, HookPermissionAndServerAreAskedAtOnceAndAnsweredInAnyOrder) {
  MemoryCli cli;
  options.transport = cli.factory();
  Gate hook_may;
  Gate permission_may;
  options.hooks.pre_tool_use([&](const PreToolUse&) {
    hook_may.wait();
    return deny("no");
  });
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    permission_may.wait();
    return allow();
  };
  options.mcp_servers.add("calc", echo_server());
  Session session = start();
  WireJson initialize = cli.next();
  EXPECT_EQ(initialize["request"]["subtype"], "initialize");

  cli.ask("hook", {{"subtype", "hook_callback"},
                   {"callback_id", "hook_0"},
                   {"input",
                    {{"hook_event_name", "PreToolUse"},
                     {"session_id", "s"},
                     {"transcript_path", "/t"},
                     {"cwd", "/"},
                     {"tool_name", "Bash"},
                     {"tool_input", WireJson::object()}}}});
  cli.ask("permission", {{"subtype", "can_use_tool"},
                         {"tool_name", "Write"},
                         {"input", {{"file_path", "a"}}},
                         {"tool_use_id", "t1"}});
  Call<ModelSet> model = session.set_model("opus");
  cli.ask("mcp", {{"subtype", "mcp_message"},
                  {"server_name", "calc"},
                  {"message", {{"jsonrpc", "2.0"}, {"id", 5}, {"method", "tools/list"}}}});

  std::map<std::string, WireJson> lines;
  auto take = [&] {
    WireJson line = cli.next();
    if (line["type"] == "control_request") return lines["ours"] = line, std::string("ours");
    std::string id = line["response"]["request_id"];
    lines[id] = line["response"]["response"];
    return id;
  };
  std::set<std::string> first{take(), take()};
  EXPECT_THAT(first, UnorderedElementsAre("ours", "mcp")) << "the others still wait";
  permission_may.open();
  EXPECT_EQ(take(), "permission");
  hook_may.open();
  EXPECT_EQ(take(), "hook");

  EXPECT_EQ(lines["mcp"]["mcp_response"]["id"], 5);
  EXPECT_EQ(lines["permission"]["behavior"], "allow");
  EXPECT_EQ(lines["hook"]["hookSpecificOutput"]["permissionDecision"], "deny");
  cli.answer(lines["ours"], {{"model", "claude-opus-4"}});
  EXPECT_EQ(*model.get()->model, "claude-opus-4");
}

// The eleven acceptance criteria of the protocol's description, in the order in which they stand
// there.
// S187
TEST_F(Acceptance, AllCriteriaHoldInOneSession) {
  play(R"({"turns": [{"model": [
      {"blocks": [{"tool": "Bash", "input": {"command": "one"}, "output": "one ran"},
                  {"tool": "Bash", "input": {"command": "two"}, "output": "two ran"},
                  {"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}},
                  {"tool": "Write", "input": {"file_path": "b.txt", "content": "B"}},
                  {"mcp": {"server": "calc", "tool": "echo", "arguments": {"say": "hello"}}}]},
      {"text": "Done."}]}]})");
  options.allowed_tools = {"Bash", "mcp__calc__echo"};
  options.hooks.pre_tool_use("Bash", [](const PreToolUse& call) -> Verdict<PreToolUse> {
    if (call.tool_input["command"].text() == "one") throw std::runtime_error("broken hook");
    return deny("not two");
  });
  options.can_use_tool = [](const ToolRequest& request) -> Permission {
    if (request.input["content"].text() == "A") return allow();
    throw std::runtime_error("broken permission");
  };
  options.mcp_servers.add("calc", echo_server());
  options.timeouts.set_model = 50ms;
  Session session = start();
  Seen seen = watch(session.send("go"));

  // 1, 2: the mode on the command line, one JSON object a line.
  EXPECT_THAT(resolve(options)->arguments, Contains("--input-format=stream-json"));
  for (const WireJson& line : wire->read()) EXPECT_TRUE(line.is_object());
  // 3: answers carry the id of what was asked.
  std::vector<WireJson> hooks = wire->their_requests("hook_callback");
  ASSERT_EQ(hooks.size(), 2u);
  for (const WireJson& asked : hooks) EXPECT_EQ(wire->answer_to(asked)["subtype"], "success");
  // 4, 5: hooks are registered and called.
  EXPECT_TRUE(wire->our_requests("initialize")[0]["request"]["hooks"].contains("PreToolUse"));
  std::vector<std::string> results = seen.tool_results();
  ASSERT_EQ(results.size(), 5u);
  EXPECT_THAT(results, Contains(HasSubstr("not two")));
  // 6: permissions.
  EXPECT_EQ(project.read("a.txt"), "A");
  // 7: MCP.
  EXPECT_THAT(results, Contains("hello"));
  // 8: operations.
  EXPECT_TRUE(session.set_permission_mode(PermissionMode::plan).get());
  EXPECT_TRUE(session.interrupt().get());
  // 9: timeouts are options; their defaults are 60 s and 5 s.
  EXPECT_EQ(Options().timeouts.hook, 60s);
  EXPECT_EQ(Options().timeouts.interrupt, 5s);
  // 10: a hook that fails lets things go on.
  EXPECT_THAT(results, Contains("one ran"));
  // 11: a permission callback that fails denies.
  EXPECT_THAT(results, Contains(HasSubstr("broken permission")));
  EXPECT_EQ(project.read("b.txt"), "");
}

// S169 S171
TEST_F(Acceptance, WhatIsForTheLibraryAloneIsNoFlag) {
  options.allowed_tools = {};
  std::vector<std::string> plain = resolve(options)->arguments;

  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); })
      .post_tool_use([](const PostToolUse&) { return proceed(); })
      .user_prompt_submit([](const UserPromptSubmit&) { return proceed(); })
      .stop([](const Stop&) { return proceed(); })
      .subagent_stop([](const SubagentStop&) { return proceed(); })
      .pre_compact([](const PreCompact&) { return proceed(); }, {.timeout = 9s});
  options.timeouts.hook = 30s;
  options.mcp_servers.add("calc", echo_server());
  options.file_checkpointing = true;
  EXPECT_EQ(resolve(options)->arguments, plain);

  Command command = resolve(options).value();
  EXPECT_EQ(command.environment["CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING"], "true");
  WireJson initialize = WireJson::parse(command.initialize)["request"];
  EXPECT_EQ(initialize["sdkMcpServers"], WireJson::parse(R"(["calc"])"));
  EXPECT_EQ(initialize["hooks"].size(), 6u);
  EXPECT_GT(initialize["hooks"]["Stop"][0]["timeout"], 30.0);
  EXPECT_LT(initialize["hooks"]["PreCompact"][0]["timeout"], 30.0);

  options.can_use_tool = [](const ToolRequest&) -> Permission { return allow(); };
  EXPECT_EQ(resolve(options)->arguments.size(), plain.size() + 1) << "the prompt tool";
}

TEST_F(Acceptance, TheCommandCanBeReadBeforeItRuns) {
  options.environment.set["ANTHROPIC_API_KEY"] = "sk-secret";
  options.model = "opus";
  Result<Command> command = resolve(options);
  ASSERT_TRUE(command);
  std::string shown = command->to_string();
  EXPECT_THAT(shown, HasSubstr(CLAUDE_SIM));
  EXPECT_THAT(shown, HasSubstr("--model=opus"));
  EXPECT_THAT(shown, HasSubstr("ANTHROPIC_API_KEY"));
  EXPECT_THAT(shown, Not(HasSubstr("sk-secret")));

  // It is what a session then does.
  Session session = start();
  WireJson written = wire->written().at(0);
  EXPECT_EQ(written["request"], WireJson::parse(command->initialize)["request"]);
}

}  // namespace
}  // namespace claude::test
