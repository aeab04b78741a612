// The library on the real CLI: what the README promises, shown where it counts.
//
// Each start of the CLI takes half a second or more, so a session is shared between the checks of
// one story. What the model does is a script inside the prompt (see docs/simulator.md).
#include <claude/claude.h>

#include <gmock/gmock.h>

#include "support/real_cli.h"

#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace claude::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

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

  bool exists(const std::string& name) const { return std::filesystem::exists(project() / name); }
  // Everything that the model was told so far.
  std::string told() const {
    std::string all;
    for (const std::string& request : api().requests()) all += request;
    return all;
  }
};

const std::string kTouch = R"({"tool":"Bash","input":{"command":"touch made"}})";

// S183 S58
TEST_F(RealSession, StartsTalksAndCloses) {
  Options with = options();
  with.partial_messages = true;
  Session session = start(with);
  EXPECT_EQ(session.state(), SessionState::running);
  EXPECT_EQ(session.server_info().claude_code_version.value_or(""), "2.1.325");
  EXPECT_FALSE(session.server_info().capabilities.empty());

  std::string streamed;
  std::string said;
  Turn turn = session.send(R"(hello @@[{"text":"Hi there.","chunks":3}]@@)");
  for (const Message& message : turn) {
    if (auto* event = std::get_if<StreamEvent>(&message)) streamed += event->text();
    if (auto* answer = std::get_if<AssistantMessage>(&message)) said += answer->text();
    EXPECT_EQ(message.session_id(), session.id());
  }
  EXPECT_EQ(streamed, "Hi there.");
  EXPECT_EQ(said, "Hi there.");
  TurnResult result = turn.result().value();
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.message.user_message_uuid.value_or(""), turn.uuid());
  EXPECT_GT(result.cost_usd.value_or(0), 0);
  EXPECT_EQ(session.close(), EndStage::input_closed);
}

// S185 S98
TEST_F(RealSession, AHookThatDeniesStopsTheToolAndTellsTheModel) {
  Options with = options();
  with.hooks.pre_tool_use("Bash", [](const PreToolUse& call) {
    EXPECT_EQ(call.tool_input["command"].text(), "touch made");
    return deny("no shell today");
  });
  Session session = start(with);
  TurnResult result = play(session, "go @@[" + kTouch + R"(,{"text":"ok"}]@@)");
  EXPECT_FALSE(exists("made"));
  ASSERT_EQ(result.message.permission_denials.size(), 1U);
  EXPECT_THAT(told(), HasSubstr("no shell today"));
}

TEST_F(RealSession, AHookMayChangeTheInputAndAddContext) {
  Options with = options();
  with.permission_mode = PermissionMode::accept_edits;
  with.hooks.pre_tool_use([](const PreToolUse&) -> Verdict<PreToolUse> {
    return Verdict<PreToolUse>(modify_input(Json::object({{"command", "touch other"}})))
        .with_context("the shell was changed");
  });
  Session session = start(with);
  play(session, "go @@[" + kTouch + R"(,{"text":"ok"}]@@)");
  EXPECT_FALSE(exists("made"));
  EXPECT_TRUE(exists("other"));
  EXPECT_THAT(told(), HasSubstr("the shell was changed"));
}

// A PreToolUse answer of continue:false alone would let the tool run first.
TEST_F(RealSession, StoppingTheRunAlsoStopsTheTool) {
  Options with = options();
  with.permission_mode = PermissionMode::accept_edits;
  with.hooks.pre_tool_use([](const PreToolUse&) { return stop_run("enough"); });
  Session session = start(with);
  TurnResult result = play(session, "go @@[" + kTouch + R"(,{"text":"never said"}]@@)");
  EXPECT_FALSE(exists("made"));
  EXPECT_THAT(std::string(result.message.result.value_or("")), Not(HasSubstr("never said")));
}

