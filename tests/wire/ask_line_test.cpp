// The short cut for lines that ask a PreToolUse hook, or for a permission, against the general
// decoder: never a different request, never a different event.
#include "wire/ask_line.h"

#include <gmock/gmock.h>

#include "wire/changed.h"
#include "wire/decode_hooks.h"

#include <string>
#include <vector>

namespace claude::wire {
namespace {

const std::string kEffort = R"(,"effort":{"level":"medium"})";
const std::string kInput =
    R"({"session_id":"0b6f","transcript_path":"/t.jsonl","cwd":"/p","prompt_id":"6ab1",)"
    R"("permission_mode":"default")" +
    kEffort +
    R"(,"hook_event_name":"PreToolUse","tool_name":"Bash",)"
    R"("tool_input":{"command":"ls -la","list":[1,{"a":null}]},"tool_use_id":"toolu_01"})";
const std::string kLine =
    R"({"type":"control_request","request_id":"6ab1-1","request":{"subtype":"hook_callback",)"
    R"("callback_id":"hook_0","input":)" +
    kInput + R"(,"tool_use_id":"toolu_02"}})";

const std::string kRequest =
    R"("tool_name":"Bash","display_name":"Shell","input":{"command":"ls","list":[1,{"a":null}]},)"
    R"("description":"List","permission_suggestions":[{"type":"setMode","mode":"plan"},{}],)"
    R"("blocked_path":"/p/d","server_policy_ask_only":true,"tool_use_id":"toolu_01",)"
    R"("agent_id":"a7")";
const std::string kPermission =
    R"({"type":"control_request","request_id":"6ab1-2","request":{"subtype":"can_use_tool",)" +
    kRequest + "}}";

std::string changed(std::string line, const std::string& what, const std::string& instead) {
  return line.replace(line.find(what), what.size(), instead);
}
std::string changed(const std::string& what, const std::string& instead) {
  return changed(kLine, what, instead);
}

// All that was read of a line, the id first; empty: nothing.
using Read = std::vector<std::string>;

Read read_from(const ControlRequest& request, const ToolRequest& ask) {
  Read read;
  for (std::string_view field : {request.id.text,
                                 request.id.json.text(),
                                 request.subtype,
                                 request.missing,
                                 request.line,
                                 ask.tool_name,
                                 ask.input.text(),
                                 ask.tool_use_id,
                                 ask.request_id,
                                 ask.display_name.value_or("-"),
                                 ask.title.value_or("-"),
                                 ask.description.value_or("-"),
                                 ask.blocked_path.value_or("-"),
                                 ask.decision_reason.value_or("-"),
                                 ask.decision_reason_type.value_or("-"),
                                 ask.decision_reason_code.value_or("-"),
                                 ask.decision_reason_hook_event.value_or("-"),
                                 ask.decision_reason_hook_source.value_or("-"),
                                 ask.decision_reason_rule_source.value_or("-"),
                                 ask.agent_id.value_or("-"),
                                 ask.permission_suggestions.text(),
                                 ask.matched_ask_rule.text()}) {
    read.emplace_back(field.substr(0, field.find_last_not_of(' ') + 1));
  }
  for (const Field<bool>& field :
       {ask.requires_user_interaction, ask.server_policy_ask_only, ask.classifier_approvable,
        ask.suppress_always_allow_rule, ask.default_to_no}) {
    read.emplace_back(field.is_absent() ? "-" : *field ? "true" : "false");
  }
  for (const OtherField& field : ask.other) read.push_back(field.path);
  for (const OtherField& field : request.other) read.push_back(field.path);
  read.emplace_back(ask.mcp_server ? "a server" : "none");
  read.push_back(ask.keep == request.keep ? "kept" : "lost");
  return read;
}

Read read_from(ControlRequest& request) {
  if (auto* ask = std::get_if<ToolRequest>(&request.body)) return read_from(request, *ask);
  auto* hook = std::get_if<HookCallback>(&request.body);
  if (hook == nullptr) return {};
  Read read = {std::string(request.id.text),          std::string(request.id.json.text()),
               std::string(request.subtype),          std::string(hook->callback_id),
               std::string(hook->input.text()),       std::string(hook->tool_use_id.value_or("-")),
               std::to_string(request.missing.size())};
  auto event = take_event<PreToolUse>(*hook, {request.keep, request.tokens, request.may_escape});
  if (!event) return read;
  for (std::string_view field :
       {event->session_id, event->transcript_path, event->cwd, event->prompt_id.value_or("-"),
        event->permission_mode.value_or("-"), event->effort.text(), event->hook_event_name,
        event->agent_id.value_or("-"), event->agent_type.value_or("-"), event->tool_name,
        event->tool_input.text(), event->mcp_server.text(), event->tool_use_id,
        event->raw.text()}) {
    read.emplace_back(field);
  }
  for (const OtherField& field : event->other) read.push_back(field.path);
  for (const OtherField& field : request.other) read.push_back(field.path);
  read.push_back(event->keep == request.keep ? "kept" : "lost");
  return read;
}

Read by_the_short_cut(const std::string& line) {
  Block block(line);
  Line read;
  if (!decode_ask_line(block, read)) return {};
  return read_from(std::get<ControlRequest>(read));
}

// The same line, with a blank at its end: not for the short cut.
Read in_the_general_way(const std::string& line) {
  Line decoded = decode_line(line + " ");
  auto* request = std::get_if<ControlRequest>(&decoded);
  return request ? read_from(*request) : Read{};
}

TEST(HookLine, IsReadAsTheGeneralDecoderReadsIt) {
  using testing::Contains;
  const Read read = by_the_short_cut(kLine);
  EXPECT_EQ(read, in_the_general_way(kLine));
  for (const char* part : {"6ab1-1", "\"6ab1-1\"", "hook_0", "toolu_02", "0b6f", "/t.jsonl", "/p",
                           "6ab1", "default", R"({"level":"medium"})", "PreToolUse", "Bash",
                           R"({"command":"ls -la","list":[1,{"a":null}]})", "toolu_01", "kept"}) {
    EXPECT_THAT(read, Contains(part));
  }
  EXPECT_THAT(read, Contains(kInput));
}

TEST(HookLine, MayHoldAnyInputOfTheTool) {
  for (const char* input :
       {"{}", "7", R"("text")", R"({"command":"echo \"a\" > b\n"})", R"({"text":"gr\u00fc\u00df"})",
        "{\"text\":\"gr\xc3\xbc\xc3\x9f\"}", R"([{"a":[[]]},-1.5e3,true])"}) {
    const std::string line = changed(R"({"command":"ls -la","list":[1,{"a":null}]})", input);
    EXPECT_THAT(by_the_short_cut(line), testing::Contains(input));
    EXPECT_EQ(by_the_short_cut(line), in_the_general_way(line));
  }
}

