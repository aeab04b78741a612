// Hooks that are slow, fail, answer later or are withdrawn.
#include <future>
#include <thread>

#include "session/fixture.h"
#include "session/own_transport.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class HookFailures : public SimTest {
 protected:
  HookFailures() {
    options.allowed_tools = {"Bash"};
    play_turn(kMakeThenDone);
  }
  WireJson answer() {
    return wire->answer_to(wire->their_requests("hook_callback").at(0))["response"];
  }
};

// S115 S180
TEST_F(HookFailures, AnExceptionLetsThingsGoOn) {
  options.hooks.pre_tool_use(
      [](const PreToolUse&) -> Verdict<PreToolUse> { throw std::runtime_error("disk full"); });
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));
  EXPECT_EQ(answer(), WireJson::parse(R"({"continue": true})"));
  EXPECT_THAT(log.at(LogLevel::error), Contains(HasSubstr("disk full")));
}

TEST_F(HookFailures, WhatIsNoStdExceptionDoesToo) {
  options.hooks.pre_tool_use([](const PreToolUse&) -> Verdict<PreToolUse> { throw 42; });
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));
}

TEST_F(HookFailures, OnFailureBlockStopsTheTool) {
  options.hooks.pre_tool_use(
      [](const PreToolUse&) -> Verdict<PreToolUse> { throw std::runtime_error("disk full"); },
      {.on_failure = OnFailure::block});
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre(HasSubstr("hook failed")));
  EXPECT_EQ(answer()["hookSpecificOutput"]["permissionDecision"], "deny");
  WireJson registered = wire->our_requests("initialize")[0]["request"]["hooks"]["PreToolUse"][0];
  EXPECT_EQ(registered["onFailure"], "block");
}

// S117 S96 F13
TEST_F(HookFailures, ALateHookIsAnsweredForNamedAndCancelled) {
  Gate cancelled;
  options.hooks.pre_tool_use(
      [cancelled](const PreToolUse& call) mutable {
        call.cancel.on_request([cancelled]() mutable { cancelled.open(); });
        cancelled.wait();
        return deny("too late to matter");
      },
      {.timeout = 20ms});
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));
  EXPECT_TRUE(cancelled.wait());
  EXPECT_EQ(answer(), WireJson::parse(R"({"continue": true})"));
  EXPECT_THAT(log.at(LogLevel::warning), Contains(HasSubstr("hook_0 (PreToolUse)")));
}

TEST_F(HookFailures, TheTimeoutOfAllHooksIsAnOption) {
  options.timeouts.hook = 30ms;
  Gate cancelled;
  options.hooks.pre_tool_use([cancelled](const PreToolUse& call) mutable {
    call.cancel.on_request([cancelled]() mutable { cancelled.open(); });
    cancelled.wait();
    return proceed();
  });
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));
}

TEST_F(HookFailures, ADroppedReplyLetsThingsGoOn) {
  options.hooks.pre_tool_use([](PreToolUse, Reply<Verdict<PreToolUse>>) {});
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));
  EXPECT_THAT(log.at(LogLevel::error), Contains(HasSubstr("dropped")));
}

TEST_F(HookFailures, AReplyMayComeLaterFromAnotherThread) {
  std::thread elsewhere;
  options.hooks.pre_tool_use([&](PreToolUse call, Reply<Verdict<PreToolUse>> reply) {
    elsewhere = std::thread([call = std::move(call), reply = std::move(reply)]() mutable {
      reply(deny("not " + std::string(call.tool_input["command"].text())));
    });
  });
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre(HasSubstr("not make")));
  elsewhere.join();
}

// S17 S116 F13
TEST_F(HookFailures, ASlowHookHoldsUpNothingElse) {
  Gate inside;
  Gate release;
  options.hooks.user_prompt_submit([&](const UserPromptSubmit&) {
    inside.open();
    release.wait();
    return proceed();
  });
  Session session = start();
  Turn turn = session.send("go");
  inside.wait();

  // Reading and writing go on meanwhile, and so does another session.
  EXPECT_TRUE(session.set_model("haiku").get());
  EXPECT_TRUE(session.mcp_status().get());

  release.open();
  EXPECT_EQ(said(std::move(turn)), "Done.");
}

TEST_F(HookFailures, AnInlineHookRunsOnTheThreadThatReads) {
  std::thread::id ran;
  options.hooks.pre_tool_use(
      [&](const PreToolUse&) {
        ran = std::this_thread::get_id();
        return proceed();
      },
      {.run_inline = true});
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.lease = 30s});
  Session session = start();
  EXPECT_EQ(said(session.send("go")), "Done.");
  EXPECT_EQ(ran, std::this_thread::get_id());
}

