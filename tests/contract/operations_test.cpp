// Operations, in-process MCP servers and endings, on every peer.
#include "contract/contract.h"

#include <future>
#include <stdexcept>

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A text whose second half does not come before somebody interrupts; then another turn.
constexpr const char* kPauses = R"({"turns": [
    {"model": [{"text": "a b", "chunks": 2, "delay_ms": 600000}]},
    {"model": [{"text": "Here."}]}]})";

// Until the model has begun to speak.
void await_text(Turn& turn) {
  while (std::optional<Message> message = turn.next()) {
    auto* event = std::get_if<StreamEvent>(&*message);
    if (event && !event->text().empty()) return;
  }
  FAIL() << "the turn ended before it was interrupted";
}

Json calculator(const Json& message) {
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
    if (!numbers["b"].is_integer()) throw std::runtime_error("b is no number");
    std::string sum = std::to_string(numbers["a"].integer() + numbers["b"].integer());
    Json text = Json::object({{"type", "text"}, {"text", "the sum is " + sum}});
    return reply.set("result", Json::object({{"content", Json::array({std::move(text)})}}));
  }
  return reply.set("result", Json::object());
}

// S133 S137
TEST_P(Contract, AServerInThisProcessServesTheModel) {
  options.allowed_tools = {"mcp__calc__add"};
  options.mcp_servers.add("calc", calculator);
  Session session = play(R"({"turns": [{"model": [
      {"mcp": {"server": "calc", "tool": "add", "arguments": {"a": 2, "b": 3}}},
      {"text": "Five."}]}]})");
  EXPECT_THAT(run(session).tool_results(), ElementsAre("the sum is 5"));

  Result<McpStatus> status = session.mcp_status().get();
  ASSERT_TRUE(status) << status.error().to_string();
  ASSERT_EQ(status->servers.size(), 1U);
  EXPECT_EQ(status->servers[0].name, "calc");
  EXPECT_EQ(status->servers[0].status, "connected");
}

TEST_P(Contract, AServerThatThrowsFailsTheCallAndNotTheTurn) {
  options.allowed_tools = {"mcp__calc__add"};
  options.mcp_servers.add("calc", calculator);
  Session session = play(R"({"turns": [{"model": [
      {"mcp": {"server": "calc", "tool": "add", "arguments": {"a": 2, "b": "three"}}},
      {"text": "I could not."}]}]})");
  Played played = run(session);
  EXPECT_EQ(played.tool_results().size(), 1U);
  EXPECT_EQ(played.said(), "I could not.");
}

// S139
TEST_P(Contract, AnInterruptInMidStreamEndsTheTurnAndTheNextOneWorks) {
  options.partial_messages = true;
  Session session = play(kPauses);
  Turn turn = session.send("go");
  await_text(turn);
  Result<InterruptReceipt> receipt = session.interrupt().get();
  EXPECT_TRUE(receipt) << receipt.error().to_string();
  EXPECT_TRUE(turn.result().value().interrupted());
  EXPECT_EQ(run(session, "again").said(), "Here.");
}

TEST_P(Contract, AnInterruptOfNothingIsHarmless) {
  Session session = play(R"({"turns": [{"model": [{"text": "Here."}]}]})");
  Result<InterruptReceipt> receipt = session.interrupt().get();
  EXPECT_TRUE(receipt) << receipt.error().to_string();
  EXPECT_EQ(run(session).said(), "Here.");
}

// F15
TEST_P(Contract, AnInterruptWithdrawsAnOpenPermission) {
  std::promise<Reply<Permission>> open;
  std::promise<void> withdrawn;
  options.can_use_tool_later = [&](const ToolRequest& ask, Reply<Permission> reply) {
    ask.cancel.on_request([&] { withdrawn.set_value(); });
    open.set_value(std::move(reply));
  };
  Session session = play(kWritesAFile);
  Turn turn = session.send("go");
  Reply<Permission> never_called = open.get_future().get();
  EXPECT_TRUE(session.interrupt().get());
  withdrawn.get_future().wait();
  EXPECT_TRUE(turn.result().value().interrupted());
  EXPECT_FALSE(exists("made.txt"));
}

// S142
TEST_P(Contract, TheModelIsSetAndReset) {
  Session session = play(R"({})");
  Result<ModelSet> model = session.set_model("haiku").get();
  ASSERT_TRUE(model) << model.error().to_string();
  EXPECT_THAT(std::string(model->model.value_or("")), HasSubstr("haiku"));
  EXPECT_TRUE(session.reset_model().get());
}

// S141
TEST_P(Contract, ThePermissionModeIsSetAndARefusalIsAnError) {
  Session session = play(kWritesAFile);
  Result<PermissionModeSet> mode = session.set_permission_mode(PermissionMode::accept_edits).get();
  ASSERT_TRUE(mode) << mode.error().to_string();
  EXPECT_EQ(mode->mode.value_or(""), "acceptEdits");
  run(session);
  EXPECT_TRUE(exists("made.txt"));

  Result<PermissionModeSet> refused =
      session.set_permission_mode(PermissionMode::bypass_permissions).get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error_code, "bypass_not_launched");
}