TEST_F(RealSession, ABlockedPromptNeverReachesTheModelAndABlockedStopGoesOn) {
  Options with = options();
  int stops = 0;
  with.hooks
      .user_prompt_submit([](const UserPromptSubmit& submit) -> Verdict<UserPromptSubmit> {
        if (submit.prompt.find("secret") != submit.prompt.npos) return block("not that");
        return proceed();
      })
      .stop([&](const Stop& stop) -> Verdict<Stop> {
        ++stops;
        if (stop.stop_hook_active) return proceed();
        return block("say more");
      });
  Session session = start(with);
  TurnResult blocked = play(session, R"(the secret @@[{"text":"a"}]@@)");
  EXPECT_THAT(std::string(blocked.message.result.value_or("")), HasSubstr("not that"));
  EXPECT_TRUE(api().requests().empty());
  play(session, R"(go @@[{"text":"one"},{"text":"two"}]@@)");
  EXPECT_EQ(stops, 2);
  EXPECT_THAT(told(), HasSubstr("say more"));
}

// S121 S122
TEST_F(RealSession, PermissionsAreAllowedDeniedAndModified) {
  Options with = options();
  std::vector<std::string> asked;
  with.can_use_tool = [&](const ToolRequest& ask) -> Permission {
    std::string command(ask.input["command"].text());
    asked.push_back(command);
    if (command == "touch denied") return deny("not this one");
    if (command == "touch changed") {
      return allow().with_input(Json::object({{"command", "touch instead"}}));
    }
    return allow();
  };
  Session session = start(with);
  TurnResult result = play(session, R"(go @@[
      {"tool":"Bash","input":{"command":"touch allowed"}},
      {"tool":"Bash","input":{"command":"touch denied"}},
      {"tool":"Bash","input":{"command":"touch changed"}},{"text":"done"}]@@)");
  EXPECT_TRUE(exists("allowed"));
  EXPECT_FALSE(exists("denied"));
  EXPECT_FALSE(exists("changed"));
  EXPECT_TRUE(exists("instead"));
  EXPECT_EQ(asked.size(), 3U);
  EXPECT_THAT(told(), HasSubstr("not this one"));
  EXPECT_EQ(result.message.permission_denials.size(), 1U);
}

TEST_F(RealSession, AnAnswerMayAllowForGoodSoThatNobodyIsAskedAgain) {
  Options with = options();
  int asked = 0;
  with.can_use_tool = [&](const ToolRequest&) -> Permission {
    ++asked;
    return Permission(allow()).with_permissions({PermissionUpdate::allow_rule("Bash", "touch *")});
  };
  Session session = start(with);
  play(session, R"(go @@[{"tool":"Bash","input":{"command":"touch a"}},
                         {"tool":"Bash","input":{"command":"touch b"}},{"text":"done"}]@@)");
  EXPECT_TRUE(exists("a"));
  EXPECT_TRUE(exists("b"));
  EXPECT_EQ(asked, 1);
}

// S131
TEST_F(RealSession, WithoutACallbackTheCliDeniesByItself) {
  Session session = start(options());
  TurnResult result = play(session, "go @@[" + kTouch + R"(,{"text":"ok"}]@@)");
  EXPECT_FALSE(exists("made"));
  EXPECT_EQ(result.message.permission_denials.size(), 1U);
}

// S127 S128
TEST_F(RealSession, AQuestionIsAnsweredByOptionAndInOwnWords) {
  Options with = options();
  with.on_question = [](const Questions& questions) {
    EXPECT_EQ(questions.size(), 2U);
    EXPECT_EQ(questions[0].options[1].label, "Blue");
    return Answers().choose(0, 1).say(1, "as large as it gets");
  };
  Session session = start(with);
  play(session, R"(go @@[{"tool":"AskUserQuestion","input":{"questions":[
      {"question":"Which color?","header":"Color","multiSelect":false,
       "options":[{"label":"Red","description":"warm"},{"label":"Blue","description":"cold"}]},
      {"question":"Which size?","header":"Size","multiSelect":false,
       "options":[{"label":"S","description":"small"},{"label":"L","description":"large"}]}]}},
      {"text":"done"}]@@)");
  EXPECT_THAT(told(), HasSubstr("Blue"));
  EXPECT_THAT(told(), HasSubstr("as large as it gets"));
}

