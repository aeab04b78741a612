// Hooks: what they are told, by event, and how their verdicts stand on the wire.
#include "wire/decode_hooks.h"
#include "wire/encode.h"
#include "wire/names.h"
#include "wire/support.h"
#include "wire/verdicts.h"

#include <gtest/gtest.h>

#include <concepts>

namespace claude::wire {
namespace {

using namespace std::chrono_literals;
using test::paths;

template <class Event>
Event decode_input(std::string_view fields, std::string_view tool_use_id = {}) {
  const std::string input =
      R"({"session_id":"s","transcript_path":"/t.jsonl","cwd":"/w","permission_mode":"plan",)" +
      std::string(fields) + "}";
  auto event = decode_hook_input<Event>(RawJson(input), tool_use_id);
  if (!event) {
    ADD_FAILURE() << event.error().to_string();
    return Event();
  }
  return std::move(*event);
}

// S98 S100
TEST(HookInput, HasWhatAllEventsHave) {
  const auto hook = decode_input<HookInput>(
      R"("hook_event_name":"MessageDisplay","prompt_id":"p","agent_id":"a","agent_type":"helper",)"
      R"("effort":{"level":"high"},"delta":"d\n")",
      "made-up");
  EXPECT_EQ(hook.session_id, "s");
  EXPECT_EQ(hook.transcript_path, "/t.jsonl");
  EXPECT_EQ(hook.cwd, "/w");
  EXPECT_EQ(hook.permission_mode, Text("plan"));
  EXPECT_EQ(hook.hook_event_name, "MessageDisplay");
  EXPECT_EQ(hook.prompt_id, Text("p"));
  EXPECT_EQ(hook.agent_id, Text("a"));
  EXPECT_EQ(hook.agent_type, Text("helper"));
  EXPECT_EQ(hook.effort["level"].text(), "high");
  EXPECT_EQ(hook.tool_use_id, "made-up");
  EXPECT_EQ(paths(hook.other), "delta");
  EXPECT_EQ(hook.raw["delta"].text(), "d\n");
}

// S101 S178
TEST(HookInput, OfPreToolUse) {
  const auto hook = decode_input<PreToolUse>(
      R"("hook_event_name":"PreToolUse","tool_name":"Ba\u0073h","tool_input":{"command":"ls"},)"
      R"("tool_use_id":"t","mcp_server":{"name":"calc"})",
      "other");
  EXPECT_EQ(hook.tool_name, "Bash");
  EXPECT_EQ(hook.tool_input["command"].text(), "ls");
  EXPECT_EQ(hook.tool_use_id, "t");
  EXPECT_EQ(hook.mcp_server["name"].text(), "calc");
}

// S101 S178
TEST(HookInput, OfPostToolUse) {
  const auto hook = decode_input<PostToolUse>(
      R"("tool_name":"Bash","tool_input":{},"tool_response":{"stdout":"x"},"duration_ms":12)");
  EXPECT_EQ(hook.tool_response["stdout"].text(), "x");
  EXPECT_EQ(hook.duration_ms, Field<double>(12));
}

// S101 S178
TEST(HookInput, OfUserPromptSubmit) {
  const auto hook = decode_input<UserPromptSubmit>(R"("prompt":"","session_title":"t")");
  EXPECT_EQ(hook.prompt, "");
  EXPECT_EQ(hook.session_title, Text("t"));
}

// S101 S178
TEST(HookInput, OfStop) {
  const auto hook = decode_input<Stop>(
      R"("stop_hook_active":true,"last_assistant_message":"bye","background_tasks":[{}])");
  EXPECT_TRUE(hook.stop_hook_active);
  EXPECT_EQ(hook.last_assistant_message, Text("bye"));
  EXPECT_EQ(hook.background_tasks.json().size(), 1u);
}

// S101 S178
TEST(HookInput, OfSubagentStop) {
  const auto hook = decode_input<SubagentStop>(
      R"("stop_hook_active":false,"agent_id":"a","agent_transcript_path":"/a.jsonl")");
  EXPECT_FALSE(hook.stop_hook_active);
  EXPECT_EQ(hook.agent_id, Text("a"));
  EXPECT_EQ(hook.agent_transcript_path, Text("/a.jsonl"));
}

// S101 S178
TEST(HookInput, OfPreCompact) {
  const auto hook = decode_input<PreCompact>(R"("trigger":"manual","custom_instructions":null)");
  EXPECT_EQ(hook.trigger, "manual");
  EXPECT_TRUE(hook.custom_instructions.is_null());
  EXPECT_EQ(decode_input<PreCompact>(R"("trigger":"auto","custom_instructions":"short")")
                .custom_instructions,
            Text("short"));
}

// S110
TEST(HookInput, LivesWithoutTheLineItCameIn) {
  std::string line = R"({"tool_name":"B\u0061sh","tool_input":{"a":1},"new":[2]})";
  std::string id = "toolu_1";
  const PreToolUse hook = decode_hook_input<PreToolUse>(RawJson(line), id).value();
  line.assign(line.size(), '#');
  id.assign(id.size(), '#');
  EXPECT_EQ(hook.tool_name, "Bash");
  EXPECT_EQ(hook.tool_input.text(), R"({"a":1})");
  EXPECT_EQ(hook.tool_use_id, "toolu_1");
  EXPECT_EQ(hook.other[0].value.text(), "[2]");
}

TEST(HookInput, IsTheSameFromItsLineAndFromACopy) {
  const Line line = decode_line(
      R"({"type":"control_request","request_id":"1","request":{"subtype":"hook_callback","callback_id":"hook_0",)"
      R"("input": {"tool_name":"B\u0061sh", "tool_input":{"a":[1, "\n"]} , "new":[2]} ,"tool_use_id":"toolu_1"}})");
  const auto& request = std::get<ControlRequest>(line);
  const auto& call = std::get<HookCallback>(request.body);
  ASSERT_NE(request.tokens, 0u);
  const std::string_view id = call.tool_use_id.value_or("");
  for (const KeptLine& from :
       {KeptLine{request.keep, request.tokens}, KeptLine{request.keep}, KeptLine{}}) {
    const PreToolUse hook = decode_hook_input<PreToolUse>(call.input, id, from).value();
    EXPECT_EQ(hook.tool_name, "Bash");
    EXPECT_EQ(hook.tool_input.text(), R"({"a":[1, "\n"]})");
    EXPECT_EQ(hook.tool_use_id, "toolu_1");
    EXPECT_EQ(hook.raw.text(), call.input.text());
    ASSERT_EQ(hook.other.size(), 1u);
    EXPECT_EQ(hook.other[0].value.text(), "[2]");
  }
}

// S37 S111
TEST(HookInput, SaysWhichFieldIsMissing) {
  const auto where = [](const auto& event) {
    return event ? "nowhere"
                 : std::string(to_string(event.error().code)) + " " + event.error().where;
  };
  EXPECT_EQ(where(decode_hook_input<PreToolUse>(RawJson(R"({"tool_input":{}})"))),
            "missing_field input.tool_name");
  EXPECT_EQ(where(decode_hook_input<PreToolUse>(RawJson(R"({"tool_name":5,"tool_input":{}})"))),
            "missing_field input.tool_name");
  EXPECT_EQ(where(decode_hook_input<PreToolUse>(RawJson(R"({"tool_name":"Bash"})"))),
            "missing_field input.tool_input");
  EXPECT_EQ(where(decode_hook_input<PostToolUse>(RawJson(R"({"tool_name":"B","tool_input":{}})"))),
            "missing_field input.tool_response");
  EXPECT_EQ(where(decode_hook_input<UserPromptSubmit>(RawJson("{}"))),
            "missing_field input.prompt");
  EXPECT_EQ(where(decode_hook_input<PreCompact>(RawJson("{}"))), "missing_field input.trigger");
  EXPECT_EQ(where(decode_hook_input<Stop>(RawJson("[]"))), "wrong_type input");
  EXPECT_EQ(where(decode_hook_input<Stop>(RawJson())), "wrong_type input");
  EXPECT_EQ(where(decode_hook_input<Stop>(RawJson("{}"))), "nowhere");
}

template <class Event>
std::string on_wire(const Verdict<Event>& verdict, Name event) {
  return encode_hook_output(to_output(verdict), event);
}

// S105 S107
TEST(Verdict, BeforeATool) {
  const auto line = [](Verdict<PreToolUse> verdict) { return on_wire(verdict, kPreToolUse); };
  EXPECT_EQ(line(proceed()), R"({"continue":true})");
  EXPECT_EQ(
      line(deny("no")),
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}})");
  EXPECT_EQ(line(block("no")), line(deny("no")));
  EXPECT_EQ(
      line(ask("sure?")),
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}})");
  EXPECT_EQ(
      line(allow()),
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}})");
  EXPECT_EQ(
      line(allow().with_input(Json::object({{"a", 1}}))),
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"a":1}}})");
  EXPECT_EQ(line(modify_input(Json::object({{"a", 1}}))),
            R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"a":1}}})");
  EXPECT_EQ(line(add_context("c")),
            R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"c"}})");
}

