// Hooks: which are called, and what comes of their answers, beyond what the recordings show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "host.h"

namespace claude::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Is a PreToolUse hook with this matcher called for a tool?
bool is_called(const json& matcher, const std::string& tool = "Bash") {
  const json call{{"tool", tool}, {"input", {{"command", "ls"}}}, {"output", "x"}};
  const json turns = json::array({{{"model", {call}}}});
  Host host({.turns = turns.dump(), .flags = {"--permission-mode", "bypassPermissions"}});
  host.initialize(
      {{"hooks", {{"PreToolUse", {{{"matcher", matcher}, {"hookCallbackIds", {"pre"}}}}}}}});
  host.prompt("go");
  host.until("assistant");
  const json line = host.next();
  return kind(line) == "hook/PreToolUse";
}

TEST(Matcher, NamesAndListsMatchWholeNames) {
  EXPECT_TRUE(is_called(nullptr));
  EXPECT_TRUE(is_called(""));
  EXPECT_TRUE(is_called("*"));
  EXPECT_TRUE(is_called("Bash"));
  EXPECT_TRUE(is_called("Write|Bash"));
  EXPECT_TRUE(is_called("Write, Bash"));
  EXPECT_FALSE(is_called("Bas"));
  EXPECT_FALSE(is_called("bash"));
}

TEST(Matcher, AnythingElseIsARegexThatMaySitAnywhere) {
  EXPECT_TRUE(is_called("B.*"));
  EXPECT_TRUE(is_called("a.h"));
  EXPECT_TRUE(is_called("^Ba"));
  EXPECT_FALSE(is_called("^as"));
  EXPECT_FALSE(is_called("["));
  EXPECT_FALSE(is_called("Bash(touch *)"));
}

TEST(HookTimeout, RefusesTheToolAndWithdrawsTheRequest) {
  Host host(
      {.turns =
           R"([{"model": [{"tool": "Bash", "input": {"command": "ls"}}, {"text": "end."}]}])"});
  host.initialize(
      {{"hooks", {{"PreToolUse", {{{"hookCallbackIds", {"slow"}}, {"timeout", 0.05}}}}}}});
  host.prompt("go");
  const json hook = host.until("hook/PreToolUse");
  EXPECT_EQ(host.until("control_cancel_request")["request_id"], hook["request_id"]);
  EXPECT_THAT(host.until("user")["tool_use_result"].get<std::string>(),
              HasSubstr("did not respond before its timeout"));
  EXPECT_EQ(host.until("result")["result"], "end.");
}

TEST(Hooks, OfOneEventAreCalledAtOnceAndDenyWins) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "ls"}}]}])"});
  host.initialize({{"hooks",
                    {{"PreToolUse",
                      {{{"hookCallbackIds", {"a", "b"}}},
                       {{"matcher", "Bash"}, {"hookCallbackIds", {"c"}}}}}}}});
  host.prompt("go");
  std::vector<json> asked;
  for (int i = 0; i < 3; ++i) asked.push_back(host.until("hook/PreToolUse"));
  const auto say = [&](const json& request, const char* decision) {
    host.answer(request, {{"hookSpecificOutput",
                           {{"hookEventName", "PreToolUse"},
                            {"permissionDecision", decision},
                            {"permissionDecisionReason", decision}}}});
  };
  say(asked[2], "allow");
  say(asked[0], "ask");
  say(asked[1], "deny");
  EXPECT_EQ(host.until("user")["message"]["content"][0]["content"],
            "PreToolUse:Bash hook error: deny");
}

TEST(Hooks, AnAskShowsTheHooksReason) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "ls"}}]}])"});
  host.initialize({{"hooks", {{"PreToolUse", {{{"hookCallbackIds", {"a"}}}}}}}});
  host.prompt("go");
  host.answer(host.until("hook/PreToolUse"), {{"hookSpecificOutput",
                                               {{"hookEventName", "PreToolUse"},
                                                {"permissionDecision", "ask"},
                                                {"permissionDecisionReason", "why not"}}}});
  const json request = host.until("control_request/can_use_tool")["request"];
  EXPECT_EQ(request["decision_reason"], "why not");
  EXPECT_EQ(request["decision_reason_type"], "hook");
}

