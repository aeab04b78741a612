// Lines of the control protocol.
#include "wire/support.h"

#include "wire/encode_control.h"

#include <gmock/gmock.h>

namespace claude {
namespace {

using test::decode;
using test::decode_as;
using test::decode_request;
using test::Oracle;
using test::paths;
using testing::ElementsAre;
using wire::ControlCancel;
using wire::ControlRequest;
using wire::ControlResponse;

// S23 S99
TEST(DecodeControl, ReadsAHookRequest) {
  const auto request = decode_request<wire::HookCallback>(
      R"({"type":"control_request","request_id":"r1","request":{"subtype":"hook_callback",)"
      R"("callback_id":"hook_0","input":{"hook_event_name":"Stop"},"tool_use_id":"t"}})");
  EXPECT_EQ(request.id.text, "r1");
  EXPECT_EQ(request.subtype, "hook_callback");
  EXPECT_EQ(request.body().callback_id, "hook_0");
  EXPECT_EQ(request.body().tool_use_id, Text("t"));
  EXPECT_EQ(request.body().input["hook_event_name"].text(), "Stop");
  EXPECT_EQ(request.missing, "");
}

// S45 S119 S129
TEST(DecodeControl, ReadsAPermissionRequest) {
  const auto request = decode_request<ToolRequest>(
      R"({"type":"control_request","request_id":"r2","request":{"subtype":"can_use_tool",)"
      R"("tool_name":"Bash","display_name":"Bash","input":{"command":"ls"},"blocked_path":"/x",)"
      R"("permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}],)"
      R"("tool_use_id":"t","new":{"a":1}}})");
  const ToolRequest& ask = request.body();
  EXPECT_EQ(ask.tool_name, "Bash");
  EXPECT_EQ(ask.input["command"].text(), "ls");
  EXPECT_EQ(ask.tool_use_id, "t");
  EXPECT_EQ(ask.request_id, "r2");
  EXPECT_EQ(ask.blocked_path, Text("/x"));
  EXPECT_TRUE(ask.title.is_absent());
  EXPECT_THAT(ask.suggestions(),
              ElementsAre(PermissionUpdate::set_mode(PermissionMode::accept_edits)));
  EXPECT_EQ(paths(ask.other), "new");
  EXPECT_TRUE(ask.keep);

  const auto bare = decode_request<ToolRequest>(
      R"({"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool",)"
      R"("tool_name":"Bash","input":{}}})");
  EXPECT_TRUE(bare.body().blocked_path.is_absent());
  EXPECT_EQ(bare.missing, "");
}

// S120
TEST(DecodeControl, ReadsSuggestionsOfEveryForm) {
  const auto request = decode_request<ToolRequest>(
      R"({"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool",)"
      R"("tool_name":"Bash","input":{},"permission_suggestions":["deny",)"
      R"({"behavior":"allow","message":"m"},)"
      R"({"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"},{"toolName":"Read"}],)"
      R"("behavior":"deny","destination":"localSettings"},)"
      R"({"type":"removeDirectories","directories":["/a","/b"],"destination":"userSettings"},)"
      R"({"type":"addRules","rules":[],"behavior":"perhaps","destination":"session"}]}})");
  const auto suggestions = request.body().suggestions();
  ASSERT_EQ(suggestions.size(), 2u);
  EXPECT_EQ(suggestions[0].behavior, PermissionUpdate::Behavior::deny);
  EXPECT_EQ(suggestions[0].destination, PermissionUpdate::Destination::local_settings);
  ASSERT_EQ(suggestions[0].rules.size(), 2u);
  EXPECT_EQ(suggestions[0].rules[0].rule_content, "ls *");
  EXPECT_EQ(suggestions[0].rules[1].rule_content, std::nullopt);
  EXPECT_THAT(suggestions[1].directories, ElementsAre("/a", "/b"));
  EXPECT_EQ(request.body().permission_suggestions.json().size(), 5u);
}

// S134
TEST(DecodeControl, ReadsAnMcpMessage) {
  const auto request = decode_request<wire::McpMessage>(
      R"({"type":"control_request","request_id":"r3","request":{"subtype":"mcp_message",)"
      R"("server_name":"calc","message":{"jsonrpc":"2.0","id":0,"method":"tools/list"}}})");
  EXPECT_EQ(request.body().server_name, "calc");
  EXPECT_EQ(request.body().message["method"].text(), "tools/list");
}

// F6 F10
TEST(DecodeControl, KeepsARequestThatItDoesNotKnow) {
  const auto request = decode_request<wire::OtherRequest>(
      R"({"type":"control_request","request_id":"r4","request":{"subtype":"sing","song":"la"}})");
  EXPECT_EQ(request.subtype, "sing");
  EXPECT_EQ(request.body().body["song"].text(), "la");
  EXPECT_EQ(request.missing, "");
}