TEST_F(HookFailures, AnInlineHookThatThrowsIsAFailureLikeAnyOther) {
  options.hooks.pre_tool_use(
      [](const PreToolUse&) -> Verdict<PreToolUse> { throw std::runtime_error("disk full"); },
      {.run_inline = true});
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));
}

// ---- In memory ---------------------------------------------------------------------------------

class HookFailuresInMemory : public SimTest {
 protected:
  HookFailuresInMemory() { options.transport = cli.factory(); }
  Session start() {
    Session session = SimTest::start();
    cli.next();  // initialize
    return session;
  }
  static WireJson callback(const std::string& id, WireJson input) {
    input["hook_event_name"] = "PreToolUse";
    return {{"subtype", "hook_callback"}, {"callback_id", id}, {"input", input}};
  }
  static WireJson input() {
    return {{"session_id", "s"},
            {"transcript_path", "/t"},
            {"cwd", "/"},
            {"tool_name", "Bash"},
            {"tool_input", {{"command", "make"}}}};
  }
  MemoryCli cli;
};

TEST_F(HookFailuresInMemory, TheCliMayWithdrawWhatItAsked) {
  Gate inside;
  std::promise<bool> withdrawn;
  options.hooks.pre_tool_use([&](const PreToolUse& call) {
    Gate requested;
    call.cancel.on_request([&] { requested.open(); });
    inside.open();
    requested.wait();
    withdrawn.set_value(call.cancel.requested());
    return deny("nobody hears this");
  });
  Session session = start();
  cli.ask("a", callback("hook_0", input()));
  inside.wait();
  cli.inject_line({{"type", "control_cancel_request"}, {"request_id", "a"}});

  EXPECT_TRUE(withdrawn.get_future().get());
  // The next thing written is not an answer to it.
  session.set_model("opus");
  EXPECT_EQ(cli.next()["request"]["subtype"], "set_model");
}

// S111
TEST_F(HookFailuresInMemory, InputThatDoesNotFitIsLoggedAndGoesOn) {
  options.hooks.pre_tool_use([](const PreToolUse&) {
    ADD_FAILURE() << "there is nothing to call it with";
    return proceed();
  });
  Session session = start();
  WireJson broken = input();
  broken["tool_name"] = 7;
  cli.ask("a", callback("hook_0", broken));

  WireJson answer = cli.next()["response"];
  EXPECT_EQ(answer["request_id"], "a");
  EXPECT_EQ(answer["subtype"], "success");
  EXPECT_EQ(answer["response"], WireJson::parse(R"({"continue": true})"));
  EXPECT_THAT(log.at(LogLevel::error), Contains(HasSubstr("tool_name")));
}

// S115
TEST_F(HookFailuresInMemory, OnFailureBlockHoldsForARequestWithoutInput) {
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); },
                             {.on_failure = OnFailure::block});
  Session session = start();
  cli.ask("a", {{"subtype", "hook_callback"}, {"callback_id", "hook_0"}});
  WireJson answer = cli.next()["response"];
  EXPECT_EQ(answer["response"]["hookSpecificOutput"]["permissionDecision"], "deny");
}

// S118
TEST_F(HookFailuresInMemory, AnUnknownCallbackGoesOn) {
  options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); });
  Session session = start();
  cli.ask("a", callback("hook_9", input()));
  WireJson answer = cli.next()["response"];
  EXPECT_EQ(answer["request_id"], "a");
  EXPECT_EQ(answer["response"], WireJson::parse(R"({"continue": true})"));
  EXPECT_THAT(log.at(LogLevel::error), Contains(HasSubstr("hook_9")));
}

class WithdrawnHooks : public OwnTransport {
 protected:
  void ask_and_withdraw(const std::string& id) {
    ask(id);
    cli.inject_line({{"type", "control_cancel_request"}, {"request_id", id}});
  }
  void ask(const std::string& id) { cli.ask(id, bash(id)); }
  static WireJson bash(const std::string& id) {
    return {{"subtype", "hook_callback"},
            {"callback_id", "hook_0"},
            {"input", {{"tool_name", "Bash"}, {"tool_input", {{"id", id}}}}}};
  }
};

// A CLI that withdraws what it asks may not keep callbacks, and their lines, without end.
TEST_F(WithdrawnHooks, CountAsLongAsTheirCallbacksAreAtWork) {
  Gate go;
  options.limits.open_asks = 2;
  options.hooks.pre_tool_use([go](const PreToolUse&) mutable {
    go.wait();
    return proceed();
  });
  Session session = start();
  for (int i = 0; i < 8; ++i) ask_and_withdraw("h" + std::to_string(i));
  ask("one too many");

  const WireJson answer = cli.next()["response"];
  EXPECT_EQ(answer["request_id"], "one too many");
  EXPECT_EQ(answer["response"], WireJson::parse(R"({"continue": true})"));
  go.open();
}

