// <claude/sim.h> as a user's test has it.
#include <claude/sim.h>

#include <atomic>
#include <filesystem>
#include <fstream>

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string answer(Session& session, const std::string& prompt) {
  Result<TurnResult> result = session.send(prompt).result();
  if (!result) return result.error().to_string();
  return std::string(result->message.result.value_or("(no text)"));
}

Session start(const Sim& sim, Options options = {}) {
  return Session::start(sim.options(std::move(options))).value();
}

bool exists(const std::string& path) {
  return std::filesystem::exists(path);
}

TEST(Sim, PlaysItsTurnsInTheirOrderAndKeepsThePrompts) {
  Sim sim;
  sim.turn().text("One.");
  sim.turn().thinking("Hm.").text("Two.");
  Session session = start(sim);
  EXPECT_EQ(answer(session, "first"), "One.");
  EXPECT_EQ(answer(session, "second"), "Two.");
  EXPECT_THAT(sim.prompts(), ElementsAre("first", "second"));
}

TEST(Sim, PlaysATurnForThePromptThatContainsItsWords) {
  Sim sim;
  sim.turn("weather").text("Rain.");
  sim.turn("time").text("Noon.");
  Session session = start(sim);
  EXPECT_EQ(answer(session, "what time is it"), "Noon.");
  EXPECT_EQ(answer(session, "and the weather"), "Rain.");
}

TEST(Sim, LetsToolsActInItsFolderAndShowsThePermissions) {
  Sim sim;
  sim.turn()
      .tool("Write", {{"file_path", "made.txt"}, {"content", "5\n"}})
      .tool("Bash", {{"command", "make"}})
      .gives("made")
      .text("Done.");
  Options options;
  options.can_use_tool = [](const ToolRequest& ask) -> Permission {
    if (ask.tool_name == "Write") return allow();
    return deny("no shell today");
  };
  Session session = start(sim, options);
  EXPECT_EQ(answer(session, "go"), "Done.");
  EXPECT_TRUE(exists(sim.folder() + "/made.txt"));

  ASSERT_THAT(sim.permissions(), SizeIs(2));
  EXPECT_EQ(sim.permissions()[0].about, "Write");
  EXPECT_FALSE(sim.permissions()[0].denied);
  EXPECT_EQ(sim.permissions()[1].about, "Bash");
  EXPECT_TRUE(sim.permissions()[1].denied);
  EXPECT_EQ(sim.permissions()[1].reason, "no shell today");
  EXPECT_EQ(sim.permissions()[1].request["input"]["command"].text(), "make");
}

TEST(Sim, ShowsWhatHooksAnswered) {
  Sim sim;
  sim.turn().tool("Bash", {{"command", "rm -rf /"}}).text("I may not.");
  Options options;
  options.hooks.pre_tool_use("Bash", [](const PreToolUse&) { return deny("not that"); })
      .stop([](const Stop&) { return proceed(); });
  Session session = start(sim, options);
  EXPECT_EQ(answer(session, "go"), "I may not.");

  ASSERT_THAT(sim.hooks(), SizeIs(2));
  EXPECT_EQ(sim.hooks()[0].about, "Bash");
  EXPECT_TRUE(sim.hooks()[0].denied);
  EXPECT_EQ(sim.hooks()[0].reason, "not that");
  EXPECT_EQ(sim.hooks()[1].about, "Stop");
  EXPECT_FALSE(sim.hooks()[1].denied);
}

TEST(Sim, CallsAServerOfTheUserAndShowsItsAnswers) {
  Sim sim;
  sim.turn().mcp_tool("calc", "add", {{"a", 2}, {"b", 3}}).text("Five.");
  Options options;
  options.allowed_tools = {"mcp__calc__add"};
  options.mcp_servers.add("calc", [](const Json& message) -> Json {
    Json reply = Json::object({{"jsonrpc", "2.0"}, {"id", message["id"]}});
    if (message["method"].text() != "tools/call") {
      Json tools = Json::array({Json::object({{"name", "add"}})});
      return reply.set("result", Json::object({{"tools", std::move(tools)}}));
    }
    return reply.set("error", Json::object({{"code", -1}, {"message", "out of numbers"}}));
  });
  Session session = start(sim, options);
  EXPECT_EQ(answer(session, "go"), "Five.");
  SimAnswer call = sim.mcp_messages().back();
  EXPECT_EQ(call.about, "tools/call");
  EXPECT_TRUE(call.denied);
  EXPECT_EQ(call.reason, "out of numbers");
}

TEST(Sim, AsksQuestions) {
  Sim sim;
  sim.turn().question("Which color?", {"Red", "Blue"}).text("Blue it is.");
  Options options;
  options.on_question = [](const Questions&) { return Answers().choose(0, 1); };
  Session session = start(sim, options);
  EXPECT_EQ(answer(session, "go"), "Blue it is.");
  EXPECT_EQ(sim.permissions()[0].answer["updatedInput"]["answers"]["Which color?"].text(), "Blue");
}