TEST(HookLine, MayHoldAnInputAsDeepAsTheGeneralDecoderTakesAndNoDeeper) {
  for (std::size_t depth = json::kMaxDepth - 4; depth <= json::kMaxDepth + 1; ++depth) {
    const std::string deep = std::string(depth, '[') + std::string(depth, ']');
    const std::string line = changed(R"({"command":"ls -la","list":[1,{"a":null}]})", deep);
    EXPECT_EQ(by_the_short_cut(line), in_the_general_way(line)) << depth;
  }
}

TEST(HookLine, MayNameNoEffort) {
  const std::string line = changed(kEffort, "");
  EXPECT_THAT(by_the_short_cut(line), testing::Not(testing::IsEmpty()));
  EXPECT_EQ(by_the_short_cut(line), in_the_general_way(line));
}

TEST(HookLine, OfAnyOtherFormIsLeftAlone) {
  for (const auto& [what, instead] :
       {std::pair<std::string, std::string>{R"(,"request")", R"(, "request")"},
        {R"("callback_id":"hook_0")", R"("callback_id":"")"},
        {R"("subtype":"hook_callback")", R"("subtype":"mcp_message")"},
        {"toolu_02\"", "toolu_02\",\"more\":1"},
        {"toolu_01\"", "toolu_01\",\"more\":1"},
        {R"("tool_use_id":"toolu_02")", R"("tool_use_id":null)"},
        {R"("tool_use_id":"toolu_02")", R"("tool_use_id":"\u0074")"},
        {R"("cwd":"/p")", R"("cwd":"\/p")"},
        {R"("cwd":"/p")", "\"cwd\":\"/\xc3\xa9\""},
        {R"("cwd":"/p")", "\"cwd\":\"/\x01\""},
        {R"("cwd":"/p")", R"("cwd":"/p","cwd":"/q")"},
        {R"("request_id":"6ab1-1")", R"("request_id":7)"}}) {
    EXPECT_EQ(by_the_short_cut(changed(what, instead)), Read{}) << instead;
  }
}

