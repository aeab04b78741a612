// Messages about the run itself: what the CLI reports beside the conversation.
//
// Values that the CLI may extend (states, reasons, levels) are its own words, as text.
#pragma once

#include <claude/field.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace claude {

// What every message has.
struct MessageBase {
  std::string_view uuid;
  std::string_view session_id;
  std::vector<OtherField> other;  // fields without a member of their own
  std::string_view raw;           // the line, unchanged
  Keep keep;                      // the memory that all views of the message point into
  std::size_t list_bytes = 0;     // what its lists, and `other`, take beside that memory
};

// The start of each turn.
struct SystemInit : MessageBase {
  struct McpServer {
    std::string_view name;
    std::string_view status;
    Text source;
  };
  struct Plugin {
    std::string_view name;
    Text path;
    Text source;
    Text version;
  };
  std::string_view cwd;
  std::string_view model;
  std::string_view permission_mode;
  std::string_view claude_code_version;
  std::vector<std::string_view> tools;
  std::vector<McpServer> mcp_servers;
  std::vector<std::string_view> slash_commands;
  std::vector<std::string_view> terminal_slash_commands;
  std::vector<std::string_view> agents;
  std::vector<std::string_view> skills;
  std::vector<Plugin> plugins;
  std::vector<std::string_view> capabilities;
  std::vector<std::string_view> betas;
  std::vector<std::string_view> additional_directories;
  std::vector<std::string_view> user_message_uuids;
  Text api_key_source;
  Text output_style;
  Text original_cwd;
  Text messaging_socket_path;
  Text fast_mode_state;
  Text fast_mode_disabled_reason;
  Text view_mode;
  RawJson effort;
  RawJson memory_paths;
  RawJson plugin_errors;
  Field<bool> analytics_disabled;
  Field<bool> product_feedback_disabled;
  Field<bool> per_turn_effort_active;
  Field<bool> ultrathink_available;
  Field<bool> ultrathink_typed_raises;
};

// What the CLI is doing; also tells of a new permission mode and of compaction.
struct StatusMessage : MessageBase {
  Text status;  // "requesting", "compacting", or null
  Text permission_mode;
  Text compact_result;
  Text compact_error;
  Field<std::int64_t> compact_output_chars;
  std::vector<std::string_view> user_message_uuids;
};

struct ApiRetry : MessageBase {
  std::int64_t attempt = 0;
  std::int64_t max_retries = 0;
  double retry_delay_ms = 0;
  Field<std::int64_t> error_status;
  Text error;
  Field<bool> no_response;
};

struct CompactBoundary : MessageBase {
  struct Segment {
    Text head_uuid;
    Text anchor_uuid;
    Text tail_uuid;
  };
  struct Preserved {
    Text anchor_uuid;
    std::vector<std::string_view> uuids;
    std::vector<std::string_view> all_uuids;
  };
  struct Metadata {
    Text trigger;
    Field<std::int64_t> pre_tokens;
    Field<std::int64_t> post_tokens;
    Field<std::int64_t> cumulative_dropped_tokens;
    Field<std::int64_t> duration_ms;
    Field<Segment> preserved_segment;
    Field<Preserved> preserved_messages;
  };
  Field<Metadata> compact_metadata;
  Text logical_parent_uuid;
};

// A tool was refused without asking anybody.
struct PermissionDenied : MessageBase {
  std::string_view tool_name;
  std::string_view tool_use_id;
  std::string_view message;
  Text decision_reason_type;
  Text decision_reason_code;
  Text decision_reason;
  Text agent_id;
};

struct Informational : MessageBase {
  struct PromptOutcome {
    Text kind;
    Field<bool> prompt_kept;
    Text reason;
  };
  std::string_view content;
  std::string_view level;
  Text tag;
  Text tool_use_id;
  Text timestamp;
  Field<bool> is_meta;
  Field<bool> prevent_continuation;
  Field<PromptOutcome> prompt_submit_outcome;
};

struct Notification : MessageBase {
  std::string_view key;
  std::string_view text;
  Text priority;
  Text color;
  Field<std::int64_t> timeout_ms;
};

// A hook of the settings files ran (Options::hook_events). `subtype` is hook_started,
// hook_progress or hook_response.
struct HookEvent : MessageBase {
  std::string_view subtype;
  std::string_view hook_id;
  std::string_view hook_name;
  std::string_view hook_event;
  Text output;
  Text stdout_text;
  Text stderr_text;
  Text outcome;
  Field<std::int64_t> exit_code;
};

