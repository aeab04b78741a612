// claude-sim-api as an HTTP client sees it, without any CLI.
#include <gmock/gmock.h>
#include <httplib.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/real_cli.h"

namespace claude::test {
namespace {

using json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Messages = std::vector<json>;

json user(const json& content) {
  return {{"role", "user"}, {"content", content}};
}
json assistant(const json& content) {
  return {{"role", "assistant"}, {"content", content}};
}

// A conversation with the scripted model, as the CLI would hold it.
class Talk {
 public:
  explicit Talk(const std::string& scenario = "") : api_(scenario), http_(api_.base_url()) {}

  httplib::Result post(const Messages& messages, bool stream = false) {
    json body{{"model", "claude-test"}, {"messages", messages}, {"stream", stream}};
    return http_.Post("/v1/messages", body.dump(), "application/json");
  }

  json message(const Messages& messages) { return json::parse(post(messages)->body); }
  std::string text(const Messages& messages) { return message(messages)["content"][0]["text"]; }

  // The `data` of each server-sent event.
  std::vector<json> events(const Messages& messages) {
    std::vector<json> events;
    std::istringstream lines(post(messages, true)->body);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("data: ")) events.push_back(json::parse(line.substr(6)));
    }
    return events;
  }

  const SimApi& api() const { return api_; }

 private:
  SimApi api_;
  httplib::Client http_;
};

TEST(SimApi, QuotesAPromptThatNothingIsScriptedFor) {
  Talk talk;
  json message = talk.message({user("good morning")});

  EXPECT_EQ(message["content"][0]["text"], "You said: good morning");
  EXPECT_EQ(message["stop_reason"], "end_turn");
  EXPECT_EQ(message["model"], "claude-test");
}

TEST(SimApi, StreamsATextInTheChunksOfItsStep) {
  std::vector<std::string> types, deltas;
  for (const json& event : Talk().events({user(R"(@@[{"text": "Grüße!", "chunks": 2}]@@)")})) {
    types.push_back(event["type"]);
    if (event["type"] == "content_block_delta") deltas.push_back(event["delta"]["text"]);
  }

  EXPECT_THAT(types, ElementsAre("message_start", "content_block_start", "content_block_delta",
                                 "content_block_delta", "content_block_stop", "message_delta",
                                 "message_stop"));
  EXPECT_THAT(deltas, ElementsAre("Grü", "ße!"));
}

TEST(SimApi, StreamsThinkingAndToolsAsTheRealApiDoes) {
  json deltas = json::array();
  json stop_reason;
  for (const json& event : Talk().events({user(R"(@@[{"blocks": [{"thinking": "hm"},
      {"tool": "Bash", "input": {"command": "ls"}}, {"mcp": {"server": "s", "tool": "t"}}]}]@@)")})) {
    if (event["type"] == "content_block_delta") deltas.push_back(event["delta"]["type"]);
    if (event["type"] == "message_delta") stop_reason = event["delta"]["stop_reason"];
  }

  EXPECT_EQ(deltas,
            json({"thinking_delta", "signature_delta", "input_json_delta", "input_json_delta"}));
  EXPECT_EQ(stop_reason, "tool_use");
}

TEST(SimApi, GoesOnWithTheNextStepAfterEachAnswer) {
  Talk talk;
  Messages messages{user(R"(go @@[{"tool": "Bash", "input": {}}, {"text": "done"}]@@)")};
  json tool = talk.message(messages)["content"][0];
  ASSERT_EQ(tool["name"], "Bash");

  messages.push_back(assistant(json::array({tool})));
  messages.push_back(user(json::array({{{"type", "tool_result"}, {"tool_use_id", tool["id"]}}})));
  EXPECT_EQ(talk.text(messages), "done");

  messages.push_back(assistant("done"));
  messages.push_back(user("Stop hook feedback:\nnot yet"));
  EXPECT_EQ(talk.text(messages), "ok") << "the script is played out";
}

TEST(SimApi, SeesThePromptBehindWhatTheCliAdds) {
  json reminder{{"type", "text"}, {"text", "<system-reminder>\nBe kind.\n</system-reminder>"}};
  json interrupted{{"type", "text"}, {"text", R"(old @@[{"text": "old"}]@@)"}};
  json note{{"type", "text"}, {"text", "[Request interrupted by user]"}};
  json prompt{{"type", "text"}, {"text", "new\n"}};

  EXPECT_EQ(Talk().text({user({reminder, interrupted, note, prompt})}), "You said: new");
}

