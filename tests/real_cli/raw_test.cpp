// The real CLI on bare pipes, without the library: proves that the scripted model below it and
// the support around it work, so that a red test of the library is about the library.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/real_cli.h"

namespace claude::test {
namespace {

using json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RawCli : public RealCliTest {
 protected:
  void start(const std::vector<std::string>& more = {}) {
    std::vector<std::string> argv{cli_path(), "--input-format=stream-json",
                                  "--output-format=stream-json", "--verbose",
                                  "--permission-prompt-tool=stdio"};
    argv.insert(argv.end(), more.begin(), more.end());
    cli_ = std::make_unique<ChildProcess>(argv, environment(), project());
  }

  // A CLI that is killed leaves its socket behind in /tmp, so it is asked to end.
  void TearDown() override {
    if (!cli_) return;
    cli_->close_stdin();
    EXPECT_TRUE(cli_->wait()) << "the CLI did not end with its stdin";
  }

  void send(const json& line) { ASSERT_TRUE(cli_->write_line(line.dump())) << line; }

  void prompt(const std::string& text) {
    send({{"type", "user"}, {"message", {{"role", "user"}, {"content", text}}}});
  }

  // The next line of this type; lines before it go to `seen`. Null when the CLI falls silent.
  json next(const std::string& type) {
    while (std::optional<std::string> line = cli_->read_line()) {
      json message = json::parse(*line);
      if (message["type"] == type) return message;
      seen.push_back(std::move(message));
    }
    ADD_FAILURE() << "no " << type << " came; stderr: " << cli_->stderr_text();
    return nullptr;
  }

  ChildProcess& cli() { return *cli_; }

  std::vector<json> seen;

 private:
  std::unique_ptr<ChildProcess> cli_;
};

TEST_F(RawCli, AnswersInitializeAndEndsWithItsStdin) {
  start();
  send({{"type", "control_request"},
        {"request_id", "req_1"},
        {"request", {{"subtype", "initialize"}}}});
  json response = next("control_response")["response"];

  EXPECT_EQ(response["subtype"], "success");
  EXPECT_EQ(response["request_id"], "req_1");
  EXPECT_EQ(response["response"]["claude_code_version"], "2.1.325");
  cli().close_stdin();
  EXPECT_EQ(cli().wait(), 0);
  EXPECT_EQ(cli().stderr_text(), "");
}

TEST_F(RawCli, PlaysATurnOfAScenario) {
  use_scenario(R"({"turns": [{"when": {"prompt_contains": "hello"},
                              "model": [{"thinking": "A greeting.", "text": "Hi there."}]}]})");
  start();
  prompt("hello");
  json result = next("result");

  EXPECT_EQ(result["subtype"], "success");
  EXPECT_EQ(result["result"], "Hi there.");
  std::vector<std::string> blocks;
  for (const json& message : seen) {
    if (message["type"] == "assistant") blocks.push_back(message["message"]["content"][0]["type"]);
  }
  EXPECT_THAT(blocks, ElementsAre("thinking", "text"));
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen[0]["subtype"], "init");
  EXPECT_EQ(seen[0]["cwd"], project().string());
}

TEST_F(RawCli, RunsAToolWhosePermissionIsAllowedAndTellsTheModel) {
  start();
  prompt(R"(go @@[{"tool": "Bash", "input": {"command": "touch made && echo made-it"}},
                  {"text": "end."}]@@)");
  json ask = next("control_request");
  ASSERT_EQ(ask["request"]["subtype"], "can_use_tool");
  EXPECT_EQ(project_files().read("made"), "");
  json allow{{"behavior", "allow"}, {"updatedInput", ask["request"]["input"]}};
  send({{"type", "control_response"},
        {"response",
         {{"subtype", "success"}, {"request_id", ask["request_id"]}, {"response", allow}}}});

  EXPECT_EQ(next("result")["result"], "end.");
  EXPECT_TRUE(exists(project() / "made"));
  ASSERT_EQ(api().requests().size(), 2u);
  EXPECT_THAT(api().requests()[1], HasSubstr("made-it"));
}

TEST_F(RawCli, StreamsATextInTheChunksOfItsScript) {
  start({"--include-partial-messages"});
  prompt(R"(go @@[{"text": "one two three ", "chunks": 2, "delay_ms": 1}]@@)");
  EXPECT_EQ(next("result")["result"], "one two three ");

  std::vector<std::string> deltas;
  for (const json& message : seen) {
    if (message["type"] != "stream_event") continue;
    const json& event = message["event"];
    if (event["type"] == "content_block_delta") deltas.push_back(event["delta"]["text"]);
  }
  EXPECT_THAT(deltas, ElementsAre("one two", " three "));
}

}  // namespace
}  // namespace claude::test