TEST(Hooks, CompactingCallsThemInTheClisOrder) {
  Host host;
  json hooks = json::object();
  for (const char* event :
       {"PreCompact", "PostCompact", "SubagentStop", "SessionStart", "UserPromptSubmit", "Stop"})
    hooks[event] = json::array({{{"hookCallbackIds", {event}}}});
  host.initialize({{"hooks", hooks}});
  host.prompt("something to compact");
  for (const char* event : {"hook/UserPromptSubmit", "hook/Stop"})
    host.answer(host.until(event), json::object());
  host.until("result");
  host.prompt("/compact keep the names");
  const json before = host.until("hook/PreCompact");
  EXPECT_EQ(before["request"]["input"]["trigger"], "manual");
  EXPECT_EQ(before["request"]["input"]["custom_instructions"], "keep the names");
  host.answer(before, json::object());
  for (const char* event : {"hook/SubagentStop", "hook/SessionStart", "hook/PostCompact"})
    host.answer(host.until(event), json::object());
  EXPECT_EQ(host.until("result")["local_command"], "compact");
  const std::vector<std::string> all = host.seen();
  const std::vector<std::string> seen(std::ranges::find(all, "result") + 1, all.end());
  EXPECT_THAT(seen,
              ElementsAre("system/status", "hook/PreCompact", "hook/SubagentStop",
                          "hook/SessionStart", "hook/PostCompact", "system/status", "system/init",
                          "system/compact_boundary", "user", "user", "result"));
}

TEST(Hooks, OfAnEarlierInitializeAreReplaced) {
  Host host;
  host.initialize({{"hooks", {{"Stop", {{{"hookCallbackIds", {"first"}}}}}}}});
  host.initialize({{"hooks", {{"Stop", {{{"hookCallbackIds", {"second"}}}}}}}});
  host.prompt("go");
  EXPECT_EQ(host.until("hook/Stop")["request"]["callback_id"], "second");
}

json tool_list() {
  return {{"tools", {{{"name", "add"}, {"inputSchema", {{"type", "object"}}}}}}};
}

// Shakes hands as the server calc, then calls its tool with this JSON-RPC answer.
json mcp_outcome(json answer) {
  Host host(
      {.turns =
           R"([{"model": [{"mcp": {"server": "calc", "tool": "add", "arguments": {"a": 2}}}]}])",
       .flags = {"--allowedTools", "mcp__calc"}});
  host.send({{"type", "control_request"},
             {"request_id", "i"},
             {"request", {{"subtype", "initialize"}, {"sdkMcpServers", {"calc"}}}}});
  const auto reply = [&](const char* method, json result) {
    const json ask = host.until(std::string("mcp/") + method);
    json message{{"jsonrpc", "2.0"}, {"id", ask["request"]["message"].value("id", json())}};
    message.update(result);
    host.answer(ask, {{"mcp_response", message}});
    return ask;
  };
  reply("initialize", {{"result", {{"serverInfo", {{"name", "calc"}}}}}});
  EXPECT_THAT(host.seen(), ElementsAre("mcp/initialize"));  // before the answer to our initialize
  reply("notifications/initialized", {{"result", json::object()}});
  reply("tools/list", {{"result", tool_list()}});
  host.prompt("go");
  EXPECT_EQ(reply("tools/call", std::move(answer))["request"]["message"]["params"]["arguments"],
            (json{{"a", 2}}));
  return host.until("user")["message"]["content"][0];
}

TEST(Mcp, ACallGoesToTheServerOfTheHost) {
  const json block = mcp_outcome({{"result", {{"content", {{{"type", "text"}, {"text", "5"}}}}}}});
  EXPECT_EQ(block["content"], (json{{{"type", "text"}, {"text", "5"}}}));
}

TEST(Mcp, ErrorsReachTheModelAsText) {
  EXPECT_EQ(mcp_outcome({{"error", {{"code", -32603}, {"message", "it broke"}}}})["content"],
            "it broke");
  const json block = mcp_outcome(
      {{"result", {{"content", {{{"type", "text"}, {"text", "no"}}}}, {"isError", true}}}});
  EXPECT_THAT(block["content"].get<std::string>(), StartsWith("no\n\nThis tool's input schema"));
  EXPECT_EQ(block["is_error"], true);
}

TEST(Mcp, AToolThatNoServerHasIsAnError) {
  Host host({.turns = R"([{"model": [{"mcp": {"server": "calc", "tool": "add"}}]}])"});
  host.prompt("go");
  EXPECT_THAT(host.until("user")["message"]["content"][0]["content"].get<std::string>(),
              HasSubstr("No such tool available: mcp__calc__add"));
}

}  // namespace
}  // namespace claude::test