TEST(SimApi, TakesTheTurnOfTheScenarioThatFitsThePromptAndUsesItUp) {
  Talk talk(R"({"turns": [{"when": {"prompt_contains": "b"}, "model": [{"text": "to b"}]},
                          {"model": [{"text": "to any"}]}]})");

  EXPECT_EQ(talk.text({user("a")}), "to any");
  EXPECT_EQ(talk.text({user("b")}), "to b");
  EXPECT_EQ(talk.text({user("b")}), "to b") << "the same request, tried again";
  EXPECT_EQ(talk.text({user("b"), assistant("to b"), user("b")}), "You said: b");
}

TEST(SimApi, GivesAnErrorAsOftenAsItsStepSays) {
  Talk talk;
  Messages messages{user(R"(@@[{"error": {"status": 529, "type": "overloaded_error", "times": 1}},
                           {"text": "after"}]@@)")};
  httplib::Result failed = talk.post(messages);

  EXPECT_EQ(failed->status, 529);
  EXPECT_EQ(json::parse(failed->body)["error"]["type"], "overloaded_error");
  EXPECT_EQ(talk.text(messages), "after");
}

TEST(SimApi, AnswersTheClisOwnRequestsWithoutPlayingTheScriptTheyQuote) {
  Talk talk(R"({"turns": [{"model": [{"text": "mine"}]}]})");

  EXPECT_THAT(talk.text({user(R"(<session>hi @@[{"text": "no"}]@@</session>)")}),
              HasSubstr("title"));
  EXPECT_EQ(talk.text({user("hi")}), "mine");
}

TEST(SimApi, SaysWhatIsWrongWithAScript) {
  httplib::Result refused = Talk().post({user("@@[{]@@")});

  EXPECT_EQ(refused->status, 403);
  EXPECT_THAT(refused->body, HasSubstr("parse error"));
}

TEST(SimApi, LogsWhatItWasAsked) {
  Talk talk;
  talk.text({user("remember this")});

  ASSERT_EQ(talk.api().requests().size(), 1u);
  json logged = json::parse(talk.api().requests()[0]);
  EXPECT_EQ(logged["path"], "/v1/messages");
  EXPECT_EQ(logged["body"]["messages"][0]["content"], "remember this");
}

TEST(SimApi, EndsWhenItsStdinClosesEvenInTheMiddleOfAnAnswer) {
  ChildProcess program({SIM_API_PROGRAM});
  std::string address = program.read_line().value_or("");
  ASSERT_TRUE(address.starts_with("listening 127.0.0.1:")) << address;

  httplib::Client http("http://" + address.substr(std::string("listening ").size()));
  Messages messages{user(R"(@@[{"text": "ab", "chunks": 2, "delay_ms": 600000}]@@)")};
  std::string received;
  httplib::Request request;
  request.method = "POST";
  request.path = "/v1/messages";
  request.body = json{{"stream", true}, {"messages", messages}}.dump();
  request.content_receiver = [&](const char* bytes, std::size_t count, auto, auto) {
    received.append(bytes, count);
    if (received.contains("content_block_delta")) program.close_stdin();
    return true;
  };
  EXPECT_FALSE(http.send(request)) << "the answer came whole: " << received;

  EXPECT_EQ(program.wait(), 0);
}

TEST(SimApi, RefusesAScenarioThatIsNoJson) {
  ChildProcess program({SIM_API_PROGRAM, "--scenario-json={"});

  EXPECT_EQ(program.wait(), 2);
  EXPECT_THAT(program.stderr_text(), HasSubstr("claude-sim-api: "));
}

TEST(SimApi, RefusesAScenarioAsTheSimulatorDoes) {
  ChildProcess api({SIM_API_PROGRAM, R"(--scenario-json={"turns":
    [{"model": [{"txt": "a"}]}]})"});
  EXPECT_EQ(api.wait(), 2);
  EXPECT_EQ(api.stderr_text(),
            "claude-sim-api: --scenario-json:2: turns[0].model[0]: unknown key 'txt'\n");
}

TEST(SimApi, PlaysASubagentByItsPrompt) {
  Talk talk(R"({"turns": [{"model": [{"tool": "Agent", "input": {"prompt": "Look."},
      "agent": [{"text": "I saw."}], "then": [{"text": "It came back."}]}]}]})");
  const json call = talk.message({user("send one")})["content"];

  EXPECT_EQ(talk.text({user("Look.")}), "I saw.");
  const std::string id = call[0]["id"];
  const std::string note =
      "<task-notification><tool-use-id>" + id + "</tool-use-id></task-notification>";
  EXPECT_EQ(talk.text({user("send one"), assistant(call), user(note)}), "It came back.");
}

TEST(SimApi, CountsTheScenariosUsageWhereAStepHasNone) {
  Talk talk(R"({"usage": {"input_tokens": 7}, "turns": [{"model": [{"text": "a"}]}]})");
  EXPECT_EQ(talk.message({user("go")})["usage"]["input_tokens"], 7);
}

}  // namespace
}  // namespace claude::test
