// Callbacks that use their own session, from the pool and on the reading thread.
#include <future>

#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The parameter: whether the callback runs inline.
class Reentry : public SimTest, public ::testing::WithParamInterface<bool> {
 protected:
  Reentry() {
    options.allowed_tools = {"Bash"};
    play(R"({"turns": [{"when": {"prompt_equals": "go"}, "model": [
        {"tool": "Bash", "input": {"command": "make"}, "output": "made"}, {"text": "Done."}]}]})");
  }
  // The hook of the test: gets the session that runs.
  void hook(std::function<void(Session&)> body) {
    options.hooks.pre_tool_use(
        [this, body = std::move(body)](const PreToolUse&) {
          body(*session);
          return proceed();
        },
        {.run_inline = GetParam()});
  }
  Turn go() {
    session = start();
    return session->send("go");
  }
  std::optional<Session> session;
};

INSTANTIATE_TEST_SUITE_P(Threads, Reentry, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "Inline" : "Pool"; });

// F14
TEST_P(Reentry, ACallbackMayWaitForAnOperation) {
  std::string model;
  hook([&](Session& own) {
    Result<ModelSet> set = own.set_model("opus").get();
    model = set ? std::string(*set->model) : set.error().to_string();
  });
  EXPECT_THAT(watch(go()).tool_results(), ElementsAre("made"));
  EXPECT_THAT(model, HasSubstr("opus"));
}

// F14
TEST_P(Reentry, ACallbackMaySendAPrompt) {
  std::optional<Turn> further;
  hook([&](Session& own) { further = own.send("more"); });
  EXPECT_EQ(said(go()), "Done.");
  ASSERT_TRUE(further);
  EXPECT_TRUE(further->result());
}

// F14
TEST_P(Reentry, ACallbackMayInterruptItsTurn) {
  hook([&](Session& own) { own.interrupt(); });
  Result<TurnResult> result = go().result();
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_TRUE(result->interrupted());
}

// F14 F17
TEST_P(Reentry, ACallbackMayCloseItsSession) {
  hook([&](Session& own) { own.close(); });
  Result<TurnResult> result = go().result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::session_stopped);
  session->close();
  EXPECT_EQ(session->state(), SessionState::stopped);
}

TEST_P(Reentry, ACallbackMayLookAtEverything) {
  std::promise<SessionState> state;
  hook([&](Session& own) {
    own.counts();
    own.events();
    state.set_value(own.state());
  });
  EXPECT_EQ(said(go()), "Done.");
  EXPECT_EQ(state.get_future().get(), SessionState::running);
}

TEST_P(Reentry, APermissionCallbackMayUseItsSessionToo) {
  options.allowed_tools = {};
  options.permission_inline = GetParam();
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    return session->set_permission_mode(PermissionMode::accept_edits).get() ? Permission(allow())
                                                                            : deny("no mode");
  };
  EXPECT_THAT(watch(go()).tool_results(), ElementsAre("made"));
}

TEST_P(Reentry, WhatACancelFunctionOwnsMayUseTheSessionAsItGoes) {
  Gate gone;
  std::shared_ptr<void> owned(nullptr, [&](void*) {
    session->counts();
    gone.open();
  });
  options.hooks.pre_tool_use(
      [&](PreToolUse call, Reply<Verdict<PreToolUse>> reply) {
        call.cancel.on_request([owned = std::exchange(owned, nullptr)] {});
        call.cancel = {};
        reply(proceed());
      },
      {.run_inline = GetParam()});
  EXPECT_EQ(said(go()), "Done.");
  EXPECT_TRUE(gone.wait());
}

// Nobody waits for the session: the runtime's own thread reads and runs what is inline.
TEST_P(Reentry, CallbacksAreServedWhileNobodyWaits) {
  std::promise<bool> set;
  hook([&](Session& own) { set.set_value(own.set_model("opus").get().has_value()); });
  Turn turn = go();
  EXPECT_TRUE(set.get_future().get());
  EXPECT_EQ(said(std::move(turn)), "Done.");
}

}  // namespace
}  // namespace claude::test