// S107
TEST(Verdict, StoppingTheRunStopsTheToolToo) {
  EXPECT_EQ(
      on_wire(Verdict<PreToolUse>(stop_run("enough")), kPreToolUse),
      R"({"continue":false,"stopReason":"enough","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"enough"}})");
  EXPECT_EQ(on_wire(Verdict<Stop>(stop_run("enough")), kStop),
            R"({"continue":false,"stopReason":"enough"})");
}

template <class Event>
void expect_block_and_context(Name event) {
  EXPECT_EQ(on_wire(Verdict<Event>(block("why")), event), R"({"decision":"block","reason":"why"})");
  EXPECT_EQ(on_wire(Verdict<Event>(add_context("c")), event),
            R"({"hookSpecificOutput":{"hookEventName":")" + std::string(event) +
                R"(","additionalContext":"c"}})");
}

// S104 S105
TEST(Verdict, AfterAToolAndAroundAPromptOrATurn) {
  expect_block_and_context<PostToolUse>(kPostToolUse);
  expect_block_and_context<UserPromptSubmit>(kUserPromptSubmit);
  expect_block_and_context<Stop>(kStop);
  expect_block_and_context<SubagentStop>(kSubagentStop);
  EXPECT_EQ(on_wire(Verdict<PreCompact>(proceed()), kPreCompact), R"({"continue":true})");
}

