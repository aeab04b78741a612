// Kept as JSON text, since that is what they are on the wire (CLI 2.1.325).
#include "catalog.h"

#include <algorithm>

namespace claude::sim {

namespace {

// Names and abilities are the CLI's; the words that describe them are ours.
constexpr const char* kDescription = "A description.";

constexpr const char* kText = R"json({
"slash_commands": [
  "deep-research", "dataviz", "update-config", "verify", "debug", "code-review", "simplify",
  "batch", "fewer-permission-prompts", "doctor", "loop", "claude-api", "workflow-authoring",
  "run", "run-skill-generator", "plugin-authoring", "agents", "auto-mode-setup", "autocompact",
  "clear", "color", "compact", "config", "output-style", "context", "effort", "fast", "focus",
  "heapdump", "init", "mcp", "model", "__remote-workflow", "workflow-launch-exec",
  "reload-plugins", "reload-skills", "rename", "security-review", "usage", "insights", "recap",
  "goal",
  "list-agents", "team-onboarding"],
"aliases": {"code-review": ["review"], "doctor": ["checkup"], "loop": ["proactive"],
  "clear": ["reset", "new"], "config": ["settings"], "rename": ["name"], "usage": ["cost",
  "stats"], "list-agents": ["peers"]},
"terminal_slash_commands": ["doctor", "color", "focus", "reload-plugins"],
"skills": [
  "deep-research", "dataviz", "update-config", "verify", "debug", "code-review", "simplify",
  "batch", "fewer-permission-prompts", "doctor", "loop", "claude-api", "workflow-authoring",
  "run", "run-skill-generator", "plugin-authoring"],
"agents": [
  {"name": "claude", "description": "A description."},
  {"name": "Explore", "description": "A description.", "model": "inherit"},
  {"name": "general-purpose", "description": "A description."},
  {"name": "Plan", "description": "A description.", "model": "inherit"},
  {"name": "statusline-setup", "description": "A description.", "model": "sonnet"}],
"output_styles": ["default", "Proactive", "Concise", "Explanatory", "Learning"],
"models": [
  {"value": "default", "resolvedModel": "claude-opus-5-5",
   "displayName": "Default (recommended)", "supportsFastMode": true},
  {"value": "opus", "resolvedModel": "claude-opus-5-5",
   "displayName": "Opus", "supportsFastMode": true},
  {"value": "fable", "resolvedModel": "claude-fable-5-2",
   "displayName": "Fable", "supportsFastMode": true},
  {"value": "sonnet", "resolvedModel": "claude-sonnet-5-5",
   "displayName": "Sonnet"},
  {"value": "haiku", "resolvedModel": "claude-haiku-5-5",
   "displayName": "Haiku"}],
"account": {"tokenSource": "none", "apiKeySource": "ANTHROPIC_API_KEY",
            "apiProvider": "firstParty"},
"sandbox": {
  "supported": true, "locked": false, "overrides_locked": false, "policy_origins": [],
  "enabled": false, "enabled_in_settings": false, "mode": "disabled", "auto_allow_available": true,
  "no_sandbox_allowed": true, "unsandboxed_fallback": true, "dependencies": {"warnings": []},
  "excluded_commands": [],
  "restrictions": {
    "fs_deny_read": [], "fs_allow_read": [], "fs_allow_write": [], "fs_deny_write": [],
    "network_allowed_domains": [], "network_denied_domains": [], "network_managed": false,
    "unix_sockets": [], "allow_all_unix_sockets": false, "ignored_glob_patterns": []}
},
"refusals": {
  "get_chrome_browsers": "Claude in Chrome is not connected in this session",
  "claude_oauth_callback": "No active claude_authenticate flow"},
"answers": {
  "get_workspace_diff": {"diff": null, "noDiffReason": "no-repository"},
  "get_chrome_dialog": {
    "allowed": true, "subscriber": false, "wsl": false, "installed": false, "connected": false,
    "enabled_by_default": false, "at_startup": false,
    "urls": {"install": "https://claude.ai/chrome",
             "reconnect": "https://clau.de/chrome/reconnect",
             "permissions": "https://clau.de/chrome/permissions"}},
  "submit_survey_feedback": {"feedback_id": null, "unavailable_reason": "Malformed request."},
  "background_tasks": {},
  "reload_skills": {"skills": [
    "dataviz", "update-config", "keybindings-help", "code-review", "simplify",
    "fewer-permission-prompts", "loop", "claude-api", "workflow-authoring", "run",
    "plugin-authoring", "init", "security-review"]},
  "get_hooks_listing": {"events": [], "hooks": [], "eventCatalog": [
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionDenied",
    "Notification", "UserPromptSubmit", "UserPromptExpansion", "SessionStart", "Stop",
    "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "PreModelSwitch",
    "PostModelSwitch", "SessionEnd", "PermissionRequest", "Setup", "TeammateIdle", "TaskCreated",
    "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "InstructionsLoaded",
    "WorktreeCreate", "WorktreeRemove", "CwdChanged", "FileChanged", "DirectoryAdded",
    "MessageDisplay"],
    "policy": {"disabledByPolicy": false, "managedOnly": false, "pluginOnly": false,
               "allDisabled": false, "policyHookCount": 0}}},
"message_breakdown": {"toolCallTokens": 0, "toolResultTokens": 0, "attachmentTokens": 18700,
  "assistantMessageTokens": 7, "userMessageTokens": 1, "redirectedContextTokens": 0,
  "unattributedTokens": 0, "toolCallsByType": [], "attachmentsByType": [
    {"name": "prompt_snapshot", "tokens": 16300}, {"name": "skill_listing", "tokens": 1700},
    {"name": "agent_listing_delta", "tokens": 400}, {"name": "deferred_tools_delta", "tokens": 100},
    {"name": "model", "tokens": 60}, {"name": "remote_session_change", "tokens": 60},
    {"name": "environment", "tokens": 50}, {"name": "session_context", "tokens": 10},
    {"name": "date", "tokens": 9}]},
"events_without_matcher": [
    "PostToolBatch", "UserPromptSubmit", "Stop", "TeammateIdle", "TaskCreated", "TaskCompleted",
    "WorktreeCreate", "WorktreeRemove", "CwdChanged", "MessageDisplay"],
"plugins": [
  {"name": "cc-plugin-agents-md", "path": "builtin", "source": "cc-plugin-agents-md@builtin"},
  {"name": "cc-plugin-privacy", "path": "builtin", "source": "cc-plugin-privacy@builtin"},
  {"name": "cc-plugin-plugin-authoring", "path": "builtin",
  "source": "cc-plugin-plugin-authoring@builtin"}],
"initialize_capabilities": ["ui_surface_v1", "mcp_call_result_not_for_model_v1",
  "mcp_call_check_permissions_v1", "voice_call_talk_line_v1", "ui_pane_widget_v1",
  "reload_plugins_refuse_if_busy_v1"],
"init_capabilities": ["interrupt_receipt_v1", "interrupt_cancel_queued_v1",
  "interrupt_send_now_v1", "interrupt_requeue_taken_v1", "msg_lifecycle_v1",
  "request_marker_lists_v1", "ask_user_question_unanswered_v1", "lifecycle_wakeup_source_v1",
  "sdk_mcp_tools_list_changed", "sdk_mcp_manifests", "mcp_read_resource_v1",
  "mcp_tool_ui_meta_v1", "ui_surface_v1", "mcp_call_result_not_for_model_v1",
  "mcp_call_check_permissions_v1", "voice_call_talk_line_v1", "withdrawn_files_note_v2",
  "ui_pane_widget_v1", "reload_plugins_refuse_if_busy_v1"],
"synthetic_message": {"diagnostics": null, "id": "", "container": null, "model": "<synthetic>",
  "role": "assistant", "stop_details": null, "stop_reason": "stop_sequence", "stop_sequence": "",
  "type": "message",
  "usage": {"output_tokens_details": null, "input_tokens": 0, "output_tokens": 0,
    "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
    "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": null,
    "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
    "inference_geo": null, "iterations": null, "speed": null, "fallback_credit": null},
  "content": [{"type": "text", "text": ""}], "context_management": null},
"subagent_stats": {"spawned": 0, "requested": {"background": 0, "foreground": 0, "unset": 0},
  "started_in_background": 0, "max_depth": 0, "spawned_by_subagents": 0, "completed": 0,
  "failed": 0, "killed": {"parent": 0, "user": 0, "system": 0},
  "refused": {"depth_limit": 0, "concurrency_limit": 0, "budget": 0}, "by_type": {}}
})json";

