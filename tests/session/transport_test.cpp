// Sessions over a transport of the user's own: here one whose CLI is played by the test.
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <future>
#include <limits>
#include <map>
#include <thread>

#include "session/fixture.h"
#include "session/memory_transport.h"

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

// Until this thread of ours waits in the kernel.
void wait_until_asleep(pid_t thread) {
  for (char state = 0; state != 'S'; std::this_thread::yield()) {
    std::ifstream stat("/proc/self/task/" + std::to_string(thread) + "/stat");
    stat.ignore(std::numeric_limits<std::streamsize>::max(), ')') >> state;
  }
}

class OwnTransport : public SimTest {
 protected:
  OwnTransport() {
    options.transport = cli.factory();
    options.observer = nullptr;
  }
  // Also takes the line of initialize.
  Session start() {
    Session session = SimTest::start();
    EXPECT_EQ(cli.next()["request"]["subtype"], "initialize");
    return session;
  }
  static WireJson assistant(const std::string& text) {
    return {{"type", "assistant"},
            {"message", {{"role", "assistant"}, {"content", {{{"type", "text"}, {"text", text}}}}}},
            {"session_id", "s"},
            {"uuid", "u"}};
  }
  static WireJson result_for(const WireJson& prompt) {
    return {{"type", "result"}, {"subtype", "success"}, {"is_error", false},
            {"result", "done"}, {"num_turns", 1},       {"user_message_uuids", {prompt["uuid"]}},
            {"duration_ms", 1}, {"session_id", "s"}};
  }

  MemoryCli cli;  // outlives the sessions of the tests
};

// Exits when it is prompted, and leaves somebody behind who writes for ever.
class LeavesAFlood : public Transport {
 public:
  explicit LeavesAFlood(std::unique_ptr<Transport> inner) : inner_(std::move(inner)) {}
  ~LeavesAFlood() override { ::close(exit_); }

  IoResult read(std::span<char> into) override {
    if (!exited_) return inner_->read(into);
    std::ranges::fill(into, '\n');
    return {IoStatus::ok, into.size()};
  }
  IoResult write(std::string_view bytes) override {
    exited_ |= bytes.contains(R"("type":"user")");
    if (exited_) eventfd_write(exit_, 1);
    return inner_->write(bytes);
  }
  int read_fd() const override { return inner_->read_fd(); }
  int write_fd() const override { return inner_->write_fd(); }
  int exit_fd() const override { return exit_; }
  std::optional<Exit> exited() override {
    return exited_ ? std::optional(Exit{.code = 3, .signal = {}}) : std::nullopt;
  }
  void close_input() override { inner_->close_input(); }

 private:
  std::unique_ptr<Transport> inner_;
  int exit_ = eventfd(0, EFD_CLOEXEC);
  bool exited_ = false;
};

TEST_F(OwnTransport, AnAnswerThatIsThereCountsHoweverLateItIsRead) {
  options.timeouts.set_model = std::chrono::milliseconds(0);
  Session session = start();
  Call<ModelSet> call = session.set_model("opus");
  cli.answer(cli.next(), {{"model", "claude-opus"}});
  // As after a long time in which nobody waited for the session.
  EXPECT_TRUE(call.get());
}

// F18
TEST_F(OwnTransport, WhatFollowsAnExitIsNotReadForEver) {
  options.transport = [&](const Command& command) -> Result<std::unique_ptr<Transport>> {
    return std::make_unique<LeavesAFlood>(cli.factory()(command).value());
  };
  Session session = start();
  Result<TurnResult> result = session.send("Hello").result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().exit_code, 3);
  session.close();
}

// The parameter: for how long all sorts of things take.
class ExtremeTimes : public OwnTransport,
                     public ::testing::WithParamInterface<std::chrono::milliseconds> {};

INSTANTIATE_TEST_SUITE_P(AreTaken, ExtremeTimes,
                         ::testing::Values(std::chrono::milliseconds::max(),
                                           std::chrono::milliseconds::min()));

// Those that cannot be counted in the clock's own steps: the sanitizer looks on.
TEST_P(ExtremeTimes, AreNoOverflow) {
  options.runtime = std::make_shared<Runtime>(
      RuntimeOptions{.lease = GetParam(), .pool_threads = 1, .pool_idle = GetParam()});
  options.hooks.stop([](const Stop&) { return proceed(); });
  options.timeouts.exit_grace = options.timeouts.terminate_grace = GetParam();
  options.timeouts.permission = options.timeouts.operation = GetParam();
  Session session = start();
  Turn turn = session.send("Hello");
  cli.inject_line(result_for(cli.next()));
  EXPECT_EQ(said(std::move(turn)), "done");
  session.messages().next(std::min(GetParam(), std::chrono::milliseconds(0)));
  session.close();
}

