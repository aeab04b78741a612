// Secrets stay out of what people get to read: errors, the log, printed commands. docs/security.md.
#include <stdexcept>

#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Secrets : public SimTest {
 protected:
  Secrets() {
    options.environment.set["ANTHROPIC_API_KEY"] = "sk-ant-0123456789";
    options.environment.set["DEPLOY_PASSWORD"] = "open-sesame";
    Json headers = Json::object({{"Authorization", "Bearer tok-0123456789"}});
    options.mcp_servers.add_external("remote", Json::object({{"type", "http"},
                                                             {"url", "http://127.0.0.1:1"},
                                                             {"headers", std::move(headers)}}));
    Json variables = Json::object({{"DATABASE_PASSWORD", "swordfish"}});
    options.mcp_servers.add_external(
        "local", Json::object({{"command", "true"}, {"env", std::move(variables)}}));
  }

  static void expect_none_in(const std::string& text) {
    for (const char* secret : {"sk-ant-0123456789", "open-sesame", "tok-0123456789", "swordfish"})
      EXPECT_THAT(text, Not(HasSubstr(secret)));
  }
  std::string logged() const {
    std::string all;
    for (LogLevel level : {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error}) {
      for (const std::string& text : log.at(level)) all += text + "\n";
    }
    return all;
  }
};

TEST_F(Secrets, AreNotInTheErrorOfAStartThatFailed) {
  play(R"({"startup": [{"stderr": "no\n"}, {"exit": 3}]})");
  const Error error = start_error();
  EXPECT_THAT(error.to_string(), HasSubstr("3"));
  expect_none_in(error.to_string());
  expect_none_in(logged());

  options.cli_path = "/no/such/program";
  expect_none_in(start_error().to_string());
}

TEST_F(Secrets, AreNotInTheErrorOfACliThatDiedNorInTheLog) {
  play(R"({"turns": [{"model": [{"emit_text": "no JSON, DEPLOY_PASSWORD=open-sesame\n"},
                                {"exit": 3}]}]})");
  options.hooks.user_prompt_submit(
      [](const UserPromptSubmit&) -> Verdict<UserPromptSubmit> { throw std::runtime_error("no"); });
  Session session = start();
  Result<TurnResult> died = session.send("go").result();
  ASSERT_FALSE(died);
  expect_none_in(died.error().to_string());
  EXPECT_FALSE(logged().empty());
  expect_none_in(logged());
}

TEST_F(Secrets, AreNotInThePrintedCommand) {
  const Result<Command> command = resolve(options);
  ASSERT_TRUE(command);
  EXPECT_THAT(command->to_string(), HasSubstr("remote"));
  expect_none_in(command->to_string());
}

}  // namespace
}  // namespace claude::test