Json command_row(const Json& name, const Json& aliases) {
  Json row = Json::object();
  row["name"] = name;
  row["description"] = kDescription;
  row["argumentHint"] = "";
  if (!aliases.is_null()) row["aliases"] = aliases;
  row["builtin"] = true;
  return row;
}

// All models of this version can do the same.
Json model_row(const Json& model) {
  Json row = Json::object();
  for (const char* key : {"value", "resolvedModel", "displayName"}) row[key] = model.at(key);
  row["description"] = kDescription;
  row["supportsEffort"] = true;
  row["supportedEffortLevels"] = {"low", "medium", "high", "xhigh", "max"};
  row["supportsAdaptiveThinking"] = true;
  if (has(model, "supportsFastMode")) row["supportsFastMode"] = true;
  row["supportsAutoMode"] = true;
  row["supportsThinkingOff"] = false;
  return row;
}

Json event_row(const Json& name, const Json& without_matcher) {
  Json row = Json::object();
  row["name"] = name;
  row["summary"] = kDescription;
  row["supportsMatcher"] = std::ranges::find(without_matcher, name) == without_matcher.end();
  return row;
}

Json read_catalog() {
  Json all = Json::parse(kText);
  all["commands"] = Json::array();
  for (const Json& name : all["slash_commands"])
    all["commands"].push_back(
        command_row(name, member(all["aliases"], name.get_ref<const std::string&>().c_str())));
  for (Json& model : all["models"]) model = model_row(model);
  const Json& aliases = all["aliases"];
  for (Json& skill : all["answers"]["reload_skills"]["skills"])
    skill = command_row(skill, member(aliases, skill.get_ref<const std::string&>().c_str()));
  for (Json& event : all["answers"]["get_hooks_listing"]["eventCatalog"])
    event = event_row(event, all["events_without_matcher"]);
  return all;
}

}  // namespace

const Json& catalog() {
  static const Json kCatalog = read_catalog();
  return kCatalog;
}

bool is_known_model(const std::string& name) {
  return name.starts_with("claude-");
}

Json model_rows(const std::string& name) {
  Json rows = catalog().at("models");
  if (is_known_model(name)) return rows;
  Json model = Json::object();
  for (const char* key : {"value", "resolvedModel", "displayName"}) model[key] = name;
  Json row = model_row(model);
  row["supportsThinkingOff"] = true;
  rows.push_back(std::move(row));
  return rows;
}

}  // namespace claude::sim
