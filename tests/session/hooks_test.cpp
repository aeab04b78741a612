// Hooks: what they are told, and what their verdicts do.
#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class HookEvents : public SimTest {
 protected:
  HookEvents() { options.allowed_tools = {"Bash"}; }

  // What we answered to the n-th hook callback.
  WireJson answer(std::size_t n = 0) {
    std::vector<WireJson> asked = wire->their_requests("hook_callback");
    return n < asked.size() ? wire->answer_to(asked[n])["response"] : nullptr;
  }
};

// S100 S101 S178
TEST_F(HookEvents, BeforeAToolTellItsInput) {
  play_turn(kMakeThenDone);
  options.hooks.pre_tool_use([&](const PreToolUse& call) {
    EXPECT_EQ(call.hook_event_name, "PreToolUse");
    EXPECT_EQ(call.tool_name, "Bash");
    EXPECT_EQ(call.tool_input["command"].text(), "make");
    EXPECT_EQ(call.cwd, project.path().string());
    EXPECT_FALSE(call.session_id.empty());
    EXPECT_FALSE(call.transcript_path.empty());
    EXPECT_EQ(*call.permission_mode, "default");
    EXPECT_FALSE(call.tool_use_id.empty());
    return proceed();
  });
  Seen seen = watch(start().send("go"));
  EXPECT_THAT(seen.tool_results(), ElementsAre("made"));
  EXPECT_EQ(answer(), WireJson::parse(R"({"continue": true})"));
}

// S102
TEST_F(HookEvents, AfterAToolTellItsResponse) {
  play_turn(kMakeThenDone);
  options.hooks.post_tool_use("Bash", [](const PostToolUse& call) {
    EXPECT_EQ(call.tool_name, "Bash");
    EXPECT_EQ(call.tool_input["command"].text(), "make");
    EXPECT_EQ(call.tool_response["stdout"].text(), "made");
    EXPECT_TRUE(call.duration_ms);
    return proceed();
  });
  watch(start().send("go"));
  EXPECT_EQ(wire->callbacks().size(), 1u);
}

// S98 S185
TEST_F(HookEvents, AllSixAreCalled) {
  options.allowed_tools = {"Bash", "Agent"};
  play_turn(R"([{"tool": "Agent",
                 "input": {"description": "help", "prompt": "help", "run_in_background": false},
                 "agent": [{"text": "helped"}]},
                {"tool": "Bash", "input": {"command": "make"}, "output": "made"},
                {"text": "Done."}])");
  std::mutex mutex;
  std::set<std::string> called;
  auto note = [&](const auto& event) {
    std::lock_guard lock(mutex);
    called.insert(std::string(event.hook_event_name));
    return proceed();
  };
  options.hooks.pre_tool_use([&](const PreToolUse& event) { return note(event); });
  options.hooks.post_tool_use([&](const PostToolUse& event) { return note(event); });
  options.hooks.user_prompt_submit([&](const UserPromptSubmit& event) {
    EXPECT_EQ(event.prompt, "go");
    return note(event);
  });
  options.hooks.stop([&](const Stop& event) {
    EXPECT_FALSE(event.stop_hook_active);
    EXPECT_EQ(*event.last_assistant_message, "Done.");
    return note(event);
  });
  options.hooks.subagent_stop([&](const SubagentStop& event) {
    EXPECT_FALSE(event.stop_hook_active);
    return note(event);
  });
  options.hooks.pre_compact([&](const PreCompact& event) {
    EXPECT_EQ(event.trigger, "manual");
    EXPECT_EQ(*event.custom_instructions, "keep the plan");
    return note(event);
  });
  Session session = start();
  EXPECT_EQ(said(session.send("go")), "Done.");
  session.send("/compact keep the plan").result();

  EXPECT_THAT(called, UnorderedElementsAre("PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop",
                                           "SubagentStop", "PreCompact"));
}

// S112 S113
TEST_F(HookEvents, SeveralCallbacksOfOneEventAreAllCalled) {
  play_turn(kMakeThenDone);
  std::atomic<int> called = 0;
  auto count = [&](const PreToolUse&) {
    ++called;
    return proceed();
  };
  options.hooks.pre_tool_use("Bash", count).pre_tool_use("Bash", count).pre_tool_use(count);
  watch(start().send("go"));

  EXPECT_EQ(called, 3);
  WireJson registered = wire->our_requests("initialize")[0]["request"]["hooks"]["PreToolUse"];
  std::vector<std::string> ids;
  for (const WireJson& entry : registered) {
    for (const WireJson& id : entry["hookCallbackIds"]) ids.push_back(id);
  }
  EXPECT_THAT(ids, ElementsAre("hook_0", "hook_1", "hook_2"));
}