// S133 S137
TEST_F(RealSession, AHandlerInThisProcessServesTheModel) {
  Options with = options();
  with.permission_mode = PermissionMode::bypass_permissions;
  with.allow_bypass_permissions = true;
  with.mcp_servers.add("calc", [](const Json& message) {
    Json reply = Json::object({{"jsonrpc", "2.0"}, {"id", message["id"]}});
    std::string_view method = message["method"].text();
    if (method == "initialize") {
      return reply.set(
          "result",
          Json::object({{"protocolVersion", "2025-06-18"},
                        {"capabilities", Json::object({{"tools", Json::object()}})},
                        {"serverInfo", Json::object({{"name", "calc"}, {"version", "1"}})}}));
    }
    if (method == "tools/list") {
      Json tool =
          Json::object({{"name", "add"}, {"inputSchema", Json::object({{"type", "object"}})}});
      return reply.set("result", Json::object({{"tools", Json::array({std::move(tool)})}}));
    }
    if (method == "tools/call") {
      const Json& numbers = message["params"]["arguments"];
      std::string sum = std::to_string(numbers["a"].integer() + numbers["b"].integer());
      Json text = Json::object({{"type", "text"}, {"text", "the sum is " + sum}});
      return reply.set("result", Json::object({{"content", Json::array({std::move(text)})}}));
    }
    return reply.set("result", Json::object());
  });
  Session session = start(with);
  play(session, R"(go @@[{"tool":"mcp__calc__add","input":{"a":2,"b":3}},{"text":"done"}]@@)");
  EXPECT_THAT(told(), HasSubstr("the sum is 5"));
  auto status = session.mcp_status().get();
  ASSERT_TRUE(status);
  ASSERT_EQ(status->servers.size(), 1U);
  EXPECT_EQ(status->servers[0].name, "calc");
  EXPECT_EQ(status->servers[0].status, "connected");
}

// S139
TEST_F(RealSession, AnInterruptInMidStreamEndsTheTurnAndTheNextOneWorks) {
  Options with = options();
  with.partial_messages = true;
  Session session = start(with);
  Turn turn = session.send(R"(go @@[{"text":"a b","chunks":2,"delay_ms":600000}]@@)");
  for (const Message& message : turn) {
    auto* event = std::get_if<StreamEvent>(&message);
    if (event == nullptr || event->text().empty()) continue;
    auto receipt = session.interrupt().get();
    EXPECT_TRUE(receipt) << receipt.error().to_string();
  }
  EXPECT_TRUE(turn.result().value().interrupted());
  EXPECT_TRUE(play(session, R"(again @@[{"text":"Here."}]@@)").ok());
}

// F15
TEST_F(RealSession, AnInterruptWithdrawsAnOpenPermission) {
  Options with = options();
  std::promise<void> open;
  std::promise<void> withdrawn;
  std::mutex mutex;
  std::vector<Reply<Permission>> never_called;
  with.can_use_tool_later = [&](ToolRequest ask, Reply<Permission> reply) {
    ask.cancel.on_request([&] { withdrawn.set_value(); });
    std::lock_guard lock(mutex);
    never_called.push_back(std::move(reply));
    open.set_value();
  };
  Session session = start(with);
  Turn turn = session.send("go @@[" + kTouch + R"(,{"text":"ok"}]@@)");
  open.get_future().wait();
  EXPECT_TRUE(session.interrupt().get());
  withdrawn.get_future().wait();
  EXPECT_TRUE(turn.result().value().interrupted());
  EXPECT_FALSE(exists("made"));
  EXPECT_TRUE(play(session, R"(again @@[{"text":"Here."}]@@)").ok());
}

