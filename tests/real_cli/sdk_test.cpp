// The library on the real CLI, where tests/contract cannot look: what the model was told.
//
// What the model does is a script inside the prompt (see docs/simulator.md).
#include <claude/claude.h>

#include <gmock/gmock.h>

#include "support/real_cli.h"

#include <string>
#include <vector>

namespace claude::test {
namespace {

using ::testing::HasSubstr;

class RealSession : public RealCliTest {
 protected:
  Options options() const {
    Options options{.cwd = project().string(), .cli_path = cli_path()};
    options.environment.mode = claude::Environment::Mode::exact;
    for (const auto& [name, value] : environment()) options.environment.set[name] = value;
    options.setting_sources = std::vector<std::string>{};
    return options;
  }

  static Session start(const Options& options) {
    auto session = Session::start(options);
    if (!session) ADD_FAILURE() << session.error().to_string();
    return session.value();
  }

  // Plays a turn to its end.
  static TurnResult play(Session& session, const std::string& prompt) {
    auto result = session.send(prompt).result();
    if (!result) ADD_FAILURE() << result.error().to_string();
    return result.value();
  }

  // Everything that the model was told so far.
  std::string told() const {
    std::string all;
    for (const std::string& request : api().requests()) all += request;
    return all;
  }
};

const std::string kTouch = R"({"tool":"Bash","input":{"command":"touch made"}})";

TEST_F(RealSession, AHookTellsTheModelWhyItDeniedAndMayAddContext) {
  Options with = options();
  with.hooks.pre_tool_use([](const PreToolUse&) -> Verdict<PreToolUse> {
    return Verdict<PreToolUse>(deny("no shell today")).with_context("the moon is full");
  });
  Session session = start(with);
  play(session, "go @@[" + kTouch + R"(,{"text":"ok"}]@@)");
  EXPECT_THAT(told(), HasSubstr("no shell today"));
  EXPECT_THAT(told(), HasSubstr("the moon is full"));
}

TEST_F(RealSession, ABlockedPromptNeverReachesTheModelAndABlockedStopTellsItWhy) {
  Options with = options();
  with.hooks
      .user_prompt_submit([](const UserPromptSubmit& submit) -> Verdict<UserPromptSubmit> {
        if (submit.prompt.find("secret") != submit.prompt.npos) return block("not that");
        return proceed();
      })
      .stop([&](const Stop& stop) -> Verdict<Stop> {
        if (stop.stop_hook_active) return proceed();
        return block("say more");
      });
  Session session = start(with);
  play(session, R"(the secret @@[{"text":"a"}]@@)");
  EXPECT_TRUE(api().requests().empty());
  play(session, R"(go @@[{"text":"one"},{"text":"two"}]@@)");
  EXPECT_THAT(told(), HasSubstr("say more"));
}

TEST_F(RealSession, AnAllowedRuleCoversACommandOfTheSameKind) {
  Options with = options();
  int asked = 0;
  with.can_use_tool = [&](const ToolRequest&) -> Permission {
    ++asked;
    return Permission(allow()).with_permissions({PermissionUpdate::allow_rule("Bash", "touch *")});
  };
  Session session = start(with);
  play(session, R"(go @@[{"tool":"Bash","input":{"command":"touch a"}},
                         {"tool":"Bash","input":{"command":"touch b"}},{"text":"done"}]@@)");
  EXPECT_TRUE(exists(project() / "a"));
  EXPECT_TRUE(exists(project() / "b"));
  EXPECT_EQ(asked, 1);
}

TEST_F(RealSession, AResumedConversationIsToldToTheModelAgain) {
  std::string id;
  {
    Session session = start(options());
    id = session.id();
    play(session, R"(remember the word kumquat @@[{"text":"I will."}]@@)");
  }
  Options with = options();
  with.resume = id;
  Session session = start(with);
  play(session, R"(which word? @@[{"text":"kumquat"}]@@)");
  EXPECT_THAT(api().requests().back(), HasSubstr("remember the word kumquat"));
}

// They are in a private file, not on the command line: docs/security.md.
TEST_F(RealSession, ServersAndSettingsOfTheOptionsReachTheCli) {
  Options with = options();
  with.mcp_servers.add_external("remote",
                                Json::object({{"type", "http"}, {"url", "http://127.0.0.1:1"}}));
  with.settings = R"json({"permissions": {"allow": ["Bash(touch *)"]}})json";
  Session session = start(with);
  Result<McpStatus> status = session.mcp_status().get();
  ASSERT_TRUE(status) << status.error().to_string();
  ASSERT_EQ(status->servers.size(), 1U);
  EXPECT_EQ(status->servers[0].name, "remote");
  play(session, "go @@[" + kTouch + R"(,{"text":"ok"}]@@)");
  EXPECT_TRUE(exists(project() / "made"));
}

}  // namespace
}  // namespace claude::test