TEST_F(WithdrawnHooks, CountAsLongAsTheirReplyIsKept) {
  options.limits.open_asks = 2;
  std::vector<Reply<Verdict<PreToolUse>>> kept;
  Gate called_once_more;
  options.hooks.pre_tool_use(
      [&, called_once_more](const PreToolUse& call, Reply<Verdict<PreToolUse>> reply) mutable {
        kept.push_back(std::move(reply));
        if (call.tool_input["id"].text() == "one more") called_once_more.open();
      },
      {.run_inline = true});
  Session session = start();
  for (int i = 0; i < 8; ++i) ask_and_withdraw("h" + std::to_string(i));
  ask("one too many");
  EXPECT_EQ(cli.next()["response"]["request_id"], "one too many");
  EXPECT_EQ(kept.size(), 8u);

  kept.clear();
  ask("one more");
  ASSERT_TRUE(called_once_more.wait());
  EXPECT_FALSE(cli.has_line());
  kept.clear();
  EXPECT_EQ(cli.next()["response"]["request_id"], "one more");
}

TEST_F(WithdrawnHooks, LeaveThreadsToTheHooksOfOthers) {
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.pool_threads = 8});
  MemoryCli neighbor;
  Options others = options;
  others.transport = neighbor.factory();
  others.hooks.pre_tool_use([](const PreToolUse&) { return deny("policy"); });
  Session other = Session::start(others).value();
  neighbor.next();  // initialize

  Gate go;
  options.hooks.pre_tool_use([go](const PreToolUse&) mutable {
    go.wait();
    return proceed();
  });
  options.limits.open_asks = 2;
  Session session = start();
  for (int i = 0; i < 8; ++i) ask_and_withdraw("h" + std::to_string(i));
  EXPECT_EQ(cli.next()["response"]["request_id"], "h4") << "half of the threads are for others";
  neighbor.ask("mine", bash("mine"));
  EXPECT_EQ(neighbor.next()["response"]["response"]["hookSpecificOutput"]["permissionDecision"],
            "deny");
  go.open();
}

// Nor have them wait for their session one inside the other until the stack is used up.
TEST_F(WithdrawnHooks, AreNotNestedWithoutEnd) {
  std::optional<Session> session;
  int depth = 0, deepest = 0, asked = 0;
  cli.on_write = [&, otherwise = cli.on_write](const WireJson& line) {
    const bool asks = line["type"] == "control_request";
    if (!asks || line["request"]["subtype"] != "set_model") return otherwise(line);
    if (++asked < 20) ask_and_withdraw("h" + std::to_string(asked));
    cli.answer(line, {{"model", "opus"}});
  };
  options.limits.open_asks = 2;
  options.hooks.pre_tool_use(
      [&](const PreToolUse&) {
        deepest = std::max(deepest, ++depth);
        EXPECT_TRUE(session->set_model("opus").get());
        --depth;
        return proceed();
      },
      {.run_inline = true});
  session = start();
  EXPECT_TRUE(session->set_model("opus").get());
  EXPECT_EQ(deepest, 8);
}

TEST_F(WithdrawnHooks, CountWithTheirLinesAsLongAsTheirCallbacksAreAtWork) {
  Gate go;
  options.limits.ask_bytes = 5'000;
  options.hooks.pre_tool_use([go](const PreToolUse&) mutable {
    go.wait();
    return proceed();
  });
  Session session = start();
  ask_and_withdraw("first" + std::string(1'000, 'x'));  // stands in the line twice
  ask_and_withdraw("second" + std::string(1'000, 'x'));
  ask("one too many" + std::string(1'000, 'x'));

  const WireJson answer = cli.next()["response"];
  EXPECT_THAT(answer["request_id"], ::testing::StartsWith("one too many"));
  go.open();
}

TEST_F(WithdrawnHooks, AreForgottenWithTheirLinesWhenTheirCallbacksHaveEnded) {
  options.limits.ask_bytes = 5'000;
  std::atomic<int> called = 0;
  options.hooks.pre_tool_use([&](const PreToolUse&) {
    ++called;
    return proceed();
  });
  Session session = start();
  for (int i = 0; i < 10; ++i) {
    ask(std::to_string(i) + std::string(1'000, 'x'));
    cli.next();
  }
  EXPECT_EQ(called, 10);
}

}  // namespace
}  // namespace claude::test
