// Scenarios: which turn a prompt gets, what a wrong document is told, what actions do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "host.h"

namespace claude::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Without what is the same for all: "LINE: PLACE: WHAT".
std::string complaint(const std::string& scenario) {
  const std::string same = "claude-sim: CLAUDE_SIM_SCENARIO_JSON:";
  Host host({.scenario = scenario});
  EXPECT_EQ(host.wait(), 2);
  const std::string text = host.process().stderr_text();
  EXPECT_THAT(text, StartsWith(same));
  return text.substr(std::min(text.size(), same.size()));
}

TEST(Scenario, AMistakeIsNamedWithItsPlace) {
  EXPECT_EQ(complaint(R"({"turns": [{"model": [{"text": "a"}, {"text": "b", "chunks": "x"}]}]})"),
            "1: turns[0].model[1].chunks: must be a whole number\n");
  EXPECT_EQ(complaint(R"({"trns": []})"), "1: the document: unknown key 'trns'\n");
  EXPECT_EQ(complaint(R"({"turns": [{"when": {}}]})"), "1: turns[0]: needs either model or raw\n");
  EXPECT_EQ(complaint(R"({"startup": [{"exit": 1, "hang": true}]})"),
            "1: startup[0]: must have exactly one action\n");
  EXPECT_EQ(complaint(R"({"turns": [{"model": [{"blocks": [{"exit": 1}]}]}]})"),
            "1: turns[0].model[0].blocks[0]: must say text, thinking, tool, ask or mcp\n");
  EXPECT_EQ(complaint(R"({"host": {"steps": [{"signal": "KILL"}]}})"),
            "1: host.steps[0].signal: must be one of [\"TERM\",\"INT\",\"HUP\"]\n");
  EXPECT_THAT(complaint("{\n  \"turns\": [,]}"), HasSubstr("line 2, column"));
}

TEST(Scenario, ANumberOutOfItsRangeIsNamed) {
  EXPECT_EQ(complaint(R"({"seed": -1})"), "1: seed: must be 0 or more\n");
  EXPECT_EQ(complaint(R"({"seed": 1.5})"), "1: seed: must be a whole number\n");
  EXPECT_EQ(complaint(R"({"startup": [{"exit": 256}]})"),
            "1: startup[0].exit: must be 255 or less\n");
  EXPECT_EQ(complaint(R"({"startup": [{"sleep_ms": 1000000000000}]})"),
            "1: startup[0].sleep_ms: must be 1000000000 or less\n");
}