// S114
TEST_F(HookEvents, AMatcherChoosesTheTools) {
  options.allowed_tools = {"Bash", "Write", "Edit"};
  play_turn(R"([{"tool": "Bash", "input": {"command": "make"}, "output": "made"},
                {"tool": "Write", "input": {"file_path": "a", "content": "A"}},
                {"text": "Done."}])");
  std::mutex mutex;
  std::vector<std::string> called;
  auto note = [&](std::string who) {
    return [&, who](const PreToolUse& call) {
      std::lock_guard lock(mutex);
      called.push_back(who + " " + std::string(call.tool_name));
      return proceed();
    };
  };
  options.hooks.pre_tool_use("Bash", note("one"));
  options.hooks.pre_tool_use("Write|Edit|MultiEdit", note("several"));
  options.hooks.pre_tool_use("W.*", note("pattern"));
  options.hooks.pre_tool_use(note("all"));
  watch(start().send("go"));

  EXPECT_THAT(called, UnorderedElementsAre("one Bash", "all Bash", "several Write", "pattern Write",
                                           "all Write"));
}

// ---- Verdicts ----------------------------------------------------------------------------------

// S105 S107
TEST_F(HookEvents, DenyAndBlockStopTheTool) {
  play_turn(R"([{"blocks": [
      {"tool": "Bash", "input": {"command": "one"}, "output": "ran"},
      {"tool": "Bash", "input": {"command": "two"}, "output": "ran"}]}, {"text": "Done."}])");
  options.hooks.pre_tool_use([](const PreToolUse& call) -> Verdict<PreToolUse> {
    if (call.tool_input["command"].text() == "one") return deny("denied so");
    return block("blocked so");
  });
  Seen seen = watch(start().send("go"));

  EXPECT_THAT(seen.tool_results(),
              UnorderedElementsAre(HasSubstr("denied so"), HasSubstr("blocked so")));
  for (std::size_t i : {0u, 1u}) {
    WireJson specific = answer(i)["hookSpecificOutput"];
    EXPECT_EQ(specific["hookEventName"], "PreToolUse");
    EXPECT_EQ(specific["permissionDecision"], "deny");
  }
}

TEST_F(HookEvents, AllowLetsATool_RunWithoutAsking) {
  options.allowed_tools = {};
  play_turn(kMakeThenDone);
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    ADD_FAILURE() << "nobody has to be asked";
    return deny("no");
  };
  options.hooks.pre_tool_use([](const PreToolUse&) { return allow(); });
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));
}

TEST_F(HookEvents, AskHasThePermissionCallbackAsked) {
  play_turn(kMakeThenDone);
  options.hooks.pre_tool_use([](const PreToolUse&) { return ask("are you sure?"); });
  int asked = 0;
  options.can_use_tool = [&](const ToolRequest& request) -> Permission {
    ++asked;
    EXPECT_EQ(*request.decision_reason, "are you sure?");
    return allow();
  };
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));
  EXPECT_EQ(asked, 1) << "although the rules allow it";
}

TEST_F(HookEvents, ModifyInputChangesWhatTheToolGets) {
  options.allowed_tools = {"Write"};
  play_turn(R"([{"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}},
                {"text": "Done."}])");
  options.hooks.pre_tool_use([](const PreToolUse& call) {
    Json input = call.tool_input.json();
    input.set("content", "changed");
    return modify_input(input);
  });
  watch(start().send("go"));
  EXPECT_EQ(project.read("a.txt"), "changed");
}

// S109
TEST_F(HookEvents, AnInputThatIsNoObjectIsWarnedOfAndLeftOut) {
  play_turn(kMakeThenDone);
  options.hooks.pre_tool_use([](const PreToolUse&) { return modify_input("no object"); });
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made"));
  EXPECT_EQ(answer(), WireJson::parse(R"({"continue": true})"));
  EXPECT_THAT(log.at(LogLevel::warning), ElementsAre(HasSubstr("no object")));
}

