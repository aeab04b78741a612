// A turn as the host sees it: queued and folded prompts, interrupts, tools, questions, rewinding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host.h"

namespace claude::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kA = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
constexpr const char* kB = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

json allow(const json& request) {
  return {{"behavior", "allow"}, {"updatedInput", request["request"]["input"]}};
}

std::string told(const json& user) {
  return user["message"]["content"][0]["content"].get<std::string>();
}

TEST(Prompts, ASecondOneRunsAsTheNextTurn) {
  Host host({.turns = R"([{"model": [{"text": "a1"}]}, {"model": [{"text": "b1"}]}])"});
  host.prompt("A", kA);
  host.prompt("B", kB);
  EXPECT_EQ(host.until("result")["user_message_uuids"], json::array({kA}));
  EXPECT_EQ(host.until("result")["user_message_uuids"], json::array({kB}));
}

TEST(Prompts, ToldDuringAToolItJoinsTheRunningTurn) {
  Host host(
      {.turns =
           R"([{"model": [{"tool": "Bash", "input": {"command": "make"}}, {"text": "end."}]}])"});
  host.initialize({{"hooks", {{"UserPromptSubmit", {{{"hookCallbackIds", {"ups"}}}}}}}});
  host.prompt("A", kA);
  host.answer(host.until("hook/UserPromptSubmit"), json::object());
  const json ask = host.until("control_request/can_use_tool");
  host.prompt("B", kB);
  host.until("lifecycle/queued");
  host.answer(ask, allow(ask));
  host.until("user");
  host.answer(host.until("hook/UserPromptSubmit"), json::object());
  EXPECT_EQ(host.until("lifecycle/started")["command_uuid"], kB);
  host.until("assistant");
  EXPECT_EQ(host.until("lifecycle/completed")["command_uuid"], kB);
  EXPECT_EQ(host.until("result")["user_message_uuids"], json::array({kA, kB}));
  EXPECT_EQ(host.until("lifecycle/completed")["command_uuid"], kA);
  EXPECT_EQ(host.end(), 0);
}

TEST(Prompts, AreReplayedOnRequestAndSoAreOurAnswers) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "make"}}]}])",
             .flags = {"--replay-user-messages"}});
  host.prompt("A");
  const json replay = host.until("user");
  EXPECT_EQ(replay["isReplay"], true);
  EXPECT_EQ(replay["message"]["content"], "A");
  const json ask = host.until("control_request/can_use_tool");
  host.answer(ask, allow(ask));
  EXPECT_EQ(host.until("control_response")["response"]["request_id"], ask["request_id"]);
}

TEST(Prompts, OneThatCannotWaitCutsTheTurn) {
  Host host({.turns = R"([{"model": [{"text": "a b", "chunks": 2, "delay_ms": 60000}]},
                          {"model": [{"text": "bee"}]}])"});
  host.prompt("A", kA);
  host.until("system/init");
  host.send({{"type", "user"},
             {"message", {{"role", "user"}, {"content", "B"}}},
             {"uuid", kB},
             {"priority", "now"}});
  const json cut = host.until("result");
  EXPECT_EQ(cut["terminal_reason"], "aborted_streaming");
  EXPECT_EQ(cut["is_error"], false);
  EXPECT_EQ(cut["result"], "a");
  EXPECT_EQ(host.until("result")["result"], "bee");
}

TEST(Prompts, OneWithoutAQueryEndsAtOnce) {
  Host host;
  host.send({{"type", "user"},
             {"message", {{"role", "user"}, {"content", "note"}}},
             {"shouldQuery", false}});
  EXPECT_EQ(host.until("result")["num_turns"], 0);
  EXPECT_THAT(host.seen(), ElementsAre("system/init", "result"));
}

TEST(Prompts, OneOfFiveMegabytesIsRefusedByTheCliItself) {
  Host host;
  host.prompt(std::string(5'000'000, 'x'));
  const json result = host.until("result");
  EXPECT_EQ(result["result"], "Prompt is too long");
  EXPECT_EQ(result["terminal_reason"], "blocking_limit");
}