TEST(Scenario, MayNotBeNestedWithoutEnd) {
  const std::string deep = std::string(50'000, '[') + std::string(50'000, ']');
  EXPECT_EQ(complaint("{\n\"turns\": " + deep + "}"), "2: nested deeper than 1000\n");
}

TEST(Scenario, AMistakeIsNamedWithItsLine) {
  EXPECT_THAT(complaint("{\"turns\": [ // the first\n\n {\"raw\": [{\"exit\":\n \"a\"\n}]}]}"),
              StartsWith("4: turns[0].raw[0].exit"));
  EXPECT_THAT(complaint("{\"seed\": 5\n,\"seeed\": 6\n}"), StartsWith("2: the document"));
  EXPECT_THAT(complaint("{\"version\": 5\n}"), StartsWith("1: version"));
  EXPECT_THAT(complaint("{\n \"seed\":\n 4e884\n}"), HasSubstr("number overflow parsing '4e884'"));
  EXPECT_THAT(complaint("{\n \"seed\":\n 4e884\n}"), StartsWith("3: "));
}

TEST(Scenario, AMistakeInAPromptsScriptEndsItToo) {
  Host host;
  host.prompt(R"(@@[{"txt": "a"}]@@)");
  EXPECT_EQ(host.wait(), 2);
  EXPECT_THAT(host.process().stderr_text(), HasSubstr("unknown key 'txt'"));
}

TEST(Scenario, APromptTakesTheFirstTurnThatFitsAndIsNotUsedUp) {
  Host host({.turns = R"([
      {"when": {"prompt_contains": "tea"}, "model": [{"text": "green"}]},
      {"when": {"prompt_equals": "coffee"}, "model": [{"text": "black"}], "repeat": true},
      {"model": [{"text": "water"}]}])"});
  const auto answer = [&](const char* prompt) {
    host.prompt(prompt);
    return host.until("result")["result"].get<std::string>();
  };
  EXPECT_EQ(answer("coffee"), "black");
  EXPECT_EQ(answer("some tea"), "green");
  EXPECT_EQ(answer("coffee"), "black");
  EXPECT_EQ(answer("more tea"), "water");
  EXPECT_EQ(answer("more tea"), "You said: more tea");
}

TEST(Scenario, ACallThatNobodyForesawIsAnsweredOk) {
  Host host({.turns = R"([{"model": [{"tool": "Bash", "input": {"command": "ls"}}]}])"});
  host.prompt("go");
  EXPECT_EQ(host.until("result")["result"], "ok");
}

TEST(Scenario, TheBlocksOfAMessageComeAsOneLineEach) {
  Host host({.turns = R"([{"model": [
      {"thinking": "hm", "text": "both", "tool": "Bash", "input": {"command": "ls"}},
      {"blocks": [{"text": "x"}, {"text": "y"}], "usage": {"input_tokens": 7, "output_tokens": 3},
       "cost_usd": 0.5}]}])"});
  host.prompt("go");
  std::vector<std::string> types;
  std::vector<std::string> ids;
  for (json line = host.next(); line["type"] != "result"; line = host.next()) {
    if (line["type"] != "assistant") continue;
    types.push_back(line["message"]["content"][0]["type"]);
    ids.push_back(line["message"]["id"]);
  }
  EXPECT_THAT(types, ElementsAre("thinking", "text", "tool_use", "text", "text"));
  EXPECT_EQ(ids[0], ids[2]);
  EXPECT_NE(ids[2], ids[3]);
}

TEST(Scenario, CostsAddUpOverTheProcessAndUsageIsTheTurns) {
  Host host({.turns = R"([{"model": [{"text": "a", "cost_usd": 0.5,
                                      "usage": {"input_tokens": 7, "output_tokens": 3}}]}])"});
  host.prompt("go");
  const json first = host.until("result");
  EXPECT_EQ(first["total_cost_usd"], 0.5);
  EXPECT_EQ(first["usage"]["input_tokens"], 7);
  host.prompt("go");
  const json second = host.until("result");
  EXPECT_DOUBLE_EQ(second["total_cost_usd"], 0.5008);
  EXPECT_EQ(second["usage"]["input_tokens"], 100);
  EXPECT_EQ(second["modelUsage"]["claude-opus-5-5"]["inputTokens"], 107);
  EXPECT_EQ(second["result_index"], 1);
}

TEST(Scenario, PartialMessagesStandAroundTheirAssistantLine) {
  Host host({.turns = R"([{"model": [{"text": "one two", "chunks": 2}]}])",
             .flags = {"--include-partial-messages"}});
  host.prompt("go");
  host.until("result");
  EXPECT_THAT(host.seen(),
              ElementsAre("system/init", "system/status", "stream/message_start",
                          "stream/content_block_start", "stream/content_block_delta",
                          "stream/content_block_delta", "assistant", "stream/content_block_stop",
                          "stream/message_delta", "stream/message_stop", "result"));
}

TEST(Scenario, ARawTurnWritesNothingOfItsOwn) {
  Host host({.turns = R"([{"raw": [{"emit": {"type": "odd", "session_id": "$session_id"}}],
                           "after": [{"emit": {"type": "late"}}]}])"});
  host.prompt("go");
  EXPECT_EQ(host.next()["session_id"].get<std::string>().size(), 36u);
  EXPECT_EQ(host.next(), (json{{"type", "late"}}));
  EXPECT_EQ(host.end(), 0);
}

