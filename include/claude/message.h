// The messages of a conversation.
//
//   for (const claude::Message& m : session.send("Hello"))
//     if (auto* a = std::get_if<claude::AssistantMessage>(&m)) std::cout << a->text();
//
// A Message is a std::variant: use std::get_if, std::visit. It is a value: copying one is cheap
// and keeps its memory, so it may outlive the session. Its texts are views into that memory: keep
// the message (or copy the text to a std::string) for as long as you use them.
//
// What a newer CLI says is never lost: unknown types arrive as UnknownMessage, unknown blocks as
// UnknownBlock, unknown fields in `other`, and `raw` has the whole line as it came.
#pragma once

#include <claude/stream.h>
#include <claude/system.h>

namespace claude {

struct AssistantMessage : MessageBase {
  struct ToolUseMeta {
    std::string_view id;
    Text display_name;
    Text server_display_name;
    Text tool_name;
  };
  ApiMessage message;
  Text parent_tool_use_id;  // set inside a subagent
  Text error;               // "rate_limit", "authentication_failed", ...
  Text request_id;
  Text timestamp;
  Text agent_id;
  Text subagent_type;
  Text task_description;
  Text user_message_uuid;
  Text api_error_type;
  Text thinking_display;
  Text resume_reason;
  Text local_command_source;
  Field<bool> aborted;
  Field<bool> is_api_error_message;
  Field<bool> resumed_from_incomplete_thinking;
  Field<std::int64_t> api_error_status;
  Field<double> thinking_duration_ms;
  std::vector<std::string_view> user_message_uuids;
  std::vector<std::string_view> supersedes;
  std::vector<ToolUseMeta> tool_use_meta;
  RawJson context_usage;
  RawJson usage_report;
  RawJson local_command_run;
  RawJson local_command_outcome;

  std::string text() const { return message.content.text(); }
};

// A tool's result, a replayed prompt, or a note that the CLI puts in the user's mouth.
struct UserMessage : MessageBase {
  struct Body {
    std::string_view role;
    Content content;
  };
  struct PermissionDecision {
    Text decision;
    Text source;
    Text reason_type;
  };
  struct ToolResultMeta {
    std::string_view id;
    Field<PermissionDecision> permission_decision;
    Text non_execution_kind;
  };
  Body message;
  Text parent_tool_use_id;
  Text timestamp;
  Text agent_id;
  Text subagent_type;
  Text task_description;
  Text priority;
  Text refused_message_id;
  RawJson tool_use_result;
  RawJson origin;
  RawJson file_attachments;
  RawJson pasted_content;
  RawJson inline_pastes;
  std::vector<ToolResultMeta> tool_result_meta;
  Field<bool> is_replay;
  Field<bool> is_synthetic;
  Field<bool> should_query;
  Field<bool> client_composed;
};

struct ModelUsage {
  Field<std::int64_t> input_tokens;
  Field<std::int64_t> output_tokens;
  Field<std::int64_t> cache_read_input_tokens;
  Field<std::int64_t> cache_creation_input_tokens;
  Field<std::int64_t> web_search_requests;
  Field<double> cost_usd;
  Field<std::int64_t> context_window;
  Field<std::int64_t> max_output_tokens;
  Field<std::int64_t> thinking_tokens;
  Field<std::int64_t> cache_creation_ephemeral_5m_input_tokens;
  Field<std::int64_t> cache_creation_ephemeral_1h_input_tokens;
  Text canonical_model;
  Text provider;
  Text cost_basis;
};

struct PermissionDenial {
  std::string_view tool_name;
  std::string_view tool_use_id;
  RawJson tool_input;
};

// The end of a turn.
struct ResultMessage : MessageBase {
  struct DeferredToolUse {
    std::string_view id;
    std::string_view name;
    RawJson input;
  };
  struct Origin {
    std::string_view kind;  // "task-notification" for a turn that nobody prompted
    Text producer;
    Text run_id;
  };
  std::string_view subtype;  // "success", "error_during_execution", "error_max_turns", ...
  bool is_error = false;     // may be true with "success": the API failed
  // Neither of the two says that it went wrong.
  bool ok() const { return !is_error && !subtype.starts_with("error"); }
  Text result;
  std::vector<std::string_view> errors;
  Text stop_reason;
  Text terminal_reason;
  std::int64_t num_turns = 0;
  double duration_ms = 0;
  double duration_api_ms = 0;
  Field<double> total_cost_usd;   // of the session so far, before a resume too; not of this turn
  Field<Usage> usage;             // of this turn
  Table<ModelUsage> model_usage;  // of the session so far
  Table<ModelUsage> model_usage_since_last_result;
  std::vector<PermissionDenial> permission_denials;
  RawJson structured_output;
  Field<DeferredToolUse> deferred_tool_use;
  Field<Origin> origin;
  Text user_message_uuid;
  std::vector<std::string_view> user_message_uuids;
  Text local_command;
  Text resume_reason;
  Text startup_failure_reason;
  Text api_error_type;
  Text fast_mode_state;
  Text fast_mode_disabled_reason;
  Field<std::int64_t> api_error_status;
  Field<std::int64_t> queued_turn_count;
  Field<std::int64_t> result_index;
  Field<std::int64_t> safety_stops;
  Field<double> ttft_ms;
  Field<double> ttft_stream_ms;
  Field<double> time_to_request_ms;
  Field<double> first_content_frame_ms;
  Field<double> request_sent_wall_ms;
  Field<std::int64_t> first_request_input_tokens;
  Field<std::int64_t> first_request_cache_read_input_tokens;
  RawJson subagent_stats;
  RawJson invalid_config_file;
};

struct StreamEvent : MessageBase {
  StreamEvent() noexcept {}  // without it, each is filled with zeros before it is made

  ApiEvent event;
  Text parent_tool_use_id;
  Text api_message_id;
  Text thinking_display;
  Text user_message_uuid;
  Text resume_reason;
  Field<double> ttft_ms;
  std::vector<std::string_view> user_message_uuids;
  RawJson owed_rows;
  RawJson abandoned_blocks;

  // The piece of answer text in it, empty for every other event.
  std::string_view text() const {
    auto* block = std::get_if<ContentBlockDelta>(&event);
    auto* delta = block ? std::get_if<TextDelta>(&block->delta) : nullptr;
    return delta ? delta->text : std::string_view();
  }
};

using MessageVariant =
    std::variant<StreamEvent, AssistantMessage, UserMessage, ResultMessage, SystemInit,
                 StatusMessage, ApiRetry, CompactBoundary, PermissionDenied, Informational,
                 Notification, HookEvent, TaskStarted, TaskProgress, TaskUpdated, TaskNotification,
                 BackgroundTasks, ThinkingTokens, SessionStateChanged, SessionTitleChanged,
                 ControlRequestProgress, ToolProgress, CommandLifecycle, ConversationReset,
                 PromptSuggestion, TranscriptMirror, RateLimit, AuthStatus, ToolUseSummary,
                 ErrorMessage, UnknownMessage>;

class Message : public MessageVariant {
 public:
  using MessageVariant::MessageVariant;
  // Compiled once, in the library: what a variant of so many types costs each source that has one.
  Message();
  Message(const Message&);
  [[gnu::hot]] Message(Message&&) noexcept;
  Message& operator=(const Message&);
  Message& operator=(Message&&) noexcept;
  [[gnu::hot]] ~Message();

  // What all of them have.
  const MessageBase& base() const;
  std::string_view raw() const { return base().raw; }
  std::string_view uuid() const { return base().uuid; }
  std::string_view session_id() const { return base().session_id; }
};

}  // namespace claude
