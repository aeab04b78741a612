// The fixture, and the list of peers.
#include "contract/contract.h"

#include "support/real_cli.h"

namespace claude::test {

std::string Played::said() const {
  std::string text;
  for (const Message& message : messages) {
    if (auto* answer = std::get_if<AssistantMessage>(&message)) text += answer->text();
  }
  return text;
}

std::string Played::streamed() const {
  std::string text;
  for (const Message& message : messages) {
    if (auto* event = std::get_if<StreamEvent>(&message)) text += event->text();
  }
  return text;
}

std::vector<std::string> Played::tool_results() const {
  std::vector<std::string> texts;
  for (const Message& message : messages) {
    auto* user = std::get_if<UserMessage>(&message);
    if (user == nullptr) continue;
    for (const ContentBlock& block : user->message.content.blocks) {
      auto* tool = std::get_if<ToolResultBlock>(&block);
      if (tool && tool->content) texts.push_back(tool->content->text());
    }
  }
  return texts;
}

Contract::Contract() {
  options.cwd = project.path();
  options.environment.mode = claude::Environment::Mode::clean;
  options.environment.pass = {};
  for (const auto& [name, value] : cli_environment(home_.path())) {
    options.environment.set[name] = value;
  }
  options.setting_sources = std::vector<std::string>{};
}

void Contract::SetUp() {
  peer_ = GetParam().make();
  if (peer_) return;
  const char* ci = std::getenv("CI");
  if (ci && std::string_view(ci) == "true") FAIL() << kRealCliAdvice;
  GTEST_SKIP() << kRealCliAdvice;
}

Result<Session> Contract::try_to_play(const std::string& scenario) {
  set_scenario(scenario);
  return Session::start(options);
}

Session Contract::play(const std::string& scenario) {
  Result<Session> session = try_to_play(scenario);
  if (!session) ADD_FAILURE() << session.error().to_string();
  return session.value();
}

Played Contract::run(Session& session, Prompt prompt) {
  Turn turn = session.send(std::move(prompt));
  std::vector<Message> messages;
  for (const Message& message : turn) messages.push_back(message);
  Result<TurnResult> result = turn.result();
  if (!result) ADD_FAILURE() << result.error().to_string();
  return {std::move(messages), result.value()};
}

INSTANTIATE_TEST_SUITE_P(, Contract,
                         testing::Values(PeerKind{"InMemory", peer_in_memory},
                                         PeerKind{"OverPipes", peer_over_pipes},
                                         PeerKind{"RealCli", peer_real_cli}),
                         [](const auto& peer) { return std::string(peer.param.name); });

}  // namespace claude::test