TEST(Interrupt, MidStreamGivesWhatWasSaidAndTheResult) {
  Host host({.turns = R"([{"model": [{"text": "word word", "chunks": 2, "delay_ms": 60000}]}])",
             .flags = {"--include-partial-messages"}});
  host.prompt("go", kA);
  host.until("stream/content_block_delta");
  const json receipt = host.ask("interrupt");
  EXPECT_EQ(receipt["response"]["still_queued"], json::array());
  const json cut = host.until("assistant");
  EXPECT_EQ(cut["aborted"], true);
  EXPECT_EQ(cut["message"]["content"][0]["text"], "word");
  const json result = host.until("result");
  EXPECT_EQ(result["subtype"], "error_during_execution");
  EXPECT_EQ(result["user_message_uuids"], json::array({kA}));
  EXPECT_EQ(host.until("lifecycle/cancelled")["command_uuid"], kA);
  host.prompt("again");
  EXPECT_EQ(host.until("result")["is_error"], false);
}

TEST(Interrupt, MidStreamEndsASubagentThatTheMessageHadCalled) {
  Host host({.turns = R"([{"model": [{"delay_ms": 60000, "blocks": [
      {"tool": "Agent", "input": {"description": "look", "prompt": "Look.",
                                  "run_in_background": false}, "agent": [{"text": "Never said."}]},
      {"thinking": "So much for that."}]}]}])"});
  host.prompt("go");
  host.until("system/task_started");
  host.ask("interrupt");
  EXPECT_EQ(host.until("result")["subtype"], "error_during_execution");
  host.prompt("again");
  EXPECT_EQ(host.until("result")["is_error"], false);
}

TEST(Interrupt, InAToolRejectsItAndTheCallsAfterIt) {
  Host host({.turns = R"([{"model": [{"blocks": [
      {"tool": "Bash", "input": {"command": "ls"}, "takes_ms": 60000},
      {"tool": "Write", "input": {"file_path": "a", "content": "a"}}]}]}])"});
  host.prompt("go");
  host.until("assistant");
  host.until("assistant");
  host.ask("interrupt");
  EXPECT_THAT(told(host.until("user")), HasSubstr("The tool use was rejected"));
  EXPECT_THAT(told(host.until("user")), HasSubstr("The tool use was rejected"));
  EXPECT_EQ(host.until("user")["message"]["content"][0]["text"],
            "[Request interrupted by user for tool use]");
  const json result = host.until("result");
  EXPECT_EQ(result["terminal_reason"], "aborted_tools");
  EXPECT_EQ(result["num_turns"], 4);
  EXPECT_EQ(result["permission_denials"], json::array());
}

TEST(Interrupt, WithdrawsAnOpenPermissionBeforeItsReceipt) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "make"}}]}])"});
  host.prompt("go");
  const json ask = host.until("control_request/can_use_tool");
  host.send(
      {{"type", "control_request"}, {"request_id", "i"}, {"request", {{"subtype", "interrupt"}}}});
  EXPECT_EQ(host.next(),
            (json{{"type", "control_cancel_request"}, {"request_id", ask["request_id"]}}));
  EXPECT_EQ(kind(host.next()), "control_response");
  EXPECT_EQ(host.until("result")["permission_denials"].size(), 1u);
  host.answer(ask, allow(ask));  // too late: ignored
  host.prompt("again");
  EXPECT_EQ(host.until("result")["result"], "You said: again");
}

TEST(Interrupt, WithdrawsAnOpenHook) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "ls"}}]}])"});
  host.initialize({{"hooks", {{"PreToolUse", {{{"hookCallbackIds", {"pre"}}}}}}}});
  host.prompt("go");
  const json hook = host.until("hook/PreToolUse");
  host.send(
      {{"type", "control_request"}, {"request_id", "i"}, {"request", {{"subtype", "interrupt"}}}});
  EXPECT_EQ(host.next()["request_id"], hook["request_id"]);
  EXPECT_EQ(host.until("result")["terminal_reason"], "aborted_tools");
}

TEST(Interrupt, MayDropWhatIsQueued) {
  Host host({.turns = R"([{"model": [{"hang": true}, {"text": "never"}]}])"});
  host.prompt("A", kA);
  host.until("system/init");
  host.prompt("B", kB);
  host.until("lifecycle/queued");
  const json receipt = host.ask("interrupt", {{"cancel_queued", true}});
  EXPECT_EQ(receipt["response"]["cancelled"], json::array({kB}));
  EXPECT_EQ(host.until("result")["user_message_uuids"], json::array({kA}));
  EXPECT_EQ(host.end(), 1);
}

