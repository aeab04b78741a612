// What people get to read of a command: all of it but the secrets.
#include <claude/options.h>
#include <gmock/gmock.h>

#include "launch/mask.h"
#include "launch/surroundings.h"

namespace claude::launch {
namespace {

using testing::HasSubstr;
using testing::Not;

Command plain_command() {
  Command command;
  command.program = "/usr/bin/claude";
  command.environment = real_surroundings().environment;
  return command;
}

TEST(PrintedCommand, ReadsAsAPersonWouldTypeIt) {
  Command command = plain_command();
  command.arguments = {"--verbose", "--model=it's me", "--tools="};
  command.cwd = "/my work";
  command.environment["CLAUDE_TEST_ADDED"] = "1 2";
  command.initialize = R"({"type":"control_request"})";
  EXPECT_EQ(command.to_string(),
            "cd '/my work' &&\n"
            "env 'CLAUDE_TEST_ADDED=1 2' \\\n"
            "  /usr/bin/claude \\\n"
            "  --verbose \\\n"
            "  '--model=it'\\''s me' \\\n"
            "  --tools=\n"
            "# then, on stdin: {\"type\":\"control_request\"}\n");
}

TEST(PrintedCommand, ShowsOfTheEnvironmentWhatIsNewAndWhatIsGone) {
  Command command = plain_command();
  EXPECT_EQ(command.to_string(), "/usr/bin/claude\n");
  ASSERT_TRUE(command.environment.contains("PATH"));
  command.environment.erase("PATH");
  EXPECT_EQ(command.to_string(), "env -u PATH \\\n  /usr/bin/claude\n");
  command.environment = {{"A", "1"}};
  EXPECT_EQ(command.to_string(), "env -i A=1 \\\n  /usr/bin/claude\n");
}

// Every place where a secret can stand. The word S3CR3T is in each.
TEST(PrintedCommand, NoSecretLeaks) {
  Options options;
  options.system_prompt = SystemPrompt::text("The key is sk-ant-S3CR3T.");
  options.initialize_fields = Json::object({{"accessToken", "S3CR3T"}});
  options.mcp_servers.add_external(
      "a", Json::object({{"command", "server"},
                         {"args", Json::array({"--api-key", "S3CR3T", "--token=S3CR3T"})},
                         {"env", Json::object({{"GITHUB_TOKEN", "S3CR3T"}})}}));
  options.mcp_servers.add_external(
      "b", Json::object({{"type", "http"},
                         {"url", "https://ada:S3CR3T@host/x?api_key=S3CR3T"},
                         {"headers", Json::object({{"X-Custom", "S3CR3T"}})}}));
  options.settings = R"({"env":{"ANTHROPIC_API_KEY":"S3CR3T"},"apiKeyHelper":"echo sk-S3CR3T"})";
  options.extra_args = {{"client-secret", "S3CR3T with blanks"},
                        {"x", "Authorization: Bearer S3CR3T"},
                        {"y", R"(run {"password": "S3CR3T"})"},
                        {"z", "Bearer S3CR3T"}};
  options.environment.set = {{"ANTHROPIC_API_KEY", "S3CR3T"},
                             {"DB_PASSWORD", "S3CR3T"},
                             {"ANTHROPIC_CUSTOM_HEADERS", "X-Thing: S3CR3T"},
                             {"DATABASE_URL", "postgres://ada:S3CR3T@db/x"},
                             {"NOTE", "sk-ant-S3CR3T"}};
  options.cli_path = "/bin/sh";
  const auto command = resolve(options);
  ASSERT_TRUE(command) << command.error().to_string();
  const std::string text = command->to_string();
  EXPECT_THAT(text, Not(HasSubstr("S3CR3T")));
  EXPECT_THAT(text, HasSubstr("ANTHROPIC_API_KEY=***"));
  EXPECT_THAT(text, HasSubstr("--client-secret=***"));
  EXPECT_THAT(text, HasSubstr("sk-***"));
  EXPECT_THAT(text, HasSubstr("https://***@host/x"));
  EXPECT_THAT(command->environment.at("DB_PASSWORD"), "S3CR3T") << "the value itself is kept";
}

TEST(Mask, KnowsSecretsByTheirNames) {
  for (const char* name : {"API_KEY", "apiKey", "x-api-key", "AUTH_TOKEN", "accessToken", "Cookie",
                           "DB_PASSWORD", "client_secret", "Authorization", "APIKEY"}) {
    EXPECT_TRUE(is_secret_name(name)) << name;
  }
  for (const char* name : {"PATH", "PWD", "MAX_THINKING_TOKENS", "--max-thinking-tokens",
                           "keyboard", "author", "", "hookCallbackIds"}) {
    EXPECT_FALSE(is_secret_name(name)) << name;
  }
}

TEST(Mask, HidesInJsonWhatStandsBelowASecretNameHoweverDeepAndEscaped) {
  EXPECT_EQ(masked(R"({"headers":{"X":["a",{"b":"c"},7]},"t\u006fken":"a\"b","c":{"d":"e"}})"),
            R"({"headers":{"X":["***",{"b":"***"},"***"]},"token":"***","c":{"d":"e"}})");
  EXPECT_EQ(masked(R"(["--token","a","b","--key",{"c":"d"},"e","--x=sk-f"])"),
            R"(["--token","***","b","--key",{"c":"***"},"e","--x=sk-***"])");
  EXPECT_EQ(masked(R"({"text":"{\"token\":\"a\",\"b\":\"c\"}"})"),
            R"({"text":"{\"token\":\"***\",\"b\":\"c\"}"})");
  EXPECT_EQ(masked("\n "
                   R"({"headers":{"X":"a"}})"),
            R"({"headers":{"X":"***"}})");
}

TEST(Mask, HidesInAWordThatLooksLikeAFlagWhatStandsBeforeTheEqualsSign) {
  EXPECT_EQ(masked(R"(["-- see https://ada:b@host/x?y=1","-- use sk-ant-c and d=e"])"),
            R"(["-- see https://***@host/x?y=1","-- use sk-*** and d=e"])");
}

TEST(Mask, HidesInATextAValueUpToTheQuoteThatEndsIt) {
  EXPECT_EQ(masked(R"(read {"password":"a\"b\\","c":"d"})"), R"(read {"password":"***","c":"d"})");
}

TEST(Mask, LeavesTheRestOfJsonAsItIsWritten) {
  for (const char* text : {R"({"a":1.50,"a":1e300,"b":[[],{}],"é\n":"\\"})",
                           R"([12345678901234567890123,-0,true,null,""])",
                           R"({"a":"{\"b\": [1, 2],\n \"c\\/\": 1}"})"}) {
    EXPECT_EQ(masked(text), text);
  }
}

TEST(Mask, MendsInALineTheEscapeOfACutEmoji) {
  EXPECT_EQ(masked(R"({"a": "\ud83d"})"), "{\"a\":\"\ufffd\"}");
}

TEST(Mask, LeavesPlainTextAlone) {
  for (const char* text : {"", "hello", "a=b", "http://127.0.0.1:80/x@y", "task-1", "[1,2]",
                           R"({"a":[true,null,1.5,"x"]})", "{broken", "10:30"}) {
    EXPECT_EQ(masked(text), text);
  }
}

}  // namespace
}  // namespace claude::launch
