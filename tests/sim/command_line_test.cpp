// The program from outside: flags, versions, exit codes, signals, and the built-in behaviour.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "host.h"

namespace claude::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Start with_flags(std::vector<std::string> flags) {
  Start start;
  start.streams = false;
  start.flags = std::move(flags);
  return start;
}

TEST(CommandLine, SaysTheVersionThatItPlays) {
  Host today(with_flags({"--version"}));
  EXPECT_EQ(today.next(), "2.1.325 (Claude Code)");
  EXPECT_EQ(today.wait(), 0);

  Start old = with_flags({"-v"});
  old.environment["CLAUDE_SIM_VERSION"] = "1.0.3";
  EXPECT_EQ(Host(old).next(), "1.0.3 (Claude Code)");
}

TEST(CommandLine, AFlagThatTheCliDoesNotKnowEndsIt) {
  Host host(with_flags({"--permission-prompt-tool-name", "stdio"}));
  EXPECT_EQ(host.wait(), 1);
  EXPECT_EQ(host.process().stderr_text(),
            "error: unknown option '--permission-prompt-tool-name'\n");
}

TEST(CommandLine, AFlagWithoutItsValueEndsIt) {
  Host host(with_flags({"--model"}));
  EXPECT_EQ(host.wait(), 1);
  EXPECT_THAT(host.process().stderr_text(), HasSubstr("'--model <model>' argument missing"));
}

TEST(CommandLine, StreamJsonOutputNeedsVerbose) {
  Host host(with_flags({"-p", "hi", "--output-format", "stream-json"}));
  EXPECT_EQ(host.wait(), 1);
  EXPECT_EQ(host.process().stderr_text(),
            "Error: When using --print, --output-format=stream-json requires --verbose\n");
}

TEST(CommandLine, TakesEveryFlagOfTheOfficialSdks) {
  Host host({.flags = {"--model=haiku",
                       "--fallback-model=sonnet",
                       "--betas=a,b",
                       "--effort=low",
                       "--max-turns=3",
                       "--max-budget-usd=1",
                       "--system-prompt",
                       "",
                       "--append-system-prompt",
                       "-x",
                       "--tools=",
                       "--allowedTools=Read,Bash(ls:*)",
                       "--disallowedTools=WebFetch",
                       "--permission-mode=acceptEdits",
                       "--setting-sources=",
                       "--settings={}",
                       "--add-dir=/tmp",
                       "--include-partial-messages",
                       "--include-hook-events",
                       "--strict-mcp-config",
                       "--mcp-config",
                       "{\"mcpServers\":{}}",
                       "--agents={}",
                       "--json-schema={}",
                       "--plugin-dir=/tmp",
                       "--thinking=adaptive",
                       "--thinking-display=omitted",
                       "--no-session-persistence",
                       "--session-mirror",
                       "--debug",
                       "--task-budget=5",
                       "--await-initialize",
                       "--permission-prompts=host",
                       "--resume-session-at=x"}});
  EXPECT_EQ(host.initialize()["response"]["current_permission_mode"], "acceptEdits");
  host.prompt("hi");
  const json init = host.until("system/init");
  EXPECT_EQ(init["model"], "claude-haiku-5-5");
  EXPECT_EQ(init["tools"], json::array({"StructuredOutput"}));
  EXPECT_EQ(init["additional_directories"], json::array({"/tmp"}));
  EXPECT_EQ(host.end(), 0);
}

TEST(CommandLine, AwaitingInitializeItTakesNothingElseFirst) {
  Host host({.flags = {"--await-initialize"}});
  host.prompt("hi");
  EXPECT_EQ(host.wait(), 1);
  EXPECT_THAT(host.process().stderr_text(), HasSubstr("requires the initialize control request"));
}

TEST(CommandLine, APromptOnTheCommandLineIsOneTurn) {
  Host host(with_flags({"-p", "good morning", "--output-format", "stream-json", "--verbose"}));
  EXPECT_EQ(host.until("result")["result"], "You said: good morning");
  EXPECT_THAT(host.seen(), ElementsAre("system/init", "assistant", "result"));
  EXPECT_EQ(host.wait(), 0);
}