TEST(Interrupt, WhenIdleIsOnlyAnswered) {
  Host host;
  EXPECT_EQ(host.ask("interrupt")["response"], (json{{"still_queued", json::array()}}));
  EXPECT_EQ(host.end(), 0);
  EXPECT_THAT(host.seen(), ElementsAre("control_response"));
}

TEST(Tools, WriteEditAndReadActOnFilesOfTheWorkingDirectory) {
  Host host({.turns = R"([{"model": [
      {"tool": "Write", "input": {"file_path": "d/a.txt", "content": "one\n"}},
      {"tool": "Edit", "input": {"file_path": "d/a.txt", "old_string": "one", "new_string": "two"}},
      {"tool": "Read", "input": {"file_path": "d/a.txt"}},
      {"tool": "Read", "input": {"file_path": "missing"}},
      {"tool": "Write", "input": {"file_path": "/tmp/claude-sim-outside", "content": "x"}}]}])",
             .flags = {"--permission-mode", "bypassPermissions"}});
  host.prompt("go");
  EXPECT_EQ(host.until("user")["tool_use_result"]["type"], "create");
  EXPECT_EQ(host.until("user")["tool_use_result"]["structuredPatch"][0]["lines"],
            json::array({"-one", "+two"}));
  EXPECT_EQ(told(host.until("user")), "1\ttwo\n2\t");
  EXPECT_THAT(told(host.until("user")), HasSubstr("File does not exist."));
  EXPECT_THAT(told(host.until("user")), HasSubstr("outside of the working directory"));
  EXPECT_EQ(host.folder().read("d/a.txt"), "two\n");
  EXPECT_FALSE(std::filesystem::exists("/tmp/claude-sim-outside"));
}

TEST(Tools, AFailureGoesToTheHookForFailures) {
  Host host({.turns =
                 R"([{"model": [
      {"tool": "Bash", "input": {"command": "ls"}, "error": "Exit code 2"}]}])"});
  host.initialize({{"hooks",
                    {{"PostToolUse", {{{"hookCallbackIds", {"ok"}}}}},
                     {"PostToolUseFailure", {{{"hookCallbackIds", {"bad"}}}}}}}});
  host.prompt("go");
  const json hook = host.until("hook/PostToolUseFailure");
  EXPECT_EQ(hook["request"]["input"]["error"], "Exit code 2");
  host.answer(hook, json::object());
  EXPECT_EQ(host.until("user")["tool_use_result"], "Error: Exit code 2");
  host.until("result");
}

TEST(Tools, WithoutAHostToAskTheCliDeniesByItself) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "npm test"}}]}])",
             .stdio = false});
  host.prompt("go");
  const json note = host.until("system/permission_denied");
  EXPECT_EQ(note["message"], "This command requires approval");
  EXPECT_EQ(told(host.until("user")), "This command requires approval");
  EXPECT_EQ(host.until("result")["permission_denials"][0]["tool_name"], "Bash");
}

TEST(Tools, RulesOfTheCommandLineAllowAndDeny) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "npm test"}},
                                     {"tool": "Bash", "input": {"command": "npm publish"}}]}])",
             .flags = {"--allowedTools=Bash(npm test:*)", "--disallowedTools=Bash(npm publish)"}});
  host.prompt("go");
  EXPECT_EQ(told(host.until("user")), "(Bash completed with no output)");
  EXPECT_EQ(told(host.until("user")),
            "Permission to use Bash with command npm publish has been denied.");
}

TEST(Tools, TwoReadsAreAskedForAtOnce) {
  Host host({.turns = R"([{"model": [{"blocks": [
      {"tool": "Read", "input": {"file_path": "/etc/a"}},
      {"tool": "Read", "input": {"file_path": "/etc/b"}}]}]}])"});
  host.prompt("go");
  const json first = host.until("control_request/can_use_tool");
  const json second = host.until("control_request/can_use_tool");
  host.answer(second, {{"behavior", "deny"}, {"message", "not b"}});
  EXPECT_EQ(told(host.until("user")), "not b");
  host.answer(first, {{"behavior", "deny"}, {"message", "not a"}});
  EXPECT_EQ(told(host.until("user")), "not a");
  host.until("result");
}