TEST(Sim, FailsInTheWaysThatATestWants) {
  Sim sim;
  sim.turn().tool("Bash", {{"command", "make"}}).fails("no rule").text("It failed.");
  sim.turn().api_error(400, "too long");
  sim.turn().text("Half an ans").exits(3, "out of memory\n");
  Options options;
  options.can_use_tool = [](const ToolRequest&) -> Permission { return allow(); };
  Session session = start(sim, options);
  EXPECT_EQ(answer(session, "one"), "It failed.");
  EXPECT_FALSE(session.send("two").result()->ok());
  Result<TurnResult> died = session.send("three").result();
  ASSERT_FALSE(died);
  EXPECT_EQ(died.error().exit_code, 3);
  EXPECT_THAT(died.error().stderr_tail, HasSubstr("out of memory"));
}

TEST(Sim, HangsUntilItIsInterrupted) {
  Sim sim;
  sim.turn().hangs();
  Session session = start(sim);
  Turn turn = session.send("go");
  while (!std::holds_alternative<SystemInit>(turn.next().value())) {
  }
  EXPECT_TRUE(session.interrupt().get());
  EXPECT_TRUE(turn.result()->interrupted());
}

TEST(Sim, TakesAnyStepAndAnyMemberOfAScenario) {
  Sim sim;
  sim.with(R"({"version": "2.7.1", "faults": {"answers": {"set_model": {"error": "not now"}}}})");
  sim.turn().step(R"({"emit_text": "no JSON\n"})").text("Done.");
  Session session = start(sim);
  EXPECT_EQ(answer(session, "go"), "Done.");
  EXPECT_EQ(session.counts().bad_lines, 1U);
  EXPECT_EQ(session.server_info().claude_code_version.value_or(""), "2.7.1");
  EXPECT_EQ(session.set_model("haiku").get().error().cli_text, "not now");
  EXPECT_EQ(sim.sent().back()["request"]["model"].text(), "haiku");
}

TEST(Sim, AMistakeInAScenarioIsTheErrorOfTheStart) {
  Sim broken;
  broken.turn().step(R"({"text": )");
  EXPECT_THAT(Session::start(broken.options()).error().to_string(), HasSubstr("claude-sim:"));
  Sim unknown;
  unknown.turn().step(R"({"txt": "Hi"})");
  EXPECT_THAT(Session::start(unknown.options()).error().to_string(),
              HasSubstr("turns[0].model[0]"));
}

TEST(Sim, PlaysAScenarioFromAFile) {
  Sim sim;
  std::ofstream(sim.folder() + "/scenario.json") << R"({"turns": [{"model": [{"text": "Hi."}]}]})";
  sim.scenario_file(sim.folder() + "/scenario.json");
  Session session = start(sim);
  EXPECT_EQ(answer(session, "go"), "Hi.");
}

TEST(Sim, ReplaysARecordedSession) {
  Sim before;
  before.turn().text("Hi.");
  Options options;
  const std::string cassette = before.folder() + "/tape.ndjson";
  options.observer = Recorder::open(cassette).value();
  {
    Session session = start(before, options);
    EXPECT_EQ(answer(session, "hello"), "Hi.");
    session.close();
  }
  EXPECT_THAT(before.prompts(), SizeIs(1)) << "the tap is there besides the recorder";

  Sim again;
  Session session = start(again.replay(cassette));
  EXPECT_EQ(answer(session, "hello"), "Hi.");

  Sim strict;
  Session other = start(strict.replay(cassette));
  EXPECT_THAT(answer(other, "goodbye"), HasSubstr("expected \"hello\", got \"goodbye\""));
}

TEST(Sim, KeepsTheUsersOwnObserver) {
  struct Counter : Observer {
    const Sim& sim;
    std::atomic<std::size_t> seen = 0;
    std::string model;
    explicit Counter(const Sim& watched) : sim(watched) {}
    void on_start(const Options& options) override { model = options.model.value_or(""); }
    void on_line(Direction, std::string_view, Clock::time_point) override {
      seen = sim.sent().size();
    }
  };
  Sim sim;
  auto counter = std::make_shared<Counter>(sim);
  Options options;
  options.observer = counter;
  options.model = "opus";
  Session session = Session::start(sim.options(sim.options(options))).value();
  EXPECT_EQ(answer(session, "hello"), "You said: hello");
  EXPECT_EQ(counter->seen, 2U) << "initialize and the prompt";
  EXPECT_EQ(counter->model, "opus");
}

TEST(Sim, ShowsARefusalThatTheLibraryGaveByItself) {
  Sim sim;
  sim.turn().step(R"({"send_control": {"subtype": "mcp_message", "server_name": "nobody",
      "message": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}}, "await": true})");
  sim.turn("more").text("Done.");
  Session session = start(sim);
  answer(session, "go");
  ASSERT_THAT(sim.mcp_messages(), SizeIs(1));
  EXPECT_TRUE(sim.mcp_messages()[0].denied);
  EXPECT_THAT(sim.mcp_messages()[0].reason, HasSubstr("nobody"));
}

TEST(Sim, LeavesNothingBehind) {
  std::string folder;
  {
    Sim sim;
    folder = sim.folder();
    EXPECT_TRUE(exists(folder));
    Session session = start(sim);
    EXPECT_EQ(answer(session, "hello"), "You said: hello");
  }
  EXPECT_FALSE(exists(folder));
}

}  // namespace
}  // namespace claude::test
