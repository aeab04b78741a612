// The lines on which parts.cpp measures, as CLI 2.1.325 writes them.
#pragma once

#include <string>

namespace bench {

inline const std::string kTextDelta =
    R"({"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":)"
    R"({"type":"text_delta","text":"each line we parse"}},)"
    R"("session_id":"0b6f3c1e-77aa-4c7e-9a53-5f1f0c2d9e10","parent_tool_use_id":null,)"
    R"("uuid":"5a3c1f09-1c2d-4e5f-a6b7-91c8d9e0f1a2",)"
    R"("api_message_id":"msg_01Bm3XyT7sQ9cV2nK4dL8wRz"})";

// The same with one blank more: what the short cut for deltas leaves to the general decoder.
inline const std::string kOtherDelta = "{ " + kTextDelta.substr(1);

inline std::string assistant(std::size_t text_bytes) {
  std::string text;
  while (text.size() < text_bytes)
    text += R"(when the stream is closed, the buffer holds a \"line\"\n)";
  return R"({"type":"assistant","message":{"id":"msg_01a","type":"message","role":"assistant",)"
         R"("model":"claude-sonnet-4-5","content":[{"type":"text","text":")" +
         text +
         R"("}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":4,)"
         R"("cache_creation_input_tokens":1187,"cache_read_input_tokens":15342,)"
         R"("output_tokens":312,"service_tier":"standard"},"context_management":null},)"
         R"("parent_tool_use_id":null,"session_id":"0b6f3c1e-77aa-4c7e-9a53-5f1f0c2d9e10",)"
         R"("uuid":"5a3c1f09-1c2d-4e5f-a6b7-91c8d9e0f1a2","request_id":"req_011CVaXq3Zr5"})";
}

inline const std::string kResult =
    R"({"duration_api_ms":2211,"stop_reason":"end_turn",)"
    R"("session_id":"0b6f3c1e-77aa-4c7e-9a53-5f1f0c2d9e10","total_cost_usd":0.01234,)"
    R"("usage":{"input_tokens":4,"output_tokens":312},"modelUsage":{"claude-sonnet-4-5":)"
    R"({"inputTokens":4,"outputTokens":312,"costUSD":0.01234,"contextWindow":200000}},)"
    R"("permission_denials":[],"terminal_reason":"completed","is_error":false,"num_turns":1,)"
    R"("subtype":"success","result":"All tests pass.","type":"result","duration_ms":2345,)"
    R"("uuid":"5a3c1f09-1c2d-4e5f-a6b7-91c8d9e0f1a3"})";

inline const std::string kHook =
    R"({"type":"control_request","request_id":"5a3c1f09-1c2d-4e5f-a6b7-91c8d9e0f1a4",)"
    R"("request":{"subtype":"hook_callback","callback_id":"hook_0","input":)"
    R"({"session_id":"0b6f3c1e","transcript_path":"/home/user/.claude/projects/p/s.jsonl",)"
    R"("cwd":"/home/user/project","permission_mode":"default","effort":{"level":"medium"},)"
    R"("hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":)"
    R"({"command":"ls -la","description":"List the files of a directory"},)"
    R"("tool_use_id":"toolu_01a"},"tool_use_id":"toolu_01a"}})";

inline const std::string kPermission =
    R"({"type":"control_request","request_id":"5a3c1f09-1c2d-4e5f-a6b7-91c8d9e0f1a5",)"
    R"("request":{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Bash",)"
    R"("input":{"command":"ls -la","description":"List the files of a directory"},)"
    R"("description":"List the files of a directory","permission_suggestions":)"
    R"([{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"}],)"
    R"("behavior":"allow","destination":"localSettings"}],"tool_use_id":"toolu_01a"}})";

inline const std::string kInitialized =
    R"({"type":"control_response","response":{"subtype":"success","request_id":"req_1_0",)"
    R"("response":{"commands":[],"agents":[],"output_style":"default","models":[]}}})";

}  // namespace bench