// S106
TEST(Verdict, ToGoOnByItself) {
  EXPECT_EQ(on_wire(Verdict<PostToolUse>(run_async(5s)), kPostToolUse),
            R"({"async":true,"asyncTimeout":5000})");
}

// S104
TEST(Verdict, WithMoreBesideIt) {
  EXPECT_EQ(
      on_wire(Verdict<PreToolUse>(deny("no")).with_context("c").with_system_message("m"),
              kPreToolUse),
      R"({"systemMessage":"m","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"c"}})");
  EXPECT_EQ(
      on_wire(Verdict<Stop>(proceed()).with_context("c"), kStop),
      R"({"continue":true,"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"c"}})");
}

// S104
TEST(Verdict, WarnsOfAMessageThatTheCliDoesNotShow) {
  const auto warning_of = [](const Verdict<UserPromptSubmit>& verdict) {
    std::string warning;
    to_output(verdict, &warning);
    return warning;
  };
  using Answer = Verdict<UserPromptSubmit>;
  EXPECT_THAT(warning_of(Answer(block("no")).with_system_message("m")),
              testing::HasSubstr("in the reason"));
  EXPECT_THAT(warning_of(Answer(stop_run("no")).with_system_message("m")),
              testing::HasSubstr("in the reason"));
  EXPECT_EQ(warning_of(Answer(proceed()).with_system_message("m")), "");
  EXPECT_EQ(warning_of(Answer(block("no"))), "");
}

// S108
TEST(Verdict, IsOnlyWhatTheEventHeeds) {
  static_assert(std::constructible_from<Verdict<PreToolUse>, ModifyInput>);
  static_assert(!std::constructible_from<Verdict<PostToolUse>, ModifyInput>);
  static_assert(!std::constructible_from<Verdict<UserPromptSubmit>, ModifyInput>);
  static_assert(!std::constructible_from<Verdict<Stop>, ModifyInput>);
  static_assert(!std::constructible_from<Verdict<Stop>, Allow>);
  static_assert(!std::constructible_from<Verdict<PreCompact>, Block>);
  static_assert(!std::constructible_from<Verdict<PreCompact>, AddContext>);
}

// S109
TEST(Verdict, AnInputThatIsNoObjectIsLeftOutWithAWarning) {
  std::string warning;
  const HookOutput modified =
      to_output(Verdict<PreToolUse>(modify_input(Json::array({1}))), &warning);
  EXPECT_EQ(encode_hook_output(modified, kPreToolUse), R"({"continue":true})");
  EXPECT_NE(warning, "");

  warning.clear();
  const HookOutput allowed = to_output(Verdict<PreToolUse>(allow().with_input("x")), &warning);
  EXPECT_EQ(
      encode_hook_output(allowed, kPreToolUse),
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}})");
  EXPECT_NE(warning, "");

  warning.clear();
  to_output(Verdict<PreToolUse>(modify_input(Json::object())), &warning);
  EXPECT_EQ(warning, "");
}

// S98 S113 S114
TEST(Hooks, AreRegisteredByEventAndMatcher) {
  Hooks hooks;
  EXPECT_TRUE(hooks.empty());
  hooks.pre_tool_use("Write|Edit", [](const PreToolUse&) { return deny("no"); })
      .pre_tool_use([](const PreToolUse&) { return proceed(); }, {.timeout = 3s})
      .post_tool_use("Bash", [](const PostToolUse&) { return add_context("c"); })
      .user_prompt_submit([](const UserPromptSubmit&) { return block("b"); })
      .stop([](const Stop&) { return proceed(); })
      .subagent_stop([](const SubagentStop&) { return proceed(); })
      .pre_compact([](const PreCompact&) { return proceed(); })
      .on("SessionEnd", "clear", [](HookInput, Reply<HookOutput> reply) { reply(HookOutput()); });

  std::string events;
  for (const auto& each : hooks.registrations()) {
    events += each.event + "(" + each.matcher.value_or("-") + ") ";
  }
  EXPECT_EQ(events,
            "PreToolUse(Write|Edit) PreToolUse(-) PostToolUse(Bash) UserPromptSubmit(-) Stop(-) "
            "SubagentStop(-) PreCompact(-) SessionEnd(clear) ");
  EXPECT_EQ(hooks.registrations()[1].options.timeout, 3s);
}

}  // namespace
}  // namespace claude::wire
