// Sessions on claude-sim for the tests of this folder.
#include "session/fixture.h"

namespace claude::test {

SimTest::SimTest() {
  options.cli_path = CLAUDE_SIM;
  options.cwd = project.path();
  options.environment.set["CLAUDE_CONFIG_DIR"] = home.path() / ".claude";
  options.observer = wire;
  options.log = log.handler();
}

void SimTest::play(const std::string& scenario) {
  options.environment.set["CLAUDE_SIM_SCENARIO_JSON"] = scenario;
}

void SimTest::play_turn(const std::string& steps) {
  play(R"({"turns": [{"model": )" + steps + "}]}");
}

Session SimTest::start() {
  return Session::start(options).value();
}

Error SimTest::start_error() {
  Result<Session> session = Session::start(options);
  EXPECT_FALSE(session) << "this start must fail";
  return session ? Error{} : session.error();
}

std::string Seen::said() const {
  std::string text;
  for (const AssistantMessage& message : all<AssistantMessage>()) text += message.text();
  return text;
}

std::vector<std::string> Seen::tool_results() const {
  std::vector<std::string> texts;
  for (const UserMessage& message : all<UserMessage>()) {
    for (const ContentBlock& block : message.message.content.blocks) {
      auto* tool = std::get_if<ToolResultBlock>(&block);
      if (tool && tool->content) texts.push_back(tool->content->text());
    }
  }
  return texts;
}

Seen watch(Turn turn) {
  std::vector<Message> messages;
  for (const Message& message : turn) messages.push_back(message);
  return {std::move(messages), turn.result()};
}

std::string said(Turn turn) {
  Result<TurnResult> result = turn.result();
  if (!result) return "error: " + result.error().to_string();
  return std::string(result->message.result.value_or("(no text)"));
}

std::string all_said(Query& query) {
  std::string text;
  for (const Message& message : query) {
    if (auto* assistant = std::get_if<AssistantMessage>(&message)) text += assistant->text();
  }
  return text;
}

}  // namespace claude::test
