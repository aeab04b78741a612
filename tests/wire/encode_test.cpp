// Lines as they stand on the wire.
#include "wire/encode.h"

#include "wire/support.h"

#include <gtest/gtest.h>

#include <concepts>
#include <deque>

namespace claude::wire {
namespace {

// As it is found in a line.
RequestId id(std::string_view text) {
  static std::deque<std::string> lines;
  return {text, RawJson(lines.emplace_back(Json(text).dump()))};
}

// What each of them writes.
std::string encode_request(std::string_view request_id, const Request& request) {
  std::string out;
  append_request(out, request_id, request);
  return out;
}
std::string encode_user(const Json& content, std::string_view uuid,
                        std::string_view priority = {}) {
  std::string out;
  append_user(out, content, uuid, priority);
  return out;
}
std::string encode_success(const RequestId& id, std::string_view payload) {
  std::string out;
  append_success(out, id, payload);
  return out;
}
std::string encode_error(const RequestId& id, std::string_view error, std::string_view code = {}) {
  std::string out;
  append_error(out, id, error, code);
  return out;
}

// The lines come one behind the other.
TEST(Encode, ALineIsWrittenBehindWhatIsThere) {
  std::string out = "before\n";
  append_success(out, id("r"), "");
  EXPECT_EQ(out, "before\n" + encode_success(id("r"), ""));
}

// S23 S44
TEST(Encode, Requests) {
  EXPECT_EQ(
      encode_request("req_1_9f", interrupt_request(false)),
      R"({"type":"control_request","request_id":"req_1_9f","request":{"subtype":"interrupt"}})"
      "\n");
  EXPECT_EQ(
      encode_request("r", request("get_usage", Json::object({{"skip_behaviors", true}}))),
      R"({"type":"control_request","request_id":"r","request":{"subtype":"get_usage","skip_behaviors":true}})"
      "\n");
}

// S139
TEST(Encode, Interrupt) {
  EXPECT_EQ(interrupt_request(false).json, R"({"subtype":"interrupt"})");
  EXPECT_EQ(interrupt_request(true).json, R"({"subtype":"interrupt","cancel_queued":true})");
}

// S130 S140
TEST(Encode, PermissionModes) {
  const auto line = [](PermissionMode mode) { return set_permission_mode_request(mode).json; };
  EXPECT_EQ(line(PermissionMode::standard),
            R"({"subtype":"set_permission_mode","mode":"default"})");
  EXPECT_EQ(line(PermissionMode::accept_edits),
            R"({"subtype":"set_permission_mode","mode":"acceptEdits"})");
  EXPECT_EQ(to_wire(PermissionMode::bypass_permissions), "bypassPermissions");
  EXPECT_EQ(to_wire(PermissionMode::plan), "plan");
  EXPECT_EQ(to_wire(PermissionMode::dont_ask), "dontAsk");
  EXPECT_EQ(to_wire(PermissionMode::automatic), "auto");
  EXPECT_EQ(permission_mode("dontAsk"), PermissionMode::dont_ask);
  EXPECT_EQ(permission_mode("bogus"), std::nullopt);
}

// S141
TEST(Encode, SetModel) {
  EXPECT_EQ(set_model_request("opus").json, R"({"subtype":"set_model","model":"opus"})");
  EXPECT_EQ(set_model_request(std::nullopt).json, R"({"subtype":"set_model","model":null})");
}

// S142
TEST(Encode, RewindFiles) {
  EXPECT_EQ(rewind_files_request("4f", false).json,
            R"({"subtype":"rewind_files","user_message_id":"4f"})");
  EXPECT_EQ(rewind_files_request("4f", true).json,
            R"({"subtype":"rewind_files","user_message_id":"4f","dry_run":true})");
}

// S143
TEST(Encode, McpStatus) {
  EXPECT_EQ(mcp_status_request().json, R"({"subtype":"mcp_status"})");
}

TEST(Encode, AnyOtherRequest) {
  const Request asked = request("initialize", Json::object({{"hooks", nullptr}}));
  EXPECT_EQ(asked.subtype, "initialize");
  EXPECT_EQ(asked.json, R"({"subtype":"initialize","hooks":null})");
  EXPECT_EQ(request("initialize", nullptr).json, R"({"subtype":"initialize"})");
  EXPECT_EQ(request("a", Json::object({{"subtype", "b"}})).json, R"({"subtype":"a"})");
}

// S49 S50 S59
TEST(Encode, Prompts) {
  EXPECT_EQ(
      encode_user("Hello", "4f"),
      R"({"type":"user","session_id":"","message":{"role":"user","content":"Hello"},"parent_tool_use_id":null,"uuid":"4f"})"
      "\n");
  const Json blocks = Json::array({Json::object({{"type", "text"}, {"text", "a\nb"}})});
  EXPECT_EQ(
      encode_user(blocks, "", "now"),
      R"({"type":"user","session_id":"","message":{"role":"user","content":[{"type":"text","text":"a\nb"}]},"parent_tool_use_id":null,"priority":"now"})"
      "\n");
}

// S24 S31
TEST(Encode, Answers) {
  EXPECT_EQ(
      encode_success(id("r"), R"({"a":1})"),
      R"({"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"a":1}}})"
      "\n");
  EXPECT_EQ(encode_success(id("r"), ""),
            R"({"type":"control_response","response":{"subtype":"success","request_id":"r"}})"
            "\n");
  EXPECT_EQ(
      encode_error(id("r"), "Unsupported control request subtype: x", "unsupported_request"),
      R"({"type":"control_response","response":{"subtype":"error","request_id":"r","error":"Unsupported control request subtype: x","error_code":"unsupported_request"}})"
      "\n");
  EXPECT_EQ(
      encode_error(id("r"), "no"),
      R"({"type":"control_response","response":{"subtype":"error","request_id":"r","error":"no"}})"
      "\n");
}

