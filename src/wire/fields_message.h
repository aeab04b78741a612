// The messages of the conversation on the wire: field names, and the order of CLI 2.1.325.
#pragma once

#include <claude/message.h>

#include "wire/fields_content.h"
#include "wire/fields_system.h"

namespace claude::wire {

template <class V>
bool fields(V& v, Is<AssistantMessage::ToolUseMeta> auto& m) {
  return v("id", m.id) || v("display_name", m.display_name) ||
         v("server_display_name", m.server_display_name) || v("tool_name", m.tool_name);
}
template <class V>
bool fields(V& v, Is<AssistantMessage> auto& m) {
  return v("message", m.message) || v("parent_tool_use_id", m.parent_tool_use_id) ||
         v("session_id", m.session_id) || v("uuid", m.uuid) || v("timestamp", m.timestamp) ||
         v("request_id", m.request_id) || v("error", m.error) || v("aborted", m.aborted) ||
         v("user_message_uuid", m.user_message_uuid) ||
         v("user_message_uuids", m.user_message_uuids) || v("agent_id", m.agent_id) ||
         v("subagent_type", m.subagent_type) || v("task_description", m.task_description) ||
         v("tool_use_meta", m.tool_use_meta) || v("is_api_error_message", m.is_api_error_message) ||
         v("api_error_status", m.api_error_status) || v("api_error_type", m.api_error_type) ||
         v("supersedes", m.supersedes) || v("thinking_display", m.thinking_display) ||
         v("thinking_duration_ms", m.thinking_duration_ms) || v("resume_reason", m.resume_reason) ||
         v("resumed_from_incomplete_thinking", m.resumed_from_incomplete_thinking) ||
         v("context_usage", m.context_usage) || v("usage_report", m.usage_report) ||
         v("local_command_source", m.local_command_source) ||
         v("local_command_run", m.local_command_run) ||
         v("local_command_outcome", m.local_command_outcome);
}
template <class V>
bool fields(V& v, Is<UserMessage::Body> auto& m) {
  return v("role", m.role) || v("content", m.content);
}
template <class V>
bool fields(V& v, Is<UserMessage::PermissionDecision> auto& m) {
  return v("decision", m.decision) || v("source", m.source) || v("reason_type", m.reason_type);
}
template <class V>
bool fields(V& v, Is<UserMessage::ToolResultMeta> auto& m) {
  return v("id", m.id) || v("permission_decision", m.permission_decision) ||
         v("non_execution_kind", m.non_execution_kind);
}
template <class V>
bool fields(V& v, Is<UserMessage> auto& m) {
  return v("message", m.message) || v("parent_tool_use_id", m.parent_tool_use_id) ||
         v("session_id", m.session_id) || v("uuid", m.uuid) || v("timestamp", m.timestamp) ||
         v("tool_use_result", m.tool_use_result) || v("tool_result_meta", m.tool_result_meta) ||
         v("agent_id", m.agent_id) || v("subagent_type", m.subagent_type) ||
         v("task_description", m.task_description) || v("isReplay", m.is_replay) ||
         v("isSynthetic", m.is_synthetic) || v("priority", m.priority) ||
         v("refused_message_id", m.refused_message_id) || v("origin", m.origin) ||
         v("file_attachments", m.file_attachments) || v("pasted_content", m.pasted_content) ||
         v("inline_pastes", m.inline_pastes) || v("shouldQuery", m.should_query) ||
         v("client_composed", m.client_composed);
}
template <class V>
bool fields(V& v, Is<ModelUsage> auto& m) {
  return v("inputTokens", m.input_tokens) || v("outputTokens", m.output_tokens) ||
         v("cacheReadInputTokens", m.cache_read_input_tokens) ||
         v("cacheCreationInputTokens", m.cache_creation_input_tokens) ||
         v("webSearchRequests", m.web_search_requests) || v("costUSD", m.cost_usd) ||
         v("contextWindow", m.context_window) || v("maxOutputTokens", m.max_output_tokens) ||
         v("thinkingTokens", m.thinking_tokens) ||
         v("cacheCreationEphemeral5mInputTokens", m.cache_creation_ephemeral_5m_input_tokens) ||
         v("cacheCreationEphemeral1hInputTokens", m.cache_creation_ephemeral_1h_input_tokens) ||
         v("canonicalModel", m.canonical_model) || v("provider", m.provider) ||
         v("costBasis", m.cost_basis);
}
template <class V>
bool fields(V& v, Is<PermissionDenial> auto& m) {
  return v("tool_name", m.tool_name) || v("tool_use_id", m.tool_use_id) ||
         v("tool_input", m.tool_input);
}
template <class V>
bool fields(V& v, Is<ResultMessage::DeferredToolUse> auto& m) {
  return v("id", m.id) || v("name", m.name) || v("input", m.input);
}
template <class V>
bool fields(V& v, Is<ResultMessage::Origin> auto& m) {
  return v("kind", m.kind) || v("producer", m.producer) || v("runId", m.run_id);
}
template <class V>
bool fields(V& v, Is<ResultMessage> auto& m) {
  return v("duration_api_ms", m.duration_api_ms) || v("stop_reason", m.stop_reason) ||
         v("session_id", m.session_id) || v("total_cost_usd", m.total_cost_usd) ||
         v("usage", m.usage) || v("modelUsage", m.model_usage) ||
         v("permission_denials", m.permission_denials) || v("terminal_reason", m.terminal_reason) ||
         v("fast_mode_state", m.fast_mode_state) ||
         v("fast_mode_disabled_reason", m.fast_mode_disabled_reason) ||
         v("subagent_stats", m.subagent_stats) || v("safety_stops", m.safety_stops) ||
         v("is_error", m.is_error) || v("num_turns", m.num_turns) || v("subtype", m.subtype) ||
         v("api_error_status", m.api_error_status) || v("result", m.result) ||
         v("errors", m.errors) || v("ttft_ms", m.ttft_ms) || v("duration_ms", m.duration_ms) ||
         v("uuid", m.uuid) || v("ttft_stream_ms", m.ttft_stream_ms) ||
         v("time_to_request_ms", m.time_to_request_ms) ||
         v("first_content_frame_ms", m.first_content_frame_ms) ||
         v("queued_turn_count", m.queued_turn_count) || v("result_index", m.result_index) ||
         v("model_usage_since_last_result", m.model_usage_since_last_result) ||
         v("user_message_uuid", m.user_message_uuid) ||
         v("user_message_uuids", m.user_message_uuids) ||
         v("structured_output", m.structured_output) ||
         v("deferred_tool_use", m.deferred_tool_use) || v("origin", m.origin) ||
         v("local_command", m.local_command) || v("api_error_type", m.api_error_type) ||
         v("request_sent_wall_ms", m.request_sent_wall_ms) ||
         v("first_request_input_tokens", m.first_request_input_tokens) ||
         v("first_request_cache_read_input_tokens", m.first_request_cache_read_input_tokens) ||
         v("resume_reason", m.resume_reason) ||
         v("startup_failure_reason", m.startup_failure_reason) ||
         v("invalid_config_file", m.invalid_config_file);
}
template <class V>
bool fields(V& v, Is<StreamEvent> auto& m) {
  return v("event", m.event) || v("session_id", m.session_id) ||
         v("parent_tool_use_id", m.parent_tool_use_id) || v("uuid", m.uuid) ||
         v("api_message_id", m.api_message_id) || v("ttft_ms", m.ttft_ms) ||
         v("thinking_display", m.thinking_display) || v("user_message_uuid", m.user_message_uuid) ||
         v("user_message_uuids", m.user_message_uuids) || v("resume_reason", m.resume_reason) ||
         v("owed_rows", m.owed_rows) || v("abandoned_blocks", m.abandoned_blocks);
}

}  // namespace claude::wire
