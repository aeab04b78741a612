// What the CLI asks, what it answers, and what hooks are told, on the wire.
#pragma once

#include <claude/control.h>
#include <claude/hooks.h>

#include "wire/fields.h"
#include "wire/line.h"
#include "wire/names.h"

namespace claude::wire {

template <>
struct Tags<RequestBody> {
  using Unknown = OtherRequest;
  static constexpr char key[] = "subtype";
  static constexpr auto all =
      std::tuple{Tag<HookCallback>{kHookCallback}, Tag<ToolRequest>{kCanUseTool},
                 Tag<McpMessage>{kMcpMessage}};
};
template <class V>
bool fields(V& v, Is<ControlRequest> auto& m) {
  return v("request_id", m.id) || v("request", m.body);
}
template <class V>
bool fields(V& v, Is<ResponseBody> auto& m) {
  return v("subtype", m.subtype) || v("request_id", m.inner_id) || v("response", m.payload) ||
         v("error", m.error) || v("error_code", m.error_code) ||
         v("pending_permission_requests", m.pending_permission_requests) ||
         v("pending_user_dialog_requests", m.pending_user_dialog_requests);
}
template <class V, Is<ControlResponse> Response>
bool fields(V& v, Response& m) {
  using Body = std::conditional_t<std::is_const_v<Response>, const ResponseBody, ResponseBody>;
  return v("response", static_cast<Body&>(m)) || v("request_id", m.outer_id);
}
template <class V>
bool fields(V& v, Is<ControlCancel> auto& m) {
  return v("request_id", m.id);
}

template <class V>
bool fields(V& v, Is<HookCallback> auto& m) {
  return v("callback_id", m.callback_id) || v("input", m.input) || v("tool_use_id", m.tool_use_id);
}
template <class V>
bool fields(V& v, Is<McpMessage> auto& m) {
  return v("server_name", m.server_name) || v("message", m.message);
}
template <class V>
bool fields(V& v, Is<ToolRequest::McpServer> auto& m) {
  return v("name", m.name) || v("source", m.source);
}
template <class V>
bool fields(V& v, Is<ToolRequest> auto& m) {
  return v("tool_name", m.tool_name) || v("display_name", m.display_name) || v("input", m.input) ||
         v("description", m.description) || v("permission_suggestions", m.permission_suggestions) ||
         v("blocked_path", m.blocked_path) || v("tool_use_id", m.tool_use_id) ||
         v("title", m.title) || v("decision_reason", m.decision_reason) ||
         v("decision_reason_type", m.decision_reason_type) ||
         v("decision_reason_code", m.decision_reason_code) ||
         v("decision_reason_hook_event", m.decision_reason_hook_event) ||
         v("decision_reason_hook_source", m.decision_reason_hook_source) ||
         v("decision_reason_rule_source", m.decision_reason_rule_source) ||
         v("agent_id", m.agent_id) || v("mcp_server", m.mcp_server) ||
         v("requires_user_interaction", m.requires_user_interaction) ||
         v("server_policy_ask_only", m.server_policy_ask_only) ||
         v("classifier_approvable", m.classifier_approvable) ||
         v("suppress_always_allow_rule", m.suppress_always_allow_rule) ||
         v("default_to_no", m.default_to_no) || v("matched_ask_rule", m.matched_ask_rule);
}
template <class V>
bool fields(V& v, Is<Question::Option> auto& m) {
  return v("label", m.label) || v("description", m.description) || v("preview", m.preview);
}
template <class V>
bool fields(V& v, Is<Question> auto& m) {
  return v("question", m.question) || v("header", m.header) || v("options", m.options) ||
         v("multiSelect", m.multi_select);
}

// What every hook is told.
template <class V>
bool hook_input(V& v, auto& m) {
  return v("session_id", m.session_id) || v("transcript_path", m.transcript_path) ||
         v("cwd", m.cwd) || v("prompt_id", m.prompt_id) ||
         v("permission_mode", m.permission_mode) || v("effort", m.effort) ||
         v("hook_event_name", m.hook_event_name) || v("agent_id", m.agent_id) ||
         v("agent_type", m.agent_type) || v("tool_use_id", m.tool_use_id);
}
template <class V>
bool fields(V& v, Is<PreToolUse> auto& m) {
  return hook_input(v, m) || v("tool_name", m.tool_name) || v("tool_input", m.tool_input) ||
         v("mcp_server", m.mcp_server);
}
template <class V>
bool fields(V& v, Is<PostToolUse> auto& m) {
  return hook_input(v, m) || v("tool_name", m.tool_name) || v("tool_input", m.tool_input) ||
         v("tool_response", m.tool_response) || v("duration_ms", m.duration_ms) ||
         v("mcp_server", m.mcp_server);
}
template <class V>
bool fields(V& v, Is<UserPromptSubmit> auto& m) {
  return hook_input(v, m) || v("prompt", m.prompt) || v("session_title", m.session_title) ||
         v("source", m.source);
}
template <class V>
bool fields(V& v, Is<Stop> auto& m) {
  return hook_input(v, m) || v("stop_hook_active", m.stop_hook_active) ||
         v("last_assistant_message", m.last_assistant_message) ||
         v("background_tasks", m.background_tasks) || v("session_crons", m.session_crons);
}
template <class V>
bool fields(V& v, Is<SubagentStop> auto& m) {
  return hook_input(v, m) || v("stop_hook_active", m.stop_hook_active) ||
         v("agent_transcript_path", m.agent_transcript_path) ||
         v("last_assistant_message", m.last_assistant_message) ||
         v("background_tasks", m.background_tasks) || v("session_crons", m.session_crons);
}
template <class V>
bool fields(V& v, Is<PreCompact> auto& m) {
  return hook_input(v, m) || v("trigger", m.trigger) ||
         v("custom_instructions", m.custom_instructions);
}
template <class V>
bool fields(V& v, Is<HookInput> auto& m) {
  return hook_input(v, m);
}

template <class V>
bool fields(V& v, Is<ServerInfo::Command> auto& m) {
  return v("name", m.name) || v("description", m.description) ||
         v("argumentHint", m.argument_hint) || v("aliases", m.aliases) || v("builtin", m.builtin);
}
template <class V>
bool fields(V& v, Is<ServerInfo::Agent> auto& m) {
  return v("name", m.name) || v("description", m.description) || v("model", m.model);
}
template <class V>
bool fields(V& v, Is<ServerInfo::Model> auto& m) {
  return v("value", m.value) || v("resolvedModel", m.resolved_model) ||
         v("displayName", m.display_name) || v("description", m.description) ||
         v("supportsEffort", m.supports_effort) ||
         v("supportedEffortLevels", m.supported_effort_levels) ||
         v("supportsAdaptiveThinking", m.supports_adaptive_thinking) ||
         v("supportsFastMode", m.supports_fast_mode) ||
         v("supportsAutoMode", m.supports_auto_mode) ||
         v("supportsThinkingOff", m.supports_thinking_off);
}
template <class V>
bool fields(V& v, Is<ServerInfo::Account> auto& m) {
  return v("tokenSource", m.token_source) || v("apiKeySource", m.api_key_source) ||
         v("apiProvider", m.api_provider) || v("email", m.email) ||
         v("organization", m.organization) || v("subscriptionType", m.subscription_type);
}
template <class V>
bool fields(V& v, Is<ServerInfo> auto& m) {
  return v("commands", m.commands) || v("agents", m.agents) || v("output_style", m.output_style) ||
         v("available_output_styles", m.available_output_styles) ||
         v("user_output_styles_dir", m.user_output_styles_dir) || v("models", m.models) ||
         v("account", m.account) || v("pid", m.pid) ||
         v("claude_code_version", m.claude_code_version) ||
         v("current_permission_mode", m.current_permission_mode) ||
         v("hooks_applied", m.hooks_applied) ||
         v("hook_on_failure_supported", m.hook_on_failure_supported) ||
         v("other_hook_ask_outranks_host", m.other_hook_ask_outranks_host) ||
         v("analytics_disabled", m.analytics_disabled) || v("fast_mode_state", m.fast_mode_state) ||
         v("fast_mode_disabled_reason", m.fast_mode_disabled_reason) ||
         v("session_state", m.session_state) || v("capabilities", m.capabilities);
}
template <class V>
bool fields(V& v, Is<InterruptReceipt> auto& m) {
  return v("still_queued", m.still_queued) || v("cancelled", m.cancelled);
}
template <class V>
bool fields(V& v, Is<PermissionModeSet> auto& m) {
  return v("mode", m.mode);
}
template <class V>
bool fields(V& v, Is<ModelSet> auto& m) {
  return v("model", m.model);
}
template <class V>
bool fields(V& v, Is<RewindResult> auto& m) {
  return v("canRewind", m.can_rewind) || v("error", m.error) ||
         v("filesChanged", m.files_changed) || v("insertions", m.insertions) ||
         v("deletions", m.deletions) || v("skippedLinks", m.skipped_links);
}
template <class V>
bool fields(V& v, Is<McpStatus::Tool> auto& m) {
  return v("name", m.name) || v("description", m.description) || v("annotations", m.annotations);
}
template <class V>
bool fields(V& v, Is<McpStatus::ServerVersion> auto& m) {
  return v("name", m.name) || v("version", m.version);
}
template <class V>
bool fields(V& v, Is<McpStatus::Server> auto& m) {
  return v("name", m.name) || v("status", m.status) || v("serverInfo", m.server_info) ||
         v("error", m.error) || v("config", m.config) || v("transport", m.transport) ||
         v("scope", m.scope) || v("source", m.source) || v("tools", m.tools);
}
template <class V>
bool fields(V& v, Is<McpStatus> auto& m) {
  return v("mcpServers", m.servers);
}

}  // namespace claude::wire