// S26
TEST(Encode, SendsAnIdBackAsItCame) {
  const auto back = [](std::string_view line) {
    return encode_success(test::decode_as<ControlRequest>(line).id, "");
  };
  EXPECT_EQ(back(R"({"type":"control_request","request_id":7,"request":{"subtype":"x"}})"),
            R"({"type":"control_response","response":{"subtype":"success","request_id":7}})"
            "\n");
  EXPECT_EQ(back(R"({"type":"control_request","request_id":"a\n","request":{"subtype":"x"}})"),
            R"({"type":"control_response","response":{"subtype":"success","request_id":"a\n"}})"
            "\n");
}

// S121
TEST(Encode, Allows) {
  const RawJson asked(R"({"command":"ls"})");
  EXPECT_EQ(encode_permission(allow(), asked),
            R"({"behavior":"allow","updatedInput":{"command":"ls"}})");
  EXPECT_EQ(encode_permission(allow().with_input(Json::object({{"command", "pwd"}})), asked),
            R"({"behavior":"allow","updatedInput":{"command":"pwd"}})");
  EXPECT_EQ(
      encode_permission(
          Permission(allow()).with_permissions({PermissionUpdate::allow_rule("Bash", "ls *")}),
          asked),
      R"({"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"}],"behavior":"allow","destination":"session"}]})");
}

// S122 S124
TEST(Encode, Denies) {
  EXPECT_EQ(encode_permission(deny("no shell"), {}), R"({"behavior":"deny","message":"no shell"})");
  EXPECT_EQ(encode_permission(Permission(deny("no")).and_interrupt(), {}),
            R"({"behavior":"deny","message":"no","interrupt":true})");
  EXPECT_EQ(encode_permission(deny(""), {}), R"({"behavior":"deny","message":""})");
  static_assert(!std::constructible_from<Permission, Ask>);
}