TEST(Scenario, AfterTheResultComesWhatTheTurnSays) {
  Host host({.turns = R"([{"model": [{"text": "bye"}], "after": [{"exit": 7}]}])"});
  host.prompt("go");
  EXPECT_EQ(host.until("result")["result"], "bye");
  EXPECT_EQ(host.wait(), 7);
}

TEST(Action, BytesAreWrittenAsTheyAre) {
  Host host({.turns = R"([{"raw": [{"emit_text": "not json\r\n"}, {"emit_hex": "2266c3280a"},
                                   {"emit_text": "x", "times": 3}, {"emit_text": "\n"}]}])"});
  host.prompt("go");
  EXPECT_EQ(*host.process().read_line(), "not json\r");
  EXPECT_EQ(*host.process().read_line(), "\"f\xC3(");
  EXPECT_EQ(*host.process().read_line(), "xxx");
}

TEST(Action, ACutLineAndADeathBySignal) {
  Host host({.turns = R"([{"raw": [{"emit_text": "{\"type\":\"assis"}, {"kill": "KILL"}]}])"});
  host.prompt("go");
  EXPECT_EQ(host.wait(), 128 + SIGKILL);
  EXPECT_EQ(host.process().read_line(), std::nullopt);
}

TEST(Action, AFloodIsNumbered) {
  Host host({.turns = R"([{"raw": [{"flood": 1000}]}])"});
  host.prompt("go");
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(host.next()["event"]["delta"]["text"], std::to_string(i));
}

TEST(Action, AHugeLineIsOneLine) {
  Host host({.turns = R"([{"raw": [{"huge": 3000000}]}])"});
  host.prompt("go");
  const json line = host.next();
  EXPECT_EQ(line["message"]["content"][0]["text"].get<std::string>().size(), 3000000u);
}

TEST(Action, ByteByByteTheLinesAreTheSame) {
  Host host({.scenario = R"({"seed": 5, "faults": {"write": "bytes"}})"});
  Host whole({.scenario = R"({"seed": 5})"});
  host.prompt("go");
  whole.prompt("go");
  EXPECT_EQ(host.until("assistant")["uuid"], whole.until("assistant")["uuid"]);
  EXPECT_EQ(host.until("result")["result"], whole.until("result")["result"]);
}

TEST(Action, ExpectLooksAtTheNextLine) {
  const char* turns = R"([{"raw": [
      {"send_control": {"subtype": "elicitation"}, "request_id": "q1"},
      {"expect": {"type": "control_response", "response": {"request_id": "q1"}}},
      {"emit": {"type": "pleased"}}]}])";
  Host good({.turns = turns});
  good.prompt("go");
  good.answer(good.until("control_request/elicitation"), {{"action", "decline"}});
  EXPECT_EQ(good.next()["type"], "pleased");

  Host bad({.turns = turns});
  bad.prompt("go");
  bad.until("control_request/elicitation");
  bad.send({{"type", "keep_alive"}});
  EXPECT_EQ(bad.wait(), 2);
  EXPECT_THAT(bad.process().stderr_text(), StartsWith("claude-sim: turns[0].raw[1]: expected {"));
}

TEST(Action, WaitForPassesOverOtherLines) {
  Host host(
      {.turns = R"([{"raw": [{"wait_for": {"type": "keep_alive"}}, {"emit": {"type": "x"}}]}])"});
  host.prompt("go");
  host.ask("mcp_status");
  host.send({{"type", "keep_alive"}});
  EXPECT_EQ(host.next()["type"], "x");
}

TEST(Action, StdoutMayCloseWhileTheProcessLives) {
  Host host({.turns = R"([{"raw": [{"emit": {"type": "last"}}, {"close_stdout": true},
                                   {"wait_for": {"type": "keep_alive"}}, {"exit": 4}]}])"});
  host.prompt("go");
  EXPECT_EQ(host.next()["type"], "last");
  EXPECT_TRUE(host.next().is_null());
  host.send({{"type", "keep_alive"}});
  EXPECT_EQ(host.wait(), 4);
}