TEST(Tools, TheHostsInputIsUsedIfItFits) {
  const char* turns = R"([{"model": [{"tool": "Bash", "input": {"command": "make"}}]}])";
  Host good({.turns = turns});
  good.prompt("go");
  good.answer(good.until("control_request/can_use_tool"),
              {{"behavior", "allow"}, {"updatedInput", {{"command", "echo other"}}}});
  EXPECT_EQ(told(good.until("user")), "other");

  Host bad({.turns = turns});
  bad.prompt("go");
  bad.answer(bad.until("control_request/can_use_tool"),
             {{"behavior", "allow"}, {"updatedInput", {{"cmd", "x"}}}});
  EXPECT_THAT(told(bad.until("user")), HasSubstr("failed schema validation"));
}

TEST(Tools, ADenyMayEndTheTurn) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "make"}}]}])"});
  host.prompt("go");
  host.answer(host.until("control_request/can_use_tool"),
              {{"behavior", "deny"}, {"message", "stop"}, {"interrupt", true}});
  const json result = host.until("result");
  EXPECT_EQ(result["terminal_reason"], "aborted_tools");
  EXPECT_EQ(result["permission_denials"].size(), 1u);
}

// What the model is told when the host answers an AskUserQuestion with this `updatedInput` in place
// of its own; "questions" stands for the questions themselves.
std::string answered(json input) {
  Host host({.turns = R"([{"model": [{"ask": [
      {"question": "Which color?", "header": "Color",
       "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]},
      {"question": "Which sizes?", "header": "Size", "multiSelect": true,
       "options": [{"label": "S", "description": "s"}, {"label": "L", "description": "l"}]}]}]}])",
             .flags = {"--permission-mode", "bypassPermissions"}});
  host.prompt("go");
  const json ask = host.until("control_request/can_use_tool");
  EXPECT_EQ(ask["request"]["requires_user_interaction"], true);
  EXPECT_EQ(ask["request"]["input"]["questions"][0]["multiSelect"], false);
  if (input.contains("questions")) input["questions"] = ask["request"]["input"]["questions"];
  host.answer(ask, {{"behavior", "allow"}, {"updatedInput", input}});
  return told(host.until("user"));
}

TEST(Questions, AreAnsweredByTheirText) {
  EXPECT_EQ(
      answered(
          {{"questions", 0}, {"answers", {{"Which color?", "Blue"}, {"Which sizes?", "S, L"}}}}),
      "Your questions have been answered: \"Which color?\"=\"Blue\", \"Which sizes?\"=\"S, L\". "
      "You can now continue with these answers in mind.");
  EXPECT_THAT(answered({{"questions", 0}, {"answers", {{"Which sizes?", {"S", "L"}}}}}),
              HasSubstr("\"Which sizes?\"=\"S,L\""));
}

TEST(Questions, MayBeAnsweredInOwnWordsAndWithNotes) {
  EXPECT_THAT(answered({{"questions", 0}, {"answers", {{"Which color?", "Some other colour"}}}}),
              HasSubstr("The user answered: \"Which color?\"=\"Some other colour\". Read the"));
  EXPECT_THAT(answered({{"questions", 0},
                        {"answers", {{"Which color?", "Red"}}},
                        {"annotations", {{"Which color?", {{"notes", "NOTE"}}}}}}),
              HasSubstr("\"Which color?\"=\"Red\" notes: NOTE"));
}

TEST(Questions, AnsweredByIndexOrHeaderAreNotAnswered) {
  const char* nothing = "The user did not answer the questions.";
  EXPECT_EQ(answered({{"questions", 0}, {"answers", {{"0", "Blue"}}}}), nothing);
  EXPECT_EQ(answered({{"questions", 0}, {"answers", {{"Color", "Blue"}}}}), nothing);
  EXPECT_EQ(answered({{"questions", 0}}), nothing);
}

TEST(Questions, MustComeBackWithTheirAnswers) {
  EXPECT_THAT(answered({{"answers", {{"Which color?", "Blue"}}}}),
              HasSubstr("AskUserQuestion that failed schema validation"));
}