class DroppedTurn : public OwnTransport {
 protected:
  // The prompt's first message has been read: it waits in the Turn.
  std::optional<Turn> with_a_message(Session& session) {
    std::optional<Turn> turn = session.send("Hello");
    cli.next();
    Call<ModelSet> call = session.set_model("opus");
    cli.inject_line(assistant("early"));
    cli.answer(cli.next(), {{"model", "claude-opus"}});
    EXPECT_TRUE(call.get());
    return turn;
  }
};

// S161
TEST_F(DroppedTurn, LeavesToMessagesWhatCameBefore) {
  Session session = start();
  Stream<Message> messages = session.messages();
  std::optional<Turn> turn = with_a_message(session);

  turn.reset();
  cli.inject_line(assistant("late"));

  std::vector<std::string> texts;
  for (int i = 0; i < 2; ++i) texts.push_back(std::get<AssistantMessage>(*messages.next()).text());
  EXPECT_THAT(texts, ElementsAre("early", "late"));
}

TEST_F(DroppedTurn, CallsWhoeverAskedForTheNextMessage) {
  Session session = start();
  Stream<Message> messages = session.messages();
  std::optional<Turn> turn = with_a_message(session);
  std::promise<bool> told;
  messages.next_later([&](std::optional<Message> message) { told.set_value(message.has_value()); });

  turn.reset();

  EXPECT_TRUE(told.get_future().get());
}

TEST_F(DroppedTurn, WakesWhoeverWaitsForMessages) {
  Session session = start();
  Stream<Message> messages = session.messages();
  std::optional<Turn> turn = with_a_message(session);
  std::promise<pid_t> waits;
  auto waiting = std::async(std::launch::async, [&] {
    waits.set_value(::gettid());
    return messages.next();
  });
  wait_until_asleep(waits.get_future().get());

  turn.reset();

  EXPECT_TRUE(waiting.get());
}

// S20 S189
TEST_F(OwnTransport, TheSessionMakesItByItselfAndOnce) {
  std::vector<std::string> written;
  auto usual = cli.on_write;
  cli.on_write = [&](const WireJson& line) {
    written.push_back(line["type"]);
    usual(line);
  };
  bool closed = false;
  cli.on_close = [&] {
    closed = true;
    cli.end();
  };
  EXPECT_EQ(cli.made(), 0);

  Session session = start();
  EXPECT_EQ(cli.made(), 1);
  EXPECT_THAT(cli.command().arguments, ::testing::Contains("--input-format=stream-json"));
  EXPECT_EQ(session.pid(), std::nullopt) << "no process was started";
  EXPECT_FALSE(closed);
  EXPECT_EQ(session.close(), EndStage::input_closed);

  EXPECT_TRUE(closed);
  EXPECT_EQ(cli.made(), 1);
  EXPECT_THAT(written, ElementsAre("control_request"));
}