// S24
TEST(DecodeControl, ReadsAnswers) {
  const auto success = decode_as<ControlResponse>(
      R"({"type":"control_response","response":{"subtype":"success","request_id":"a",)"
      R"("response":{"mode":"plan"}}})");
  EXPECT_EQ(success.id.text, "a");
  EXPECT_TRUE(success.success);
  EXPECT_EQ(success.payload["mode"].text(), "plan");
  const auto error = decode_as<ControlResponse>(
      R"({"type":"control_response","response":{"subtype":"error","request_id":"b",)"
      R"("error":"no","error_code":"invalid_mode","model":"x"}})");
  EXPECT_FALSE(error.success);
  EXPECT_EQ(error.error, Text("no"));
  EXPECT_EQ(error.error_code, Text("invalid_mode"));
  EXPECT_EQ(paths(error.other), "response.model");
}

// S30
TEST(DecodeControl, TakesTheInnerIdBeforeTheOuterOne) {
  const auto id = [](std::string_view line) {
    return std::string(decode_as<ControlResponse>(line).id.json.text());
  };
  EXPECT_EQ(id(R"({"type":"control_response","request_id":"out","response":{"request_id":"in"}})"),
            "\"in\"");
  EXPECT_EQ(id(R"({"type":"control_response","request_id":"out","response":{"subtype":"error"}})"),
            "\"out\"");
  EXPECT_EQ(id(R"({"type":"control_response","response":{"subtype":"success"}})"), "");
  EXPECT_EQ(id(R"({"type":"control_response"})"), "");
}

TEST(DecodeControl, TakesNoErrorForASuccessWhereverItStands) {
  const auto error = [](std::string_view rest) {
    const std::string line = R"({"type":"control_response","request_id":"a",)";
    const auto response = decode_as<ControlResponse>(line + std::string(rest) + "}");
    EXPECT_FALSE(response.success) << rest;
    return std::string(response.error.value_or("none"));
  };
  EXPECT_EQ(error(R"("subtype":"error","error":"no")"), "\"no\"");
  EXPECT_EQ(error(R"("response":{"error":"no"})"), "no");
  EXPECT_EQ(error(R"("response":{"subtype":"Error","error":"no"})"), "no");
  EXPECT_EQ(error(R"("response":{"subtype":"error","error":{"code":5}})"), R"({"code":5})");
  EXPECT_EQ(error(R"("response":"no body")"), "none");
  EXPECT_EQ(error(R"("more":1)"), "none");
}

TEST(DecodeControl, TakesAnErrorOfNullForNoneWhereverItStands) {
  for (const char* rest : {R"("response":{"response":{}},"error":null)",
                           R"("response":{"response":{},"error":null})"}) {
    const std::string line = R"({"type":"control_response","request_id":"a",)";
    EXPECT_TRUE(decode_as<ControlResponse>(line + rest + "}").success) << rest;
  }
}

// S31
TEST(DecodeControl, TakesASuccessWithoutPayload) {
  const auto bare = decode_as<ControlResponse>(
      R"({"type":"control_response","response":{"subtype":"success","request_id":"a"}})");
  EXPECT_TRUE(bare.success);
  EXPECT_FALSE(bare.payload);
  // As the CLI does with our answers: whatever is no error is a success.
  EXPECT_TRUE(decode_as<ControlResponse>(
                  R"({"type":"control_response","response":{"subtype":"ok","request_id":"a"}})")
                  .success);
}

TEST(DecodeControl, ReadsACancellation) {
  EXPECT_EQ(
      decode_as<ControlCancel>(R"({"type":"control_cancel_request","request_id":"r"})").id.text,
      "r");
}

// S26
TEST(DecodeControl, TakesAnIdAsItIs) {
  const auto numeric = decode_as<ControlRequest>(
      R"({"type":"control_request","request_id":7,"request":{"subtype":"x"}})");
  EXPECT_TRUE(numeric.id);
  EXPECT_EQ(numeric.id.text.data(), nullptr);
  EXPECT_EQ(numeric.id.json.text(), "7");
  const auto escaped = decode_as<ControlRequest>(
      R"({"type":"control_request","request_id":"a\"\u00e9","request":{"subtype":"x"}})");
  EXPECT_EQ(escaped.id.text, "a\"é");
}

// S33 F10
TEST(DecodeControl, TakesARequestWithoutAnId) {
  const auto request = decode_request<ToolRequest>(
      R"({"type":"control_request","request":{"subtype":"can_use_tool","tool_name":"Bash",)"
      R"("input":{}}})");
  EXPECT_FALSE(request.id);
  EXPECT_EQ(request.body().tool_name, "Bash");
}