// S147
TEST_P(Contract, FilesAreRewoundToBeforeAPrompt) {
  options.file_checkpointing = true;
  options.permission_mode = PermissionMode::accept_edits;
  Session session = play(kWritesAFile);
  Turn turn = session.send("go");
  ASSERT_TRUE(turn.result().value().ok());
  ASSERT_TRUE(exists("made.txt"));

  Result<RewindResult> preview = session.rewind_files(turn.uuid(), true).get();
  ASSERT_TRUE(preview) << preview.error().to_string();
  EXPECT_EQ(preview->files_changed.size(), 1U);
  EXPECT_TRUE(exists("made.txt"));
  Result<RewindResult> rewound = session.rewind_files(turn.uuid()).get();
  ASSERT_TRUE(rewound) << rewound.error().to_string();
  EXPECT_TRUE(rewound->can_rewind);
  EXPECT_FALSE(exists("made.txt"));
}

TEST_P(Contract, WithoutCheckpointsARewindIsAnError) {
  Session session = play(R"({})");
  Result<RewindResult> rewound = session.rewind_files("any").get();
  ASSERT_FALSE(rewound);
  EXPECT_EQ(rewound.error().code, Errc::checkpointing_not_enabled);
}

TEST_P(Contract, AnyOperationMayBeCalledByItsName) {
  Session session = play(R"({})");
  EXPECT_TRUE(session.call("get_session_cost").get());
  Result<Json> unknown = session.call("no_such_operation").get();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::cli_error);
  EXPECT_FALSE(unknown.error().cli_text.empty());
}

TEST_P(Contract, AnOperationMayGoOnInACallback) {
  Session session = play(R"({})");
  std::promise<bool> done;
  session.set_model("haiku").then(
      [&](const Result<ModelSet>& model) { done.set_value(model.has_value()); });
  EXPECT_TRUE(done.get_future().get());
}

TEST_P(Contract, ASessionThatIsIdleClosesWithItsInput) {
  Session session = play(R"({"turns": [{"model": [{"text": "Hi."}]}]})");
  Stream<SessionEvent> events = session.events();
  run(session);
  EXPECT_EQ(session.close(), EndStage::input_closed);
  EXPECT_EQ(session.close(), EndStage::input_closed) << "twice is fine";
  EXPECT_EQ(session.state(), SessionState::stopped);
  std::optional<SessionEvent> event = events.next();
  ASSERT_TRUE(event);
  EXPECT_TRUE(std::holds_alternative<SessionStopped>(*event));
  EXPECT_FALSE(events.next());
}

TEST_P(Contract, ClosingEndsWhatIsUnderWayAndWhatComesLater) {
  options.partial_messages = true;
  options.timeouts.exit_grace = std::chrono::milliseconds(0);
  Session session = play(kPauses);
  Turn turn = session.send("go");
  await_text(turn);
  session.close();
  ASSERT_FALSE(turn.result());
  EXPECT_EQ(turn.result().error().code, Errc::session_stopped);
  EXPECT_EQ(session.send("more").result().error().code, Errc::session_stopped);
  EXPECT_EQ(session.interrupt().get().error().code, Errc::session_stopped);
}

TEST_P(Contract, ACliThatIsTerminatedEndsEverythingWithItsExitCode) {
  options.partial_messages = true;
  Session session = play(kPauses);
  Stream<SessionEvent> events = session.events();
  Turn turn = session.send("go");
  await_text(turn);
  terminate(session);

  Result<TurnResult> result = turn.result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::exited);
  EXPECT_EQ(result.error().exit_code, 143);
  std::optional<SessionEvent> event = events.next();
  ASSERT_TRUE(event);
  EXPECT_TRUE(std::holds_alternative<SessionFailed>(*event));
  EXPECT_EQ(session.state(), SessionState::failed);
  EXPECT_EQ(session.set_model("haiku").get().error().code, Errc::session_stopped);
}

// S154
TEST_P(Contract, AFlagThatTheCliDoesNotKnowIsExplained) {
  options.extra_args = {{"no-such-flag", std::nullopt}};
  Result<Session> failed = try_to_play(R"({})");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Errc::unsupported_version);
  EXPECT_THAT(failed.error().to_string(), HasSubstr("unknown option"));
}

TEST_P(Contract, AQueryHonoursHooksAndEnds) {
  options.permission_mode = PermissionMode::accept_edits;
  options.hooks.pre_tool_use("Write", [](const PreToolUse&) { return deny("no files today"); });
  set_scenario(kWritesAFile);
  std::string said;
  Query asked = query("go", options);
  for (const Message& message : asked) {
    if (auto* answer = std::get_if<AssistantMessage>(&message)) said += answer->text();
  }
  ASSERT_TRUE(asked.result()) << asked.result().error().to_string();
  EXPECT_EQ(said, "Done.");
  EXPECT_FALSE(exists("made.txt"));
}

}  // namespace
}  // namespace claude::test