TEST(CommandLine, TheSessionIdIsTheOneGiven) {
  const std::string id = "0b5ad1f0-30a2-4d5c-9a31-2f1f0c4a7d11";
  Host host({.flags = {"--session-id=" + id}});
  host.prompt("hi");
  EXPECT_EQ(host.until("result")["session_id"], id);

  Host bad(with_flags({"--session-id=nonsense"}));
  EXPECT_EQ(bad.wait(), 1);
}

TEST(CommandLine, ASessionThatIsNotThereEndsItBeforeInitialize) {
  const std::string id = "11111111-2222-4333-8444-555555555555";
  Host host({.scenario = R"({"sessions": []})", .flags = {"--resume=" + id}});
  const json result = host.until("result");
  EXPECT_EQ(result["errors"], json::array({"No conversation found with session ID: " + id}));
  EXPECT_EQ(host.wait(), 1);
}

TEST(CommandLine, WithoutAScenarioItQuotesThePrompt) {
  Host host;
  host.prompt("caf\u00e9");
  EXPECT_EQ(host.until("result")["result"], "You said: caf\u00e9");
}

TEST(CommandLine, APromptMayCarryItsOwnScript) {
  Host host;
  host.prompt(
      R"(go @@[{"tool": "Bash", "input": {"command": "ls"}, "output": "a"}, {"text": "b"}]@@)");
  EXPECT_EQ(host.until("user")["tool_use_result"]["stdout"], "a");
  EXPECT_EQ(host.until("result")["result"], "b");
}

TEST(Ending, AnIdleCliLeavesAtTheEndOfInput) {
  Host host;
  host.initialize();
  EXPECT_EQ(host.end(), 0);
}

TEST(Ending, TheRunningTurnIsFinishedFirst) {
  Host host({.turns = R"([{"model": [{"text": "a b c", "chunks": 5, "delay_ms": 5}]}])"});
  host.prompt("go");
  EXPECT_EQ(host.end(), 0);
  EXPECT_THAT(host.seen(), ElementsAre("system/init", "assistant", "result"));
}

TEST(Ending, AnOpenPermissionEndsAsRefused) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "make"}}]}])"});
  host.prompt("go");
  host.until("control_request/can_use_tool");
  host.process().close_stdin();
  EXPECT_EQ(host.until("user")["message"]["content"][0]["content"],
            "Tool permission request failed: AbortError: Tool permission stream closed before "
            "response received");
  EXPECT_EQ(host.until("result")["permission_denials"].size(), 1u);
  EXPECT_EQ(host.wait(), 0);
}

TEST(Ending, AfterAnErrorTheExitCodeIsOne) {
  Host host({.turns = R"([{"model": [{"error": {"status": 529, "message": "Overloaded"}}]}])"});
  host.prompt("go");
  EXPECT_EQ(host.until("result")["is_error"], true);
  EXPECT_EQ(host.end(), 1);
}

TEST(Ending, SigtermIs143AndAsksTheSessionEndHookFirst) {
  Host host;
  host.initialize({{"hooks", {{"SessionEnd", {{{"hookCallbackIds", {"bye"}}}}}}}});
  host.process().signal(SIGTERM);
  const json hook = host.until("hook/SessionEnd");
  EXPECT_EQ(hook["request"]["input"]["reason"], "other");
  host.answer(hook, json::object());
  EXPECT_EQ(host.wait(), 143);
}

TEST(Ending, SigintInATurnWritesTheInterruptedResult) {
  Host host({.turns = R"([{"model": [{"text": "a b", "chunks": 2, "delay_ms": 60000}]}])"});
  host.prompt("go");
  host.until("system/init");
  host.process().signal(SIGINT);
  EXPECT_EQ(host.until("result")["terminal_reason"], "aborted_streaming");
  EXPECT_EQ(host.wait(), 0);
}

TEST(Ending, SighupIs129) {
  Host host;
  host.initialize();
  host.process().signal(SIGHUP);
  EXPECT_EQ(host.wait(), 129);
}

}  // namespace
}  // namespace claude::test