// S32 F10
TEST(DecodeControl, TakesAWrappedRequest) {
  const auto request = decode_request<wire::HookCallback>(
      R"({"type":"control_request","message":{"type":"control_request","request_id":"r",)"
      R"("request":{"subtype":"hook_callback","callback_id":"h","input":{},"new":1}}})");
  EXPECT_EQ(request.id.text, "r");
  EXPECT_EQ(request.body().callback_id, "h");
  EXPECT_EQ(paths(request.other), "request.new");
}

// S37 S39
TEST(DecodeControl, NamesTheFieldThatIsMissing) {
  const auto missing = [](std::string_view request) {
    return decode_as<ControlRequest>(R"({"type":"control_request","request_id":"r")" +
                                     std::string(request) + "}")
        .missing;
  };
  EXPECT_EQ(missing(""), "request");
  EXPECT_EQ(missing(R"(,"request":null)"), "request");
  EXPECT_EQ(missing(R"(,"request":[])"), "request");
  EXPECT_EQ(missing(R"(,"message":{})"), "request");
  EXPECT_EQ(missing(R"(,"request":{})"), "request.subtype");
  EXPECT_EQ(missing(R"(,"request":{"subtype":"hook_callback","input":{}})"), "request.callback_id");
  EXPECT_EQ(missing(R"(,"request":{"subtype":"hook_callback","callback_id":4,"input":{}})"),
            "request.callback_id");
  EXPECT_EQ(missing(R"(,"request":{"subtype":"hook_callback","callback_id":"h"})"),
            "request.input");
  EXPECT_EQ(missing(R"(,"request":{"subtype":"can_use_tool","input":{}})"), "request.tool_name");
  EXPECT_EQ(missing(R"(,"request":{"subtype":"can_use_tool","tool_name":"Bash"})"),
            "request.input");
  EXPECT_EQ(missing(R"(,"request":{"subtype":"mcp_message","message":{}})"), "request.server_name");
  EXPECT_EQ(missing(R"(,"request":{"subtype":"mcp_message","server_name":"s"})"),
            "request.message");
}

// S35
TEST(DecodeControl, IsNeverAMessage) {
  for (const char* type :
       {"control_request", "control_response", "control_cancel_request", "keep_alive"}) {
    const std::string line = R"({"x":1,"type":")" + std::string(type) + R"("})";
    EXPECT_FALSE(std::holds_alternative<Message>(decode(line))) << type;
    EXPECT_FALSE(std::holds_alternative<wire::BadLine>(decode(line))) << type;
  }
}

// S43 S176
TEST(DecodeControl, EveryControlMessageComesBackEqual) {
  for (
      const char* line : {
          R"({"type":"control_request","request_id":"r","request":{"subtype":"hook_callback","callback_id":"h","input":{"a":[1.5,null,"\n"]},"tool_use_id":null}})",
          R"({"type":"control_request","request_id":7,"request":{"subtype":"hook_callback","callback_id":8,"new":true}})",
          R"({"type":"control_request","request_id":null,"request":{"subtype":"can_use_tool","tool_name":"T","input":{},"mcp_server":{"name":"n","x":[]},"requires_user_interaction":true,"default_to_no":"odd"}})",
          R"({"type":"control_request","request_id":"r","request":{"subtype":"mcp_message","server_name":"s","message":{"id":0}},"beside":1})",
          R"({"type":"control_request","request_id":"r","request":{"subtype":"initialize","hooks":null}})",
          R"({"type":"control_request","request_id":"r","request":{}})",
          R"({"type":"control_request","request_id":"r"})",
          R"({"type":"control_request","request_id":"r","request":5})",
          R"({"type":"control_response","response":{"subtype":"success","request_id":"r"}})",
          R"({"type":"control_response","response":{"subtype":"success","request_id":"r","response":{"x":1},"pending_permission_requests":[],"pending_user_dialog_requests":[]}})",
          R"({"type":"control_response","response":{"subtype":"error","request_id":"r","error":"e","error_code":"c","model":"m"},"request_id":"o","zzz":1})",
          R"({"type":"control_cancel_request","request_id":"r","reason":"why"})",
      }) {
    const wire::Line decoded = decode(line);
    std::string back;
    if (auto* request = std::get_if<ControlRequest>(&decoded)) back = wire::encode(*request);
    if (auto* response = std::get_if<ControlResponse>(&decoded)) back = wire::encode(*response);
    if (auto* cancel = std::get_if<ControlCancel>(&decoded)) back = wire::encode(*cancel);
    EXPECT_EQ(Oracle::parse(back), Oracle::parse(line));
    EXPECT_EQ(back.find('\n'), back.size() - 1);
  }
}

}  // namespace
}  // namespace claude