TEST(PermissionLine, IsReadAsTheGeneralDecoderReadsIt) {
  const Read read = by_the_short_cut(kPermission);
  EXPECT_EQ(read, in_the_general_way(kPermission));
  EXPECT_THAT(read, testing::IsSupersetOf({"6ab1-2", "can_use_tool", "Bash", "Shell", "List",
                                           "/p/d", "true", "toolu_01", "a7",
                                           R"({"command":"ls","list":[1,{"a":null}]})",
                                           R"([{"type":"setMode","mode":"plan"},{}])", "kept"}));
}

TEST(PermissionLine, MayLeaveOutWhatTheCliLeavesOut) {
  for (const char* part : {R"("description":"List",)", R"("blocked_path":"/p/d",)",
                           R"("permission_suggestions":[{"type":"setMode","mode":"plan"},{}],)",
                           R"("server_policy_ask_only":true,)", R"(,"agent_id":"a7")"}) {
    const std::string line = changed(kPermission, part, "");
    EXPECT_THAT(by_the_short_cut(line), testing::Not(testing::IsEmpty())) << part;
    EXPECT_EQ(by_the_short_cut(line), in_the_general_way(line));
  }
}

TEST(PermissionLine, OfAnyOtherFormIsLeftAlone) {
  for (const auto& [what, instead] :
       {std::pair<std::string, std::string>{R"("tool_name":"Bash")", R"("tool_name":"")"},
        {R"("display_name":"Shell",)", ""},
        {R"("description":"List")", R"("description":null)"},
        {R"("description":"List")", R"("description":"a \n")"},
        {R"("description":"List")", "\"description\":\"\xc3\xa9\""},
        {R"("description":"List")", R"("decision_reason":"r")"},
        {R"("command":"ls")", R"("command":"say \"a\"")"},
        {R"("command":"ls")", R"("command": "ls")"},
        {"[1,", "[1.5,"},
        {"[1,", "[01,"},
        {"null", "nul"},
        {R"("server_policy_ask_only":true)", R"("server_policy_ask_only":false)"},
        {R"("agent_id":"a7")", R"("more":1)"}}) {
    EXPECT_EQ(by_the_short_cut(changed(kPermission, what, instead)), Read{}) << instead;
  }
}

TEST(PermissionLine, IsNeverReadDifferentlyWhenItIsChanged) {
  test::expect_same_when_changed(kPermission, &by_the_short_cut, &in_the_general_way);
}

TEST(HookLine, IsNeverReadDifferentlyWhenItIsChanged) {
  test::expect_same_when_changed(kLine, &by_the_short_cut, &in_the_general_way);
}

// As a line of a session: what is broken inside of the input breaks the line.
TEST(HookLine, IsCheckedToItsLastByte) {
  EXPECT_TRUE(std::holds_alternative<ControlRequest>(decode_line(kLine)));
  for (const char* broken : {"nul", "[1{", "null}", "\"\\x\"", "\"\xff\""}) {
    EXPECT_TRUE(std::holds_alternative<BadLine>(decode_line(changed("null", broken)))) << broken;
  }
}

}  // namespace
}  // namespace claude::wire
