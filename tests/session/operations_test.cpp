// Control operations: what they ask of the CLI, what they return, and how they fail.
#include <thread>

#include "session/fixture.h"
#include "session/memory_transport.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Operations : public SimTest {
 protected:
  template <class T>
  static void read_up_to(Turn& turn) {
    while (std::optional<Message> message = turn.next()) {
      if (std::holds_alternative<T>(*message)) return;
    }
  }

  // A turn that has begun and does not end by itself, and one that waits for it.
  struct Busy {
    Session session;
    Turn turn;
    Turn queued;
  };
  Busy busy() {
    play(R"({"turns": [{"when": {"prompt_equals": "long"}, "model": [{"hang": true}]}]})");
    Session session = start();
    Turn turn = session.send("long");
    read_up_to<SystemInit>(turn);
    Turn queued = session.send("next");
    return {std::move(session), std::move(turn), std::move(queued)};
  }
};

// S139
TEST_F(Operations, AnInterruptEndsTheTurnAndGivesAReceipt) {
  auto [session, turn, queued] = busy();

  Result<InterruptReceipt> receipt = session.interrupt().get();

  ASSERT_TRUE(receipt) << receipt.error().to_string();
  EXPECT_THAT(receipt->still_queued, ElementsAre(queued.uuid()));
  EXPECT_TRUE(turn.result()->interrupted());
  EXPECT_EQ(turn.result()->error()->code, Errc::cancelled);
  EXPECT_EQ(said(std::move(queued)), "You said: next");
}

TEST_F(Operations, AnInterruptMayDropWhatIsQueued) {
  auto [session, turn, queued] = busy();

  Result<InterruptReceipt> receipt = session.interrupt(true).get();

  ASSERT_TRUE(receipt);
  EXPECT_THAT(receipt->still_queued, IsEmpty());
  EXPECT_THAT(receipt->cancelled, ElementsAre(queued.uuid()));
  Result<TurnResult> dropped = queued.result();
  ASSERT_FALSE(dropped);
  EXPECT_EQ(dropped.error().code, Errc::cancelled);
}

TEST_F(Operations, AnInterruptStopsALongTool) {
  options.allowed_tools = {"Bash"};
  play_turn(R"([{"tool": "Bash", "input": {"command": "sleep 1000"}, "takes_ms": 1000000},
                {"text": "never said"}])");
  Session session = start();
  Turn turn = session.send("go");
  read_up_to<AssistantMessage>(turn);
  ASSERT_TRUE(session.interrupt().get());
  Result<TurnResult> result = turn.result();
  ASSERT_TRUE(result);
  EXPECT_EQ(*result->message.terminal_reason, "aborted_tools");
}

TEST_F(Operations, AnInterruptWithNothingToInterruptIsFine) {
  Session session = start();
  Result<InterruptReceipt> receipt = session.interrupt().get();
  ASSERT_TRUE(receipt);
  EXPECT_THAT(receipt->still_queued, IsEmpty());
}

// S140 S165
TEST_F(Operations, ThePermissionModeCanBeChanged) {
  play_turn(R"([{"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}},
                {"text": "Done."}])");
  Session session = start();
  Result<PermissionModeSet> set = session.set_permission_mode(PermissionMode::accept_edits).get();
  ASSERT_TRUE(set);
  EXPECT_EQ(*set->mode, "acceptEdits");
  said(session.send("go"));
  EXPECT_EQ(project.read("a.txt"), "A") << "nobody had to be asked any more";
}

TEST_F(Operations, ARefusalHasTheClisTextAndCode) {
  Session session = start();
  Result<PermissionModeSet> set =
      session.set_permission_mode(PermissionMode::bypass_permissions).get();
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, Errc::cli_error);
  EXPECT_EQ(set.error().error_code, "bypass_not_launched");
  EXPECT_THAT(set.error().cli_text, HasSubstr("not launched with"));
  EXPECT_EQ(set.error().where, "set_permission_mode");
  EXPECT_EQ(set.error().fault(), Fault::cli);
}