TEST(Rewind, GoesBackToTheFilesBeforeAPrompt) {
  Host host({.turns = R"([
      {"model": [{"tool": "Write", "input": {"file_path": "new.txt", "content": "n"}},
                 {"tool": "Write", "input": {"file_path": "a.txt", "content": "changed\n"}}]},
      {"model": [{"tool": "Edit", "input": {"file_path": "a.txt", "old_string": "changed",
                                            "new_string": "changed twice"}}]}])",
             .flags = {"--permission-mode", "acceptEdits"},
             .environment = {{"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true"}}});
  host.folder().write("a.txt", "original\n");
  host.prompt("one", kA);
  host.until("result");
  host.prompt("two", kB);
  host.until("result");
  const json dry =
      host.ask("rewind_files", {{"user_message_id", kA}, {"dry_run", true}})["response"];
  EXPECT_EQ(dry["insertions"], 1);
  EXPECT_EQ(dry["deletions"], 2);
  EXPECT_EQ(host.folder().read("a.txt"), "changed twice\n");
  host.ask("rewind_files", {{"user_message_id", kB}});
  EXPECT_EQ(host.folder().read("a.txt"), "changed\n");
  EXPECT_EQ(host.ask("rewind_files", {{"user_message_id", kA}})["response"]["canRewind"], true);
  EXPECT_EQ(host.folder().read("a.txt"), "original\n");
  EXPECT_FALSE(std::filesystem::exists(host.folder().path() / "new.txt"));
  EXPECT_EQ(host.ask("rewind_files", {{"user_message_id", "nope"}})["error"],
            "No file checkpoint found for this message.");
}

TEST(Rewind, IsOffUnlessTheEnvironmentSaysSo) {
  Host host;
  EXPECT_EQ(host.ask("rewind_files", {{"user_message_id", kA}})["error"],
            "File rewinding is not enabled.");
}

TEST(Background, ACommandThatEndsStartsATurnOfItsOwn) {
  Host host({.turns = R"([{"model": [
      {"tool": "Bash",
       "input": {"command": "make", "run_in_background": true, "description": "job"},
       "finishes_ms": 1, "then": [{"text": "the job is done"}]},
      {"text": "started"}]}])",
             .flags = {"--permission-mode", "bypassPermissions"}});
  host.prompt("go");
  EXPECT_EQ(host.until("system/task_started")["task_type"], "local_bash");
  EXPECT_EQ(host.until("result")["result"], "started");
  EXPECT_EQ(host.until("system/task_notification")["status"], "completed");
  const json result = host.until("result");
  EXPECT_EQ(result["result"], "the job is done");
  EXPECT_EQ(result["origin"]["kind"], "task-notification");
  EXPECT_EQ(host.end(), 0);
}

TEST(Background, TheEndOfInputWaitsForIt) {
  Host host({.turns = R"([{"model": [
      {"tool": "Bash", "input": {"command": "make", "run_in_background": true}, "finishes_ms": 30},
      {"text": "started"}]}])",
             .flags = {"--permission-mode", "bypassPermissions"}});
  host.prompt("go");
  host.until("result");
  EXPECT_EQ(host.end(), 0);
  EXPECT_EQ(host.seen().back(), "result");
}

TEST(Background, ATaskCanBeStopped) {
  Host host({.turns = R"([{"model": [
      {"tool": "Bash", "input": {"command": "make", "run_in_background": true},
       "finishes_ms": 600000},
      {"text": "started"}]}])",
             .flags = {"--permission-mode", "bypassPermissions"}});
  host.prompt("go");
  const json task = host.until("system/task_started");
  host.until("result");
  host.ask("stop_task", {{"task_id", task["task_id"]}});
  EXPECT_THAT(host.seen(), testing::Contains("system/task_notification"));
  EXPECT_EQ(host.end(), 0);
}

TEST(Subagent, SpeaksWithItsNameAndReportsBack) {
  Host host({.turns = R"([{"model": [
      {"tool": "Agent", "input": {"description": "sub", "subagent_type": "helper",
                                  "prompt": "do it", "run_in_background": false},
       "agent": [{"tool": "Bash", "input": {"command": "make"}}, {"text": "the report"}]},
      {"text": "end."}]}])"});
  host.initialize({{"agents", {{"helper", {{"description", "h"}, {"prompt", "p"}}}}},
                   {"hooks", {{"SubagentStop", {{{"hookCallbackIds", {"stop"}}}}}}}});
  host.prompt("go");
  const json ask = host.until("control_request/can_use_tool");
  EXPECT_TRUE(ask["request"].contains("agent_id"));
  host.answer(ask, allow(ask));
  const json hook = host.until("hook/SubagentStop");
  EXPECT_EQ(hook["request"]["input"]["agent_type"], "helper");
  EXPECT_EQ(hook["request"]["input"]["last_assistant_message"], "the report");
  host.answer(hook, json::object());
  EXPECT_EQ(host.until("system/task_notification")["summary"], "the report");
  EXPECT_EQ(host.until("result")["result"], "end.");
}

}  // namespace
}  // namespace claude::test
