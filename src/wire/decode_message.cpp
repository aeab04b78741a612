// The table of messages: which type and subtype is which struct.
#include "wire/decode_message.h"

#include "wire/fields_message.h"
#include "wire/names.h"

#include <algorithm>

namespace claude::wire {
namespace {

// The head of the line has been read: its type, and the subtype that chose the struct.
template <class M>
void read_as(Decoder& decoder, Message& out) {
  decoder.read_object(out.emplace<M>(), "type");
}
// A fresh Message is one of these, and most messages are: no need to make it twice.
void read_stream_event(Decoder& decoder, Message& out) {
  decoder.read_object(std::get<StreamEvent>(out), "type");
}
template <class M>
void read_system(Decoder& decoder, Message& out) {
  decoder.read_object(out.emplace<M>(), "type", "subtype");
}

// {"type":"assistant","delta":{...}}: streaming as one description of the protocol has it. CLI
// 2.1.325 sends stream_event instead.
struct AssistantDelta {
  StreamEvent& as_event;
};
template <class V>
bool fields(V& v, Is<AssistantDelta> auto& m) {
  return v("delta", m.as_event.event) || fields(v, m.as_event);
}

void read_assistant(Decoder& decoder, Message& out) {
  auto start = decoder.in.mark();
  read_as<AssistantMessage>(decoder, out);
  if (std::ranges::find(decoder.other, "delta", &OtherField::path) == decoder.other.end()) return;
  decoder.other.clear();
  decoder.in.back_to(start);
  AssistantDelta delta{out.emplace<StreamEvent>()};
  decoder.read_object(delta, "type");
}

struct Known {
  Name type;
  Name subtype;  // of system messages
  void (*read)(Decoder&, Message&);
};

constexpr Known kKnown[] = {
    {kStreamEvent, {}, read_stream_event},
    {kAssistant, {}, read_assistant},
    {kUser, {}, read_as<UserMessage>},
    {kResult, {}, read_as<ResultMessage>},
    {kSystem, "init", read_system<SystemInit>},
    {kSystem, "status", read_system<StatusMessage>},
    {kSystem, "thinking_tokens", read_system<ThinkingTokens>},
    {kSystem, "api_retry", read_system<ApiRetry>},
    {kSystem, "compact_boundary", read_system<CompactBoundary>},
    {kSystem, "permission_denied", read_system<PermissionDenied>},
    {kSystem, "informational", read_system<Informational>},
    {kSystem, "notification", read_system<Notification>},
    {kSystem, "hook_started", read_as<HookEvent>},
    {kSystem, "hook_progress", read_as<HookEvent>},
    {kSystem, "hook_response", read_as<HookEvent>},
    {kSystem, "task_started", read_system<TaskStarted>},
    {kSystem, "task_progress", read_system<TaskProgress>},
    {kSystem, "task_updated", read_system<TaskUpdated>},
    {kSystem, "task_notification", read_system<TaskNotification>},
    {kSystem, "background_tasks_changed", read_system<BackgroundTasks>},
    {kSystem, "session_state_changed", read_system<SessionStateChanged>},
    {kSystem, "session_title_changed", read_system<SessionTitleChanged>},
    {kSystem, "control_request_progress", read_system<ControlRequestProgress>},
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
    return known.read(decoder, out);
  }
  decoder.read_object(out.emplace<UnknownMessage>());
}

}  // namespace claude::wire