// S141 S170
TEST_F(Operations, TheModelCanBeChangedAndResolvesToItsName) {
  Session session = start();
  Result<ModelSet> set = session.set_model("haiku").get();
  ASSERT_TRUE(set);
  EXPECT_THAT(std::string(*set->model), HasSubstr("haiku"));
  Seen seen = watch(session.send("Hello"));
  EXPECT_EQ(seen.all<SystemInit>().at(0).model, *set->model);

  Result<ModelSet> reset = session.reset_model().get();
  ASSERT_TRUE(reset);
  EXPECT_NE(*reset->model, *set->model);
  WireJson line = wire->our_requests("set_model").at(1)["request"];
  EXPECT_TRUE(line.contains("model") && line["model"].is_null());
}

// S142 S58
TEST_F(Operations, FilesGoBackToWhatTheyWereBeforeAPrompt) {
  options.file_checkpointing = true;
  options.permission_mode = PermissionMode::accept_edits;
  project.write("a.txt", "before");
  play_turn(R"([{"tool": "Read", "input": {"file_path": "a.txt"}},
                {"tool": "Write", "input": {"file_path": "a.txt", "content": "after"}},
                {"text": "Done."}])");
  Session session = start();
  Turn turn = session.send("go");
  std::string prompt(turn.uuid());
  said(std::move(turn));
  ASSERT_EQ(project.read("a.txt"), "after");

  Result<RewindResult> preview = session.rewind_files(prompt, true).get();
  ASSERT_TRUE(preview) << preview.error().to_string();
  EXPECT_TRUE(preview->can_rewind);
  EXPECT_THAT(preview->files_changed, ElementsAre((project.path() / "a.txt").string()));
  EXPECT_EQ(project.read("a.txt"), "after") << "a dry run changes nothing";

  Result<RewindResult> rewound = session.rewind_files(prompt).get();
  ASSERT_TRUE(rewound) << rewound.error().to_string();
  EXPECT_TRUE(rewound->can_rewind);
  EXPECT_EQ(project.read("a.txt"), "before");
}

// S146
TEST_F(Operations, ARewindNeedsCheckpointsAndAPromptThatIsKnown) {
  Session without = start();
  Result<RewindResult> local = without.rewind_files("anything").get();
  ASSERT_FALSE(local);
  EXPECT_EQ(local.error().code, Errc::checkpointing_not_enabled);
  EXPECT_THAT(local.error().advice, HasSubstr("file_checkpointing"));
  EXPECT_THAT(wire->our_requests("rewind_files"), IsEmpty()) << "the CLI was not asked";

  options.file_checkpointing = true;
  Session with = start();
  Result<RewindResult> unknown = with.rewind_files("no-such-prompt").get();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::cli_error);
  EXPECT_THAT(unknown.error().cli_text, HasSubstr("No file checkpoint found"));
}

// S143
TEST_F(Operations, TheStatusOfServersThatTheCliRuns) {
  options.mcp_servers.add_external("db", Json::object({{"command", "/no/such/server"}}));
  Session session = start();
  Result<McpStatus> status = session.mcp_status().get();
  ASSERT_TRUE(status);
  ASSERT_EQ(status->servers.size(), 1u);
  EXPECT_EQ(status->servers[0].name, "db");
  EXPECT_EQ(status->servers[0].status, "failed");
}

// S144 S71
TEST_F(Operations, TheServerInfoIsTheAnswerToInitialize) {
  play(R"({"version": "2.1.400"})");
  Session session = start();
  const ServerInfo& info = session.server_info();
  EXPECT_EQ(*info.claude_code_version, "2.1.400");
  EXPECT_FALSE(info.commands.empty());
  EXPECT_FALSE(info.models.empty());
  EXPECT_FALSE(info.capabilities.empty());
  WireJson answer = wire->read().at(0)["response"]["response"];
  EXPECT_EQ(WireJson::parse(info.raw.text()), answer);
  EXPECT_EQ(wire->written().size(), 1u) << "asking costs nothing";
}

