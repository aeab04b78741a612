// Each word of the protocol, once. No other room spells one.
//
// Field names of messages stand beside their members in fields_*.h; here are the words that
// decide what a line is and what a request asks.
#pragma once

#include <string_view>

namespace claude::wire {

using Name = std::string_view;

// "type" of a line.
inline constexpr Name kControlRequest = "control_request";
inline constexpr Name kControlResponse = "control_response";
inline constexpr Name kControlCancel = "control_cancel_request";
inline constexpr Name kKeepAlive = "keep_alive";
inline constexpr Name kUser = "user";
inline constexpr Name kAssistant = "assistant";
inline constexpr Name kSystem = "system";
inline constexpr Name kResult = "result";
inline constexpr Name kStreamEvent = "stream_event";

// "subtype" of a response.
inline constexpr Name kSuccess = "success";
inline constexpr Name kError = "error";

// "kind" of the origin of a result: others nobody prompted.
inline constexpr Name kHuman = "human";

// "subtype" of what the CLI asks us.
inline constexpr Name kHookCallback = "hook_callback";
inline constexpr Name kCanUseTool = "can_use_tool";
inline constexpr Name kMcpMessage = "mcp_message";
inline constexpr Name kElicitation = "elicitation";
inline constexpr Name kUserDialog = "request_user_dialog";

// "subtype" of what we ask the CLI.
inline constexpr Name kInitialize = "initialize";
inline constexpr Name kInterrupt = "interrupt";
inline constexpr Name kSetPermissionMode = "set_permission_mode";
inline constexpr Name kSetModel = "set_model";
inline constexpr Name kRewindFiles = "rewind_files";
inline constexpr Name kMcpStatus = "mcp_status";

// Error codes that we send.
inline constexpr Name kUnsupportedRequest = "unsupported_request";

// Hook events.
inline constexpr Name kPreToolUse = "PreToolUse";
inline constexpr Name kPostToolUse = "PostToolUse";
inline constexpr Name kUserPromptSubmit = "UserPromptSubmit";
inline constexpr Name kStop = "Stop";
inline constexpr Name kSubagentStop = "SubagentStop";
inline constexpr Name kPreCompact = "PreCompact";

// The tool behind Options::on_question.
inline constexpr Name kAskUserQuestion = "AskUserQuestion";

// Value of --permission-prompt-tool that brings permission requests to us.
inline constexpr Name kPromptToolStdio = "stdio";

}  // namespace claude::wire
