// Messages about the run itself on the wire: field names as CLI 2.1.325 has them.
#pragma once

#include <claude/system.h>

#include "wire/fields.h"

namespace claude::wire {

template <class V>
bool fields(V& v, Is<SystemInit::McpServer> auto& m) {
  return v("name", m.name) || v("status", m.status) || v("source", m.source);
}
template <class V>
bool fields(V& v, Is<SystemInit::Plugin> auto& m) {
  return v("name", m.name) || v("path", m.path) || v("source", m.source) || v("version", m.version);
}
template <class V>
bool fields(V& v, Is<SystemInit> auto& m) {
  return v("cwd", m.cwd) || v("session_id", m.session_id) || v("tools", m.tools) ||
         v("mcp_servers", m.mcp_servers) || v("model", m.model) ||
         v("permissionMode", m.permission_mode) || v("slash_commands", m.slash_commands) ||
         v("terminal_slash_commands", m.terminal_slash_commands) ||
         v("apiKeySource", m.api_key_source) || v("claude_code_version", m.claude_code_version) ||
         v("output_style", m.output_style) || v("agents", m.agents) || v("skills", m.skills) ||
         v("plugins", m.plugins) || v("capabilities", m.capabilities) ||
         v("analytics_disabled", m.analytics_disabled) ||
         v("product_feedback_disabled", m.product_feedback_disabled) || v("uuid", m.uuid) ||
         v("memory_paths", m.memory_paths) || v("original_cwd", m.original_cwd) ||
         v("additional_directories", m.additional_directories) ||
         v("messaging_socket_path", m.messaging_socket_path) ||
         v("fast_mode_state", m.fast_mode_state) ||
         v("fast_mode_disabled_reason", m.fast_mode_disabled_reason) ||
         v("per_turn_effort_active", m.per_turn_effort_active) ||
         v("ultrathink_available", m.ultrathink_available) ||
         v("ultrathink_typed_raises", m.ultrathink_typed_raises) || v("view_mode", m.view_mode) ||
         v("betas", m.betas) || v("effort", m.effort) || v("plugin_errors", m.plugin_errors) ||
         v("user_message_uuids", m.user_message_uuids);
}
template <class V>
bool fields(V& v, Is<StatusMessage> auto& m) {
  return v("status", m.status) || v("permissionMode", m.permission_mode) || v("uuid", m.uuid) ||
         v("session_id", m.session_id) || v("compact_result", m.compact_result) ||
         v("compact_error", m.compact_error) || v("compact_output_chars", m.compact_output_chars) ||
         v("user_message_uuids", m.user_message_uuids);
}
template <class V>
bool fields(V& v, Is<ApiRetry> auto& m) {
  return v("attempt", m.attempt) || v("max_retries", m.max_retries) ||
         v("retry_delay_ms", m.retry_delay_ms) || v("error_status", m.error_status) ||
         v("error", m.error) || v("no_response", m.no_response) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<CompactBoundary::Segment> auto& m) {
  return v("head_uuid", m.head_uuid) || v("anchor_uuid", m.anchor_uuid) ||
         v("tail_uuid", m.tail_uuid);
}
template <class V>
bool fields(V& v, Is<CompactBoundary::Preserved> auto& m) {
  return v("anchor_uuid", m.anchor_uuid) || v("uuids", m.uuids) || v("all_uuids", m.all_uuids);
}
template <class V>
bool fields(V& v, Is<CompactBoundary::Metadata> auto& m) {
  return v("trigger", m.trigger) || v("pre_tokens", m.pre_tokens) ||
         v("post_tokens", m.post_tokens) ||
         v("cumulative_dropped_tokens", m.cumulative_dropped_tokens) ||
         v("duration_ms", m.duration_ms) || v("preserved_segment", m.preserved_segment) ||
         v("preserved_messages", m.preserved_messages);
}
template <class V>
bool fields(V& v, Is<CompactBoundary> auto& m) {
  return v("compact_metadata", m.compact_metadata) ||
         v("logical_parent_uuid", m.logical_parent_uuid) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<PermissionDenied> auto& m) {
  return v("tool_name", m.tool_name) || v("tool_use_id", m.tool_use_id) ||
         v("message", m.message) || v("decision_reason_type", m.decision_reason_type) ||
         v("decision_reason_code", m.decision_reason_code) ||
         v("decision_reason", m.decision_reason) || v("agent_id", m.agent_id) ||
         v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<Informational::PromptOutcome> auto& m) {
  return v("kind", m.kind) || v("prompt_kept", m.prompt_kept) || v("reason", m.reason);
}
template <class V>
bool fields(V& v, Is<Informational> auto& m) {
  return v("content", m.content) || v("level", m.level) || v("tag", m.tag) ||
         v("tool_use_id", m.tool_use_id) || v("timestamp", m.timestamp) || v("isMeta", m.is_meta) ||
         v("prevent_continuation", m.prevent_continuation) ||
         v("prompt_submit_outcome", m.prompt_submit_outcome) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<Notification> auto& m) {
  return v("key", m.key) || v("text", m.text) || v("priority", m.priority) || v("color", m.color) ||
         v("timeout_ms", m.timeout_ms) || v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<HookEvent> auto& m) {
  return v("subtype", m.subtype) || v("hook_id", m.hook_id) || v("hook_name", m.hook_name) ||
         v("hook_event", m.hook_event) || v("output", m.output) || v("stdout", m.stdout_text) ||
         v("stderr", m.stderr_text) || v("exit_code", m.exit_code) || v("outcome", m.outcome) ||
         v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<TaskUsage> auto& m) {
  return v("total_tokens", m.total_tokens) || v("tool_uses", m.tool_uses) ||
         v("duration_ms", m.duration_ms);
}
template <class V>
bool fields(V& v, Is<TaskStarted> auto& m) {
  return v("task_id", m.task_id) || v("run_id", m.run_id) || v("tool_use_id", m.tool_use_id) ||
         v("description", m.description) || v("subagent_type", m.subagent_type) ||
         v("is_backgrounded", m.is_backgrounded) || v("spawn_depth", m.spawn_depth) ||
         v("task_type", m.task_type) || v("prompt", m.prompt) ||
         v("parent_task_id", m.parent_task_id) || v("workflow_name", m.workflow_name) ||
         v("skip_transcript", m.skip_transcript) || v("ambient", m.ambient) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<TaskProgress> auto& m) {
  return v("task_id", m.task_id) || v("run_id", m.run_id) || v("tool_use_id", m.tool_use_id) ||
         v("description", m.description) || v("subagent_type", m.subagent_type) ||
         v("usage", m.usage) || v("last_tool_name", m.last_tool_name) || v("summary", m.summary) ||
         v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<TaskUpdated::Patch> auto& m) {
  return v("status", m.status) || v("description", m.description) || v("error", m.error) ||
         v("end_time", m.end_time) || v("total_paused_ms", m.total_paused_ms) ||
         v("is_backgrounded", m.is_backgrounded);
}
template <class V>
bool fields(V& v, Is<TaskUpdated> auto& m) {
  return v("task_id", m.task_id) || v("run_id", m.run_id) || v("patch", m.patch) ||
         v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<TaskNotification> auto& m) {
  return v("task_id", m.task_id) || v("run_id", m.run_id) || v("tool_use_id", m.tool_use_id) ||
         v("status", m.status) || v("output_file", m.output_file) || v("summary", m.summary) ||
         v("reason", m.reason) || v("usage", m.usage) || v("resource_links", m.resource_links) ||
         v("skip_transcript", m.skip_transcript) || v("ambient", m.ambient) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<BackgroundTasks::Task> auto& m) {
  return v("task_id", m.task_id) || v("run_id", m.run_id) || v("task_type", m.task_type) ||
         v("subagent_type", m.subagent_type) || v("description", m.description) ||
         v("parent_task_id", m.parent_task_id) || v("ambient", m.ambient);
}
template <class V>
bool fields(V& v, Is<BackgroundTasks> auto& m) {
  return v("tasks", m.tasks) || v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<ThinkingTokens> auto& m) {
  return v("estimated_tokens", m.estimated_tokens) ||
         v("estimated_tokens_delta", m.estimated_tokens_delta) ||
         v("user_message_uuid", m.user_message_uuid) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<SessionStateChanged> auto& m) {
  return v("state", m.state) || v("sdk_host_only", m.sdk_host_only) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<SessionTitleChanged> auto& m) {
  return v("title", m.title) || v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<ControlRequestProgress> auto& m) {
  return v("request_id", m.request_id) || v("status", m.status) || v("attempt", m.attempt) ||
         v("max_retries", m.max_retries) || v("retry_delay_ms", m.retry_delay_ms) ||
         v("error_status", m.error_status) || v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<ToolProgress> auto& m) {
  return v("tool_use_id", m.tool_use_id) || v("tool_name", m.tool_name) ||
         v("parent_tool_use_id", m.parent_tool_use_id) ||
         v("elapsed_time_seconds", m.elapsed_time_seconds) || v("heartbeat", m.heartbeat) ||
         v("task_id", m.task_id) || v("subagent_type", m.subagent_type) ||
         v("subagent_retry", m.subagent_retry) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<CommandLifecycle> auto& m) {
  return v("command_uuid", m.command_uuid) || v("state", m.state) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<ConversationReset> auto& m) {
  return v("new_conversation_id", m.new_conversation_id) || v("trigger", m.trigger) ||
         v("user_message_uuid", m.user_message_uuid) || v("timestamp", m.timestamp) ||
         v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<PromptSuggestion> auto& m) {
  return v("suggestion", m.suggestion) || v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<TranscriptMirror> auto& m) {
  return v("filePath", m.file_path) || v("entries", m.entries) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<RateLimit> auto& m) {
  return v("rate_limit_info", m.rate_limit_info) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<AuthStatus> auto& m) {
  return v("isAuthenticating", m.is_authenticating) || v("output", m.output) ||
         v("error", m.error) || v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<ToolUseSummary> auto& m) {
  return v("summary", m.summary) || v("preceding_tool_use_ids", m.preceding_tool_use_ids) ||
         v("uuid", m.uuid) || v("session_id", m.session_id);
}
template <class V>
bool fields(V& v, Is<ErrorMessage::Body> auto& m) {
  return v("type", m.type) || v("message", m.message);
}
template <class V>
bool fields(V& v, Is<ErrorMessage> auto& m) {
  return v("error", m.error) || v("uuid", m.uuid) || v("session_id", m.session_id);
}

template <class V>
bool fields(V& v, Is<UnknownMessage> auto& m) {
  return v("type", m.type) || v("subtype", m.subtype) || v("uuid", m.uuid) ||
         v("session_id", m.session_id);
}

}  // namespace claude::wire