// S141 S142 S147
TEST_F(RealSession, OperationsDoWhatTheySay) {
  Options with = options();
  with.file_checkpointing = true;
  with.environment.set["CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING"] = "true";
  with.permission_mode = PermissionMode::accept_edits;
  Session session = start(with);
  Turn turn = session.send(R"(go @@[{"tool":"Write","input":{"file_path":")" +
                           (project() / "answer.txt").string() +
                           R"(","content":"42\n"}},{"text":"written"}]@@)");
  ASSERT_TRUE(turn.result().value().ok());
  ASSERT_TRUE(exists("answer.txt"));

  auto model = session.set_model("haiku").get();
  ASSERT_TRUE(model) << model.error().to_string();
  EXPECT_THAT(std::string(model->model.value_or("")), HasSubstr("haiku"));
  EXPECT_TRUE(session.reset_model().get());

  auto mode = session.set_permission_mode(PermissionMode::plan).get();
  ASSERT_TRUE(mode) << mode.error().to_string();
  EXPECT_EQ(mode->mode.value_or(""), "plan");
  auto refused = session.set_permission_mode(PermissionMode::bypass_permissions).get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error_code, "bypass_not_launched");

  auto preview = session.rewind_files(turn.uuid(), true).get();
  ASSERT_TRUE(preview) << preview.error().to_string();
  EXPECT_EQ(preview->files_changed.size(), 1U);
  EXPECT_TRUE(exists("answer.txt"));
  auto rewound = session.rewind_files(turn.uuid()).get();
  ASSERT_TRUE(rewound) << rewound.error().to_string();
  EXPECT_TRUE(rewound->can_rewind);
  EXPECT_FALSE(exists("answer.txt"));

  EXPECT_TRUE(session.call("get_session_cost").get());
  auto unknown = session.call("no_such_operation").get();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::cli_error);
}

// S59
TEST_F(RealSession, PromptsSentAtOnceEachGetTheirOwnResult) {
  Session session = start(options());
  Turn first = session.send(R"(A @@[{"text":"answer A"}]@@)");
  Turn second = session.send(R"(B @@[{"text":"answer B"}]@@)");
  EXPECT_EQ(second.result().value().message.result.value_or(""), "answer B");
  EXPECT_EQ(first.result().value().message.result.value_or(""), "answer A");
}

TEST_F(RealSession, AResumedConversationIsTheSameAndAnUnknownOneIsAClearError) {
  std::string id;
  {
    Session session = start(options());
    id = session.id();
    play(session, R"(remember the word kumquat @@[{"text":"I will."}]@@)");
  }
  Options with = options();
  with.resume = id;
  {
    Session session = start(with);
    EXPECT_EQ(session.id(), id);
    play(session, R"(which word? @@[{"text":"kumquat"}]@@)");
    EXPECT_THAT(api().requests().back(), HasSubstr("remember the word kumquat"));
  }
  with.resume = "00000000-0000-4000-8000-000000000000";
  auto failed = Session::start(with);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().to_string(), HasSubstr("No conversation found"));
}

// S154
TEST_F(RealSession, AFlagThatTheCliDoesNotKnowIsExplained) {
  Options with = options();
  with.extra_args = {{"no-such-flag", std::nullopt}};
  auto failed = Session::start(with);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Errc::unsupported_version);
  EXPECT_THAT(failed.error().to_string(), HasSubstr("unknown option"));
}

TEST_F(RealSession, AQueryHonoursHooksAndEnds) {
  Options with = options();
  with.hooks.pre_tool_use("Bash", [](const PreToolUse&) { return deny("no shell today"); });
  std::string said;
  Query asked = query("go @@[" + kTouch + R"(,{"text":"I could not."}]@@)", with);
  for (const Message& message : asked) {
    if (auto* answer = std::get_if<AssistantMessage>(&message)) said += answer->text();
  }
  ASSERT_TRUE(asked.result()) << asked.result().error().to_string();
  EXPECT_EQ(said, "I could not.");
  EXPECT_FALSE(exists("made"));
}

}  // namespace
}  // namespace claude::test
