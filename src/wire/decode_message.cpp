#include "wire/decode_message.h"

#include "wire/fields_message.h"
#include "wire/names.h"

#include <algorithm>

namespace claude::wire {
namespace {

template <class M>
void read_as(Decoder& decoder, std::string_view, Message& out) {
  decoder.read(out.emplace<M>());
}

void read_hook_event(Decoder& decoder, std::string_view subtype, Message& out) {
  auto& event = out.emplace<HookEvent>();
  event.subtype = subtype;
  decoder.read(event);
}

// Also takes {"type":"assistant","delta":{...}}: streaming as one description of the protocol has
// it. CLI 2.1.325 sends stream_event instead.
void read_assistant(Decoder& decoder, std::string_view, Message& out) {
  auto start = decoder.in.mark();
  decoder.read(out.emplace<AssistantMessage>());
  if (std::ranges::find(decoder.other, "delta", &OtherField::path) == decoder.other.end()) return;
  decoder.other.clear();
  decoder.in.back_to(start);
  auto& event = out.emplace<StreamEvent>();
  decoder.in.each_member([&](json::Key key) {
    if (key.is("delta") && decoder.read(event.event)) return true;
    if (key.is("uuid") && decoder.read(event.uuid)) return true;
    if (key.is("session_id") && decoder.read(event.session_id)) return true;
    return static_cast<bool>(decoder.in.raw());
  });
}

struct Known {
  Name type;
  Name subtype;   // of system messages
  void (*read)(Decoder&, std::string_view subtype, Message&);
};

constexpr Known kKnown[] = {
    {kStreamEvent, {}, read_as<StreamEvent>},
    {kAssistant, {}, read_assistant},
    {kUser, {}, read_as<UserMessage>},
    {kResult, {}, read_as<ResultMessage>},
    {kSystem, "init", read_as<SystemInit>},
    {kSystem, "status", read_as<StatusMessage>},
    {kSystem, "thinking_tokens", read_as<ThinkingTokens>},
    {kSystem, "api_retry", read_as<ApiRetry>},
    {kSystem, "compact_boundary", read_as<CompactBoundary>},
    {kSystem, "permission_denied", read_as<PermissionDenied>},
    {kSystem, "informational", read_as<Informational>},
    {kSystem, "notification", read_as<Notification>},
    {kSystem, "hook_started", read_hook_event},
    {kSystem, "hook_progress", read_hook_event},
    {kSystem, "hook_response", read_hook_event},
    {kSystem, "task_started", read_as<TaskStarted>},
    {kSystem, "task_progress", read_as<TaskProgress>},
    {kSystem, "task_updated", read_as<TaskUpdated>},
    {kSystem, "task_notification", read_as<TaskNotification>},
    {kSystem, "background_tasks_changed", read_as<BackgroundTasks>},
    {kSystem, "session_state_changed", read_as<SessionStateChanged>},
    {kSystem, "session_title_changed", read_as<SessionTitleChanged>},
    {kSystem, "control_request_progress", read_as<ControlRequestProgress>},
    {"tool_progress", {}, read_as<ToolProgress>},
    {"command_lifecycle", {}, read_as<CommandLifecycle>},
    {"conversation_reset", {}, read_as<ConversationReset>},
    {"prompt_suggestion", {}, read_as<PromptSuggestion>},
    {"transcript_mirror", {}, read_as<TranscriptMirror>},
    {"rate_limit_event", {}, read_as<RateLimit>},
    {"auth_status", {}, read_as<AuthStatus>},
    {"tool_use_summary", {}, read_as<ToolUseSummary>},
    {kError, {}, read_as<ErrorMessage>},
};

}  // namespace

void decode_message(Decoder& decoder, std::string_view type, std::string_view subtype,
                    Message& out) {
  for (const Known& known : kKnown) {
    if (known.type != type || (!known.subtype.empty() && known.subtype != subtype)) continue;
    return known.read(decoder, subtype, out);
  }
  auto& message = out.emplace<UnknownMessage>();
  message.type = type;
  message.subtype = subtype;
  decoder.in.each_member([&](json::Key key) {
    if (key.is("uuid") && decoder.read(message.uuid)) return true;
    if (key.is("session_id") && decoder.read(message.session_id)) return true;
    return static_cast<bool>(decoder.in.raw());
  });
}

}  // namespace claude::wire