// S123
TEST(Encode, NamesTheToolUseThatAPermissionIsFor) {
  EXPECT_EQ(encode_permission(deny("no"), {}, "toolu_1"),
            R"({"behavior":"deny","message":"no","toolUseID":"toolu_1"})");
  EXPECT_EQ(encode_permission(allow(), RawJson("{}"), "toolu_1"),
            R"({"behavior":"allow","updatedInput":{},"toolUseID":"toolu_1"})");
}

// S125
TEST(Encode, PermissionUpdatesComeBackEqual) {
  using Update = PermissionUpdate;
  Update rules = Update::allow_rule("Read");
  rules.kind = Update::Kind::replace_rules;
  rules.behavior = Update::Behavior::ask;
  rules.destination = Update::Destination::project_settings;
  Update remove = rules;
  remove.kind = Update::Kind::remove_rules;
  remove.destination = Update::Destination::cli_arg;
  Update add;
  add.kind = Update::Kind::add_directories;
  add.directories = {"/a", "/b"};
  Update mode = Update::set_mode(PermissionMode::plan);
  for (const Update& update : {rules, remove, add, mode, Update::allow_rule("Bash", "ls *")}) {
    EXPECT_EQ(decode_permission_update(encode_permission_update(update)), update);
  }
  EXPECT_EQ(encode_permission_update(add).dump(),
            R"({"type":"addDirectories","directories":["/a","/b"],"destination":"session"})");
  EXPECT_EQ(encode_permission_update(mode).dump(),
            R"({"type":"setMode","mode":"plan","destination":"session"})");
}

// S134
TEST(Encode, McpResponses) {
  EXPECT_EQ(encode_mcp_response(Json::object({{"jsonrpc", "2.0"}, {"id", 0}})),
            R"({"mcp_response":{"jsonrpc":"2.0","id":0}})");
}

// S103 S104 S106
TEST(Encode, HookOutputs) {
  HookOutput all{.continue_run = false,
                 .stop_reason = "s",
                 .suppress_output = true,
                 .decision = "block",
                 .reason = "r",
                 .system_message = "m",
                 .async = true,
                 .async_timeout_ms = 5000,
                 .specific = Json::object({{"additionalContext", "c"}})};
  EXPECT_EQ(
      encode_hook_output(all, "Stop"),
      R"({"continue":false,"stopReason":"s","suppressOutput":true,"decision":"block","reason":"r","systemMessage":"m","async":true,"asyncTimeout":5000,"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"c"}})");
  EXPECT_EQ(encode_hook_output(HookOutput{}, "Stop"), "{}");
}

// S5
TEST(Encode, NeverWritesANewlineButTheLast) {
  const std::string nasty = "a\nb\r\n\x01\"\\ \xE2\x80\xA8 \xFF";
  const Json json = Json::object({{nasty, nasty}});
  for (const std::string& line :
       {encode_user(nasty, nasty, nasty), encode_request(nasty, request(nasty, json)),
        encode_success(id(nasty), "{\"a\":\n1}"), encode_error(id(nasty), nasty, nasty)}) {
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    EXPECT_TRUE(test::Oracle::accept(line)) << line;
  }
  for (const std::string& payload :
       {encode_hook_output(HookOutput{.continue_run = {},
                                      .stop_reason = nasty,
                                      .suppress_output = {},
                                      .decision = {},
                                      .reason = {},
                                      .system_message = {},
                                      .async = {},
                                      .async_timeout_ms = {},
                                      .specific = json},
                           nasty),
        encode_permission(deny(nasty), {}, nasty), encode_mcp_response(json),
        encode_permission(allow(), RawJson("{\n}"))}) {
    EXPECT_EQ(payload.find('\n'), payload.npos) << payload;
    EXPECT_TRUE(test::Oracle::accept(payload)) << payload;
  }
}

}  // namespace
}  // namespace claude::wire