TEST(Startup, MayEndBeforeItHearsAnything) {
  Host host({.scenario = R"({"startup": [{"stderr": "no such module\n"}, {"exit": 3}]})"});
  EXPECT_EQ(host.wait(), 3);
  EXPECT_EQ(host.process().stderr_text(), "no such module\n");
}

TEST(Startup, MayWriteMoreThanAPipeHoldsBeforeItReads) {
  Host host({.scenario = R"({"startup": [{"reading": false}, {"flood": 2000}, {"flush": true},
                                         {"reading": true}]})"});
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(kind(host.next()), "stream/content_block_delta");
  EXPECT_EQ(host.initialize()["subtype"], "success");
}

TEST(Startup, MayAskBeforeInitializeIsAnswered) {
  Host host({.scenario = R"({"startup": [
      {"wait_for": {"request": {"subtype": "initialize"}}},
      {"send_control": {"subtype": "hook_callback", "callback_id": "hook_0", "input": {}},
       "await": true}]})"});
  host.send(
      {{"type", "control_request"}, {"request_id", "i"}, {"request", {{"subtype", "initialize"}}}});
  host.answer(host.next(), json::object());
  EXPECT_EQ(host.until("control_response")["response"]["request_id"], "i");
}

TEST(Answers, MayBeMissingLateDoubleWrongOrAnError) {
  Host host({.scenario = R"({"faults": {"answers": {
      "mcp_status": {"times": 0}, "get_plan": {"times": 2},
      "list_models": {"error": "no", "error_code": "e"},
      "get_settings": {"request_id": "other"}, "get_usage": {"delay_ms": 200},
      "set_model": {"response": {"model": 5}}}}})"});
  const auto request = [&](const char* id, const char* subtype) {
    host.send(
        {{"type", "control_request"}, {"request_id", id}, {"request", {{"subtype", subtype}}}});
  };
  request("none", "mcp_status");
  request("twice", "get_plan");
  request("error", "list_models");
  request("wrong", "get_settings");
  request("bent", "set_model");
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(host.next()["response"]["request_id"]);
  EXPECT_THAT(ids, ElementsAre("twice", "twice", "error", "other", "bent"));
  request("late", "get_usage");
  request("soon", "get_plan");
  EXPECT_EQ(host.next()["response"]["request_id"], "soon");
  host.next();
  EXPECT_EQ(host.next()["response"]["request_id"], "late");
}

TEST(Answers, OurOwnRequestIdsMayBeEqual) {
  Host host({.scenario = R"({"faults": {"request_ids": ["dup", "dup"]}, "turns": [{"raw": [
      {"send_control": {"subtype": "x"}}, {"send_control": {"subtype": "y"}}]}]})"});
  host.prompt("go");
  EXPECT_EQ(host.next()["request_id"], "dup");
  EXPECT_EQ(host.next()["request_id"], "dup");
}

TEST(Stubborn, IgnoresTheEndOfInputAndSigterm) {
  Host host({.scenario = R"({"faults": {"ignore": ["eof", "sigterm"]}})"});
  host.initialize();
  host.process().close_stdin();
  host.process().signal(SIGTERM);
  EXPECT_EQ(host.process().wait(std::chrono::milliseconds(100)), std::nullopt);
  host.process().signal(SIGKILL);
  EXPECT_EQ(host.wait(), 128 + SIGKILL);
}

TEST(Stubborn, AGrandchildHoldsStdoutOpen) {
  Host host({.turns = R"([{"raw": [{"grandchild": 60000}, {"exit": 0}]}])"});
  host.prompt("go");
  EXPECT_EQ(host.wait(), 0);
  EXPECT_EQ(::kill(-host.process().pid(), 0), 0) << "nobody of its group is left";
  host.process().kill_group();
}

}  // namespace
}  // namespace claude::test
