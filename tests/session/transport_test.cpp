// Sessions over a transport of the user's own: here one whose CLI is played by the test.
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <latch>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "session/own_transport.h"
#include "session/thread_state.h"

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

// Neither a descriptor nor time tells of the end: only the stream.
TEST_F(OwnTransport, ClosingEndsWithTheStreamWhereNoProcessIsWatched) {
  options.timeouts.exit_grace = std::chrono::hours(1);
  cli.on_close = [] {};
  Session session = start();
  EXPECT_EQ(closed_while(session, [&] { cli.end(); }), EndStage::input_closed);
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

WireJson hook() {
  return {{"subtype", "hook_callback"},
          {"callback_id", "hook_0"},
          {"input",
           {{"hook_event_name", "PreToolUse"},
            {"session_id", "s"},
            {"transcript_path", "/t"},
            {"cwd", "/"},
            {"tool_name", "Bash"},
            {"tool_input", WireJson::object()}}}};
}

// A session that this thread reads. Callbacks return only while it sleeps: else it might be first
// to write what they answer.
class WritesApart : public OwnTransport {
 protected:
  WritesApart() {
    cli.writes_apart = true;
    options.runtime = std::make_shared<Runtime>(RuntimeOptions{.lease = std::chrono::hours(1)});
    options.hooks.pre_tool_use([this, reader = ::gettid()](const PreToolUse&) {
      callbacks_ran_on.insert(std::this_thread::get_id());
      wait_until_asleep(reader);
      return proceed();
    });
    cli.on_write = [this, otherwise = cli.on_write](const WireJson& line) {
      const bool is_answer = line["type"] == "control_response";
      is_answer ? on_answer(line) : otherwise(line);
    };
  }

  std::function<void(const WireJson&)> on_answer;
  std::set<std::thread::id> callbacks_ran_on;
};

// The CLI does not go on before it has seen that its message was read.
TEST_F(WritesApart, IsReadMeanwhile) {
  std::latch was_read(1);
  on_answer = [&](const WireJson&) {
    cli.inject_line(assistant("while you write"));
    was_read.wait();
  };
  Session session = start();
  Turn turn = session.send("go");
  WireJson prompt = cli.next();
  cli.ask("ask-1", hook());
  std::optional<Message> message = turn.next();
  was_read.count_down();
  ASSERT_TRUE(message);
  EXPECT_EQ(std::get<AssistantMessage>(*message).text(), "while you write");
  cli.inject_line(result_for(prompt));
  EXPECT_TRUE(turn.result());
  session.close();  // not before the write is over, which uses what is on this stack
}

// The next question comes before the answer to the last is all written.
TEST_F(WritesApart, CallbacksOneAfterTheOtherNeedOneThread) {
  std::latch was_read(1);
  WireJson prompt;
  on_answer = [&](const WireJson& answer) {
    if (answer["response"]["request_id"] != "ask-1") return cli.inject_line(result_for(prompt));
    cli.ask("ask-2", hook());
    cli.inject_line(assistant("after the question"));
    was_read.wait();
  };
  Session session = start();
  Turn turn = session.send("go");
  prompt = cli.next();
  cli.ask("ask-1", hook());
  EXPECT_TRUE(turn.next());
  was_read.count_down();
  EXPECT_TRUE(turn.result());
  session.close();
  EXPECT_EQ(callbacks_ran_on.size(), 1u);
}

TEST_F(OwnTransport, WhatACancelFunctionOwnsMayWaitForTheAnswerAsItGoes) {
  Gate written;
  options.hooks.pre_tool_use([written](const PreToolUse& call) {
    std::shared_ptr<void> owned(nullptr, [written](void*) mutable { EXPECT_TRUE(written.wait()); });
    call.cancel.on_request([owned] {});
    return proceed();
  });
  WireJson prompt;
  cli.on_write = [&, otherwise = cli.on_write](const WireJson& line) {
    if (line["type"] != "control_response") return otherwise(line);
    written.open();
    cli.inject_line(result_for(prompt));
  };
  Session session = start();
  Turn turn = session.send("go");
  prompt = cli.next();
  cli.ask("ask-1", hook());
  EXPECT_TRUE(turn.result());
  session.close();
}

// S22
TEST_F(OwnTransport, OnlyTheSessionUsesItOneThreadAtATime) {
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); });
  Session session = start();
  constexpr int kAsks = 20;
  std::thread asking([&] {
    for (int i = 0; i < kAsks; ++i) {
      cli.ask("ask-" + std::to_string(i), hook());
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

// It may lead to another machine.
TEST_F(OwnTransport, NeedsNoCliOnThisMachine) {
  options.cli_path = "/opt/far/away/claude";
  options.cwd = "/srv/far/away";
  start().close();
  EXPECT_EQ(cli.command().program, "/opt/far/away/claude");
  EXPECT_EQ(cli.command().cwd, "/srv/far/away");
}

TEST_F(OwnTransport, AFactoryThatFailsFailsTheStart) {
  options.transport = [](const Command&) -> Result<std::unique_ptr<Transport>> {
    return std::unexpected(Error{.code = Errc::spawn_failed, .message = "no line to the moon"});
  };
  Error error = start_error();
  EXPECT_EQ(error.code, Errc::spawn_failed);
  EXPECT_EQ(error.message, "no line to the moon");
}

}  // namespace
}  // namespace claude::test