// S177
TEST_F(OwnTransport, ASessionIsReadyOnlyWhenInitializeIsAnswered) {
  cli.on_write = [](const WireJson&) {};
  auto starting = std::async(std::launch::async, [&] { return Session::start(options); });

  WireJson initialize = cli.next();
  EXPECT_EQ(initialize["type"], "control_request");
  EXPECT_EQ(initialize["request"]["subtype"], "initialize");
  EXPECT_NE(starting.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  EXPECT_FALSE(cli.has_line());

  cli.answer(initialize, {{"claude_code_version", "2.9.9"}, {"capabilities", {"hooks"}}});
  Result<Session> session = starting.get();
  ASSERT_TRUE(session) << session.error().to_string();
  EXPECT_EQ(session->state(), SessionState::running);
  EXPECT_EQ(*session->server_info().claude_code_version, "2.9.9");
  EXPECT_TRUE(session->server_info().has("hooks"));
}

// S173 S175
TEST_F(OwnTransport, CarriesAWholeTurn) {
  Session session = start();
  Turn turn = session.send("Hello");
  WireJson prompt = cli.next();
  EXPECT_EQ(prompt["type"], "user");
  EXPECT_EQ(prompt["message"]["role"], "user");
  EXPECT_EQ(prompt["message"]["content"], "Hello");
  EXPECT_EQ(prompt["uuid"], std::string(turn.uuid()));

  cli.inject_line(assistant("Hi"));
  cli.inject_line(result_for(prompt));

  Seen seen = watch(std::move(turn));
  EXPECT_EQ(seen.said(), "Hi");
  ASSERT_TRUE(seen.result);
  EXPECT_EQ(*seen.result->message.result, "done");
}

// S174
TEST_F(OwnTransport, CarriesRequestsAndAnswersBothWays) {
  options.hooks.pre_tool_use([](const PreToolUse&) { return deny("not today"); });
  Session session = start();

  Call<ModelSet> call = session.set_model("opus");
  WireJson ours = cli.next();
  EXPECT_EQ(ours["request"], WireJson::parse(R"({"subtype": "set_model", "model": "opus"})"));
  cli.answer(ours, {{"model", "claude-opus-4"}});
  EXPECT_EQ(*call.get()->model, "claude-opus-4");

  cli.ask("their-1", {{"subtype", "hook_callback"},
                      {"callback_id", "hook_0"},
                      {"tool_use_id", "t1"},
                      {"input",
                       {{"hook_event_name", "PreToolUse"},
                        {"session_id", "s"},
                        {"transcript_path", "/t"},
                        {"cwd", "/"},
                        {"tool_name", "Bash"},
                        {"tool_input", {{"command", "ls"}}}}}});
  WireJson answer = cli.next();
  EXPECT_EQ(answer["type"], "control_response");
  EXPECT_EQ(answer["response"]["request_id"], "their-1");
  EXPECT_EQ(answer["response"]["response"]["hookSpecificOutput"]["permissionDecision"], "deny");
}

// S179 S28
TEST_F(OwnTransport, AnswersMayComeInAnyOrder) {
  Session session = start();
  Call<ModelSet> model = session.set_model("opus");
  Call<PermissionModeSet> mode = session.set_permission_mode(PermissionMode::plan);
  WireJson first = cli.next();
  WireJson second = cli.next();
  EXPECT_NE(first["request_id"], second["request_id"]);

  cli.answer(second, {{"mode", "plan"}});
  EXPECT_EQ(*mode.get()->mode, "plan");
  EXPECT_FALSE(model.ready());
  cli.answer(first, {{"model", "claude-opus-4"}});
  EXPECT_EQ(*model.get()->model, "claude-opus-4");
}

// S18
TEST_F(OwnTransport, WhatManyThreadsWriteNeverMixes) {
  cli.bytes_a_write = 7;
  options.limits.pending_operations = 1000;
  Session session = start();
  constexpr int kThreads = 4;
  constexpr int kEach = 25;

  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kEach; ++i) {
        session.set_model("model-" + std::to_string(thread) + "-" + std::to_string(i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  // A line that is torn would not be JSON, which throws.
  std::set<std::string> models;
  for (int i = 0; i < kThreads * kEach; ++i) models.insert(cli.next()["request"]["model"]);
  EXPECT_EQ(models.size(), std::size_t{kThreads * kEach});
}

// S19 S145
TEST_F(OwnTransport, NobodyWaitsForACliThatDoesNotRead) {
  Session session = start();
  cli.take_input(false);

  Turn turn = session.send("Hello");
  Call<InterruptReceipt> call = session.interrupt();
  Stream<Message> messages = session.messages();
  Stream<SessionEvent> events = session.events();
  EXPECT_FALSE(call.ready());
  EXPECT_FALSE(cli.has_line());

  cli.take_input(true);
  EXPECT_EQ(cli.next()["type"], "user");
  WireJson interrupt = cli.next();
  EXPECT_EQ(interrupt["request"]["subtype"], "interrupt");
  cli.answer(interrupt, {{"still_queued", WireJson::array()}});
  EXPECT_TRUE(call.get());
}

// S22
TEST_F(OwnTransport, OnlyTheSessionUsesItOneThreadAtATime) {
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); });
  Session session = start();
  constexpr int kAsks = 20;
  std::thread asking([&] {
    for (int i = 0; i < kAsks; ++i) {
      cli.ask("ask-" + std::to_string(i), {{"subtype", "hook_callback"},
                                           {"callback_id", "hook_0"},
                                           {"input",
                                            {{"hook_event_name", "PreToolUse"},
                                             {"session_id", "s"},
                                             {"transcript_path", "/t"},
                                             {"cwd", "/"},
                                             {"tool_name", "Bash"},
                                             {"tool_input", WireJson::object()}}}});
    }
  });
  for (int i = 0; i < kAsks; ++i) session.set_model("m");
  asking.join();

  int answers = 0;
  int requests = 0;
  while (answers < kAsks || requests < kAsks) {
    WireJson line = cli.next();
    ASSERT_TRUE(line.is_object());
    ++(line["type"] == "control_response" ? answers : requests);
  }
  EXPECT_EQ(answers, kAsks);
  EXPECT_EQ(requests, kAsks);
  EXPECT_FALSE(cli.overlapped());
}

// S92
TEST_F(OwnTransport, ALostCliIsNotStartedAgain) {
  Session session = start();
  Turn turn = session.send("Hello");
  cli.next();
  Call<ModelSet> call = session.set_model("opus");

  cli.end();

  EXPECT_FALSE(turn.result());
  EXPECT_FALSE(call.get());
  EXPECT_EQ(session.state(), SessionState::failed);
  EXPECT_EQ(session.send("again").result().error().code, Errc::session_stopped);
  EXPECT_EQ(session.set_model("opus").get().error().code, Errc::session_stopped);
  EXPECT_EQ(cli.made(), 1);
}