struct TaskUsage {
  Field<std::int64_t> total_tokens;
  Field<std::int64_t> tool_uses;
  Field<std::int64_t> duration_ms;
};

// A subagent or a background command begins.
struct TaskStarted : MessageBase {
  std::string_view task_id;
  std::string_view description;
  Text run_id;
  Text tool_use_id;
  Text subagent_type;
  Text task_type;
  Text parent_task_id;
  Text workflow_name;
  Text prompt;
  Field<bool> is_backgrounded;
  Field<bool> skip_transcript;
  Field<bool> ambient;
  Field<std::int64_t> spawn_depth;
};

struct TaskProgress : MessageBase {
  std::string_view task_id;
  std::string_view description;
  Text run_id;
  Text tool_use_id;
  Text subagent_type;
  Text last_tool_name;
  Text summary;
  Field<TaskUsage> usage;
};

struct TaskUpdated : MessageBase {
  struct Patch {
    Text status;
    Text description;
    Text error;
    Field<std::int64_t> end_time;
    Field<std::int64_t> total_paused_ms;
    Field<bool> is_backgrounded;
  };
  std::string_view task_id;
  Text run_id;
  Field<Patch> patch;
};

// It ended: status is "completed", "failed" or "stopped".
struct TaskNotification : MessageBase {
  std::string_view task_id;
  std::string_view status;
  Text summary;
  Text output_file;
  Text run_id;
  Text tool_use_id;
  Text reason;
  Field<TaskUsage> usage;
  RawJson resource_links;
  Field<bool> skip_transcript;
  Field<bool> ambient;
};

// All background tasks that live now; replaces what was known before.
struct BackgroundTasks : MessageBase {
  struct Task {
    std::string_view task_id;
    std::string_view task_type;
    std::string_view description;
    Text run_id;
    Text subagent_type;
    Text parent_task_id;
    Field<bool> ambient;
  };
  std::vector<Task> tasks;
};

struct ThinkingTokens : MessageBase {
  std::int64_t estimated_tokens = 0;
  std::int64_t estimated_tokens_delta = 0;
  Text user_message_uuid;
};

struct SessionStateChanged : MessageBase {
  std::string_view state;  // "idle", "running", "requires_action"
  Field<bool> sdk_host_only;
};

struct SessionTitleChanged : MessageBase {
  std::string_view title;
};

// A long operation of ours is under way.
struct ControlRequestProgress : MessageBase {
  std::string_view request_id;
  std::string_view status;
  Field<std::int64_t> attempt;
  Field<std::int64_t> max_retries;
  Field<double> retry_delay_ms;
  Field<std::int64_t> error_status;
};

struct ToolProgress : MessageBase {
  std::string_view tool_use_id;
  std::string_view tool_name;
  Text parent_tool_use_id;
  Text task_id;
  Text subagent_type;
  RawJson subagent_retry;
  double elapsed_time_seconds = 0;
  Field<bool> heartbeat;
};

// A prompt of ours was queued, started, completed or cancelled.
struct CommandLifecycle : MessageBase {
  std::string_view command_uuid;
  std::string_view state;
};

// /clear: the conversation, its session id and its costs begin anew.
struct ConversationReset : MessageBase {
  std::string_view new_conversation_id;
  Text trigger;
  Text user_message_uuid;
  Text timestamp;
};

struct PromptSuggestion : MessageBase {
  std::string_view suggestion;
};

struct TranscriptMirror : MessageBase {
  std::string_view file_path;
  RawJson entries;
};

struct RateLimit : MessageBase {
  RawJson rate_limit_info;
};

struct AuthStatus : MessageBase {
  Field<bool> is_authenticating;
  std::vector<std::string_view> output;
  Text error;
};

struct ToolUseSummary : MessageBase {
  std::string_view summary;
  std::vector<std::string_view> preceding_tool_use_ids;
};

// The form of an error that one description of the protocol has; CLI 2.1.325 never sends it.
struct ErrorMessage : MessageBase {
  struct Body {
    Text type;
    Text message;
  };
  Body error;
};

// A type or subtype that this version does not know: its fields are in `other`, all of it in `raw`.
struct UnknownMessage : MessageBase {
  std::string_view type;
  std::string_view subtype;
};

}  // namespace claude
