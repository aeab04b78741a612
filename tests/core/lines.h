// Lines of the CLI as they stand on the wire, cut to what the engine looks at.
#pragma once

#include <string>

namespace claude::core {

inline const std::string kServerInfo =
    R"({"commands":[],"claude_code_version":"2.1.325","capabilities":["interrupt_receipt_v1"]})";

// A template of a line with its words put in for $1, $2, ...
template <class... Words>
std::string with(std::string line, const Words&... words) {
  int number = 0;
  auto put = [&](const std::string& word) {
    std::string place = "$" + std::to_string(++number);
    for (auto at = line.find(place); at != line.npos; at = line.find(place, at + word.size())) {
      line.replace(at, place.size(), word);
    }
  };
  (put(words), ...);
  return line;
}

// ---- What the CLI asks -------------------------------------------------------------------------

inline std::string hook_callback(const std::string& id, const std::string& callback = "hook_0") {
  return with(
      R"({"type":"control_request","request_id":"$1","request":{"subtype":"hook_callback","callback_id":"$2","input":{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}},"tool_use_id":"toolu_1"}})",
      id, callback);
}

inline std::string can_use_tool(const std::string& id, const std::string& tool = "Bash") {
  return with(
      R"({"type":"control_request","request_id":"$1","request":{"subtype":"can_use_tool","tool_name":"$2","input":{"command":"touch a"},"tool_use_id":"toolu_1"}})",
      id, tool);
}

inline std::string mcp_message(const std::string& id, const std::string& server = "calc") {
  return with(
      R"({"type":"control_request","request_id":"$1","request":{"subtype":"mcp_message","server_name":"$2","message":{"jsonrpc":"2.0","id":7,"method":"tools/list"}}})",
      id, server);
}

inline std::string any_request(const std::string& id, const std::string& subtype) {
  return with(R"({"type":"control_request","request_id":"$1","request":{"subtype":"$2"}})", id,
              subtype);
}

inline std::string cancel_request(const std::string& id) {
  return with(R"({"type":"control_cancel_request","request_id":"$1"})", id);
}

// ---- What the CLI answers ----------------------------------------------------------------------

inline std::string success(const std::string& id, const std::string& payload) {
  return with(
      R"({"type":"control_response","response":{"subtype":"success","request_id":"$1","response":$2}})",
      id, payload);
}

inline std::string bare_success(const std::string& id) {
  return with(R"({"type":"control_response","response":{"subtype":"success","request_id":"$1"}})",
              id);
}

inline std::string refusal(const std::string& id, const std::string& text,
                           const std::string& code = "") {
  return with(
      R"({"type":"control_response","response":{"subtype":"error","request_id":"$1","error":"$2","error_code":"$3"}})",
      id, text, code);
}

// ---- What it tells -----------------------------------------------------------------------------

inline std::string lifecycle(const std::string& uuid, const std::string& state) {
  return with(
      R"({"type":"command_lifecycle","command_uuid":"$1","state":"$2","uuid":"c1","session_id":"s"})",
      uuid, state);
}

// `uuid` "": the prompt is not named, as after the first answer of a turn and on an old CLI.
inline std::string assistant(const std::string& text, const std::string& uuid = "") {
  const std::string names = with(R"("user_message_uuid":"$1","user_message_uuids":["$1"],)", uuid);
  return with(
      R"({"type":"assistant","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"$1"}],"stop_reason":null,"stop_sequence":null},$2"parent_tool_use_id":null,"session_id":"s","uuid":"a1"})",
      text, uuid.empty() ? "" : names);
}

inline std::string system_init() {
  return R"({"type":"system","subtype":"init","cwd":"/p","tools":[],"model":"m","session_id":"s","uuid":"i1"})";
}

// `more`: further members, each with a comma behind it. `type` is not the first, as in real life.
inline std::string result(const std::string& text, const std::string& cost = "0.0008",
                          const std::string& more = "") {
  return with(
      R"({"duration_api_ms":1,"stop_reason":"end_turn","session_id":"s","total_cost_usd":$2,"is_error":false,"num_turns":1,"subtype":"success",$3"result":"$1","type":"result","duration_ms":2,"uuid":"r1"})",
      text, cost, more);
}

inline std::string result_for(const std::string& uuid, const std::string& text,
                              const std::string& cost = "0.0008") {
  return result(text, cost, with(R"("user_message_uuid":"$1","user_message_uuids":["$1"],)", uuid));
}

inline std::string failed_result(const std::string& error, const std::string& more = "") {
  return with(
      R"({"duration_api_ms":0,"stop_reason":null,"session_id":"s","total_cost_usd":0,"is_error":true,"num_turns":2,"subtype":"error_during_execution","errors":["$1"],$2"type":"result","duration_ms":2,"uuid":"r2"})",
      error, more);
}

}  // namespace claude::core