// S148 S188
TEST_F(OwnTransport, WithoutControlTrafficHasMessagesOnly) {
  cli.carries_control = false;
  Session session = SimTest::start();
  EXPECT_EQ(session.state(), SessionState::running);
  EXPECT_FALSE(cli.has_line()) << "initialize is a request";

  Result<ModelSet> model = session.set_model("opus").get();
  Result<InterruptReceipt> interrupt = session.interrupt().get();
  ASSERT_FALSE(model || interrupt);
  EXPECT_EQ(model.error().code, Errc::not_supported);
  EXPECT_EQ(interrupt.error().code, Errc::not_supported);
  EXPECT_THAT(interrupt.error().to_string(), HasSubstr("messages only"));

  Turn turn = session.send("Hello");
  WireJson prompt = cli.next();
  cli.inject_line(assistant("Hi"));
  cli.inject_line(result_for(prompt));
  EXPECT_EQ(watch(std::move(turn)).said(), "Hi");
}

TEST_F(OwnTransport, AFactoryThatFailsFailsTheStart) {
  options.transport = [](const Command&) -> Result<std::unique_ptr<Transport>> {
    return std::unexpected(Error{.code = Errc::spawn_failed, .message = "no line to the moon"});
  };
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::spawn_failed);
  EXPECT_EQ(error.message, "no line to the moon");
}

// ---- Callbacks on the reading thread -----------------------------------------------------------

// A CLI that asks for a permission when it hears of an operation, and lets `on_request` answer.
class AskingTransport : public OwnTransport {
 protected:
  void when_asked(const std::string& operation, std::function<void(const WireJson&)> then) {
    scripted[operation] = std::move(then);
  }
  void ask_permission(const std::string& id) {
    cli.ask(id, {{"subtype", "can_use_tool"},
                 {"tool_name", "Bash"},
                 {"input", WireJson::object()},
                 {"tool_use_id", id}});
  }
  void begin() {
    session = start();
    cli.on_write = [this](const WireJson& line) {
      std::string heard = line["type"] == "control_request"    ? line["request"]["subtype"]
                          : line["type"] == "control_response" ? line["response"]["request_id"]
                                                               : line["type"];
      if (scripted.contains(heard)) scripted[heard](line);
    };
  }

  std::map<std::string, std::function<void(const WireJson&)>> scripted;
  std::optional<Session> session;
};

// F14
TEST_F(AskingTransport, ACallbackMayReadWhatItsOwnThreadWaitsFor) {
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.pool_threads = 0});
  std::promise<bool> inner;
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    inner.set_value(session->call("inner").get().has_value());
    return allow();
  };
  WireJson outer;
  when_asked("outer", [&](const WireJson& line) {
    outer = line;
    ask_permission("p1");
  });
  when_asked("inner", [&](const WireJson& line) {
    cli.answer(outer, {{"number", 1}});
    cli.answer(line, {{"number", 2}});
  });
  begin();
  EXPECT_TRUE(session->call("outer").get());
  // On whichever thread it runs, it may be the last to know.
  EXPECT_TRUE(inner.get_future().get());
}

// F14
TEST_F(AskingTransport, WhatWasReadBeforeAnInlineCallbackDoesNotWaitForIt) {
  options.permission_inline = true;
  std::optional<Turn> turn;
  std::promise<void> taken;
  std::future<void> was_taken = taken.get_future();
  std::thread taker;
  std::thread::id reader;
  options.can_use_tool = [&](const ToolRequest& request) -> Permission {
    if (request.tool_use_id == "first") {
      reader = std::this_thread::get_id();
      taker = std::thread([&] {
        turn->next();
        taken.set_value();
      });
      // While this thread reads, the other one goes to sleep.
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(session->call("tick").get());
    } else if (std::this_thread::get_id() == reader) {
      was_taken.wait();
    }
    return allow();
  };
  WireJson outer;
  when_asked("tick", [&](const WireJson& line) { cli.answer(line, WireJson::object()); });
  when_asked("outer", [&](const WireJson& line) {
    outer = line;
    ask_permission("first");
  });
  when_asked("first", [&](const WireJson&) {
    cli.inject_line(assistant("for the other one"));
    ask_permission("second");
  });
  when_asked("second", [&](const WireJson&) { cli.answer(outer, WireJson::object()); });
  begin();
  turn = session->send("a prompt");
  EXPECT_TRUE(session->call("outer").get());
  taker.join();
}

}  // namespace
}  // namespace claude::test