TEST_F(Operations, AnyOtherIsCalledByItsName) {
  Session session = start();
  Result<Json> renamed = session.call("rename_session", Json::object({{"title", "My work"}})).get();
  ASSERT_TRUE(renamed) << renamed.error().to_string();
  EXPECT_EQ(wire->our_requests("rename_session").at(0)["request"]["title"], "My work");

  Result<Json> unknown = session.call("no_such_thing").get();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().error_code, "unsupported_request");
}

TEST_F(Operations, FieldsThatAreNoObjectAreRefused) {
  Session session = start();
  Result<Json> wrong = session.call("rename_session", "My work").get();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, Errc::invalid_option);
  EXPECT_EQ(wrong.error().where, "rename_session");
  EXPECT_TRUE(wire->our_requests("rename_session").empty());
}

// S95 S159
TEST_F(Operations, ATimeoutNamesTheOperationAndTheRequest) {
  options.timeouts.set_model = 20ms;
  play(R"({"faults": {"answers": {"set_model": {"times": 0}}}})");
  Session session = start();
  Result<ModelSet> set = session.set_model("haiku").get();
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, Errc::timeout);
  std::string id = wire->our_requests("set_model").at(0)["request_id"];
  EXPECT_EQ(set.error().where, "set_model (" + id + ")");
  EXPECT_TRUE(session.interrupt().get()) << "the session goes on";
}

TEST_F(Operations, EachCallMayHaveItsOwnTimeout) {
  play(R"({"faults": {"answers": {"side_question": {"times": 0}}}})");
  Session session = start();
  Result<Json> late = session.call("side_question", {}, 20ms).get();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Errc::timeout);
}

TEST_F(Operations, WaitingLessThanTheOperationTakesEndsTheWaitOnly) {
  MemoryCli cli;
  options.transport = cli.factory();
  Session session = start();
  cli.next();
  Call<ModelSet> call = session.set_model("haiku");
  Result<ModelSet> impatient = call.get(1ms);
  ASSERT_FALSE(impatient);
  EXPECT_EQ(impatient.error().code, Errc::timeout);
  EXPECT_THAT(impatient.error().advice, HasSubstr("get()"));
  EXPECT_FALSE(call.ready());

  cli.answer(cli.next(), {{"model", "claude-opus-4"}});
  EXPECT_EQ(*call.get()->model, "claude-opus-4");
  EXPECT_TRUE(call.ready());
  EXPECT_EQ(*call.get()->model, "claude-opus-4") << "asked again it says the same";
}

// S145
TEST_F(Operations, ABlockedCallEndsWithTheSession) {
  MemoryCli cli;
  options.transport = cli.factory();
  Session session = start();
  cli.next();
  Call<ModelSet> call = session.set_model("haiku");
  cli.next();
  Result<ModelSet> ended = std::unexpected(Error{});
  std::thread waiting([&] { ended = call.get(); });

  // None of these waits for the blocked one.
  session.messages();
  session.events();
  session.close();

  waiting.join();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, Errc::session_stopped);
}

TEST_F(Operations, ADroppedCallGoesOn) {
  Session session = start();
  session.set_model("haiku");
  Seen seen = watch(session.send("Hello"));
  EXPECT_THAT(std::string(seen.all<SystemInit>().at(0).model), HasSubstr("haiku"));
}

// S82 S84
TEST_F(Operations, NoMoreWaitAtATimeThanTheLimit) {
  MemoryCli cli;
  options.transport = cli.factory();
  options.limits.pending_operations = 2;
  Session session = start();
  session.set_model("one");
  session.set_model("two");
  Result<ModelSet> refused = session.set_model("three").get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::too_many_pending);
  EXPECT_THAT(log.at(LogLevel::warning), Contains(HasSubstr("2 operations wait")));
}

}  // namespace
}  // namespace claude::test