// S103
TEST_F(HookEvents, StopRunEndsTheTurnAndTheToolDoesNotRun) {
  options.allowed_tools = {"Write"};
  play_turn(R"([{"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}},
                {"text": "never said"}])");
  options.hooks.pre_tool_use([](const PreToolUse&) { return stop_run("enough"); });
  Seen seen = watch(start().send("go"));
  EXPECT_EQ(seen.said(), "");
  EXPECT_EQ(*seen.result->message.terminal_reason, "hook_stopped");
  EXPECT_EQ(project.read("a.txt"), "");
  EXPECT_EQ(answer()["continue"], false);
  EXPECT_EQ(answer()["stopReason"], "enough");
}

// S104
TEST_F(HookEvents, ABlockedPromptNeverReachesTheModel) {
  play_turn(R"([{"text": "never said"}])");
  options.hooks.user_prompt_submit([](const UserPromptSubmit&) { return block("not this"); });
  Seen seen = watch(start().send("go"));
  EXPECT_EQ(seen.said(), "");
  EXPECT_THAT(*seen.result->message.result, HasSubstr("not this"));
  EXPECT_EQ(answer()["decision"], "block");
  EXPECT_EQ(answer()["reason"], "not this");
}

// S104
TEST_F(HookEvents, AMessageForTheUserComesBesideTheVerdict) {
  play_turn(R"([{"text": "said"}])");
  options.hooks.user_prompt_submit([](const UserPromptSubmit&) {
    return Verdict<UserPromptSubmit>(proceed()).with_system_message("for the user");
  });
  Seen seen = watch(start().send("go"));
  EXPECT_EQ(seen.said(), "said");
  EXPECT_EQ(answer()["systemMessage"], "for the user");
  EXPECT_THAT(seen.all<Informational>(), ::testing::Contains(::testing::Field(
                                             &Informational::content, HasSubstr("for the user"))));
}

TEST_F(HookEvents, ABlockedStopMakesTheModelGoOn) {
  play_turn(R"([{"text": "I am done."}, {"text": "Now I am."}])");
  options.hooks.stop([](const Stop& event) -> Verdict<Stop> {
    if (event.stop_hook_active) return proceed();
    return block("the tests were not run");
  });
  Seen seen = watch(start().send("go"));
  EXPECT_EQ(seen.said(), "I am done.Now I am.");
  EXPECT_EQ(answer(0)["decision"], "block");
  EXPECT_EQ(answer(1)["continue"], true);
}

TEST_F(HookEvents, ContextGoesToTheModelWithTheEventsName) {
  play_turn(kMakeThenDone);
  options.hooks.post_tool_use([](const PostToolUse&) { return add_context("it took long"); });
  watch(start().send("go"));
  EXPECT_EQ(answer(), WireJson::parse(R"({"hookSpecificOutput":
      {"hookEventName": "PostToolUse", "additionalContext": "it took long"}})"));
}

// S106
TEST_F(HookEvents, AnAsyncHookIsNotWaitedFor) {
  play_turn(kMakeThenDone);
  options.hooks.post_tool_use(
      [](const PostToolUse&) { return run_async(std::chrono::milliseconds(1500)); });
  EXPECT_EQ(said(start().send("go")), "Done.");
  EXPECT_EQ(answer(), WireJson::parse(R"({"async": true, "asyncTimeout": 1500})"));
}

// S108
TEST_F(HookEvents, AVerdictThatTheCliWouldIgnoreDoesNotCompile) {
  static_assert(std::convertible_to<ModifyInput, Verdict<PreToolUse>>);
  static_assert(!std::convertible_to<ModifyInput, Verdict<PostToolUse>>);
  static_assert(!std::convertible_to<ModifyInput, Verdict<UserPromptSubmit>>);
  static_assert(!std::convertible_to<ModifyInput, Verdict<Stop>>);
  static_assert(!std::convertible_to<Ask, Verdict<PostToolUse>>);
  static_assert(!std::convertible_to<Block, Verdict<PreCompact>>);
}

TEST_F(HookEvents, AnEventWithoutATypeIsTakenByItsName) {
  std::string seen;
  options.hooks.on("SubagentStart", std::nullopt, [&](HookInput input, Reply<HookOutput> reply) {
    seen = std::string(input.hook_event_name) + " " + std::string(*input.agent_type);
    reply({.continue_run = true});
  });
  play_turn(R"([{"tool": "Agent",
                 "input": {"description": "help", "prompt": "help", "run_in_background": false},
                 "agent": [{"text": "helped"}]}, {"text": "Done."}])");
  watch(start().send("go"));
  EXPECT_THAT(seen, HasSubstr("SubagentStart "));
}

}  // namespace
}  // namespace claude::test
