// The events of hooks.h by the names that the CLI has for them.
#include <claude/hooks.h>

#include "wire/names.h"

namespace claude {
namespace {

template <class Event>
constexpr std::string_view kEventName = {};
template <>
constexpr std::string_view kEventName<PreToolUse> = wire::kPreToolUse;
template <>
constexpr std::string_view kEventName<PostToolUse> = wire::kPostToolUse;
template <>
constexpr std::string_view kEventName<UserPromptSubmit> = wire::kUserPromptSubmit;
template <>
constexpr std::string_view kEventName<Stop> = wire::kStop;
template <>
constexpr std::string_view kEventName<SubagentStop> = wire::kSubagentStop;
template <>
constexpr std::string_view kEventName<PreCompact> = wire::kPreCompact;

}  // namespace

template <class Event>
std::string Hooks::event_name() {
  return std::string(kEventName<Event>);
}

template std::string Hooks::event_name<PreToolUse>();
template std::string Hooks::event_name<PostToolUse>();
template std::string Hooks::event_name<UserPromptSubmit>();
template std::string Hooks::event_name<Stop>();
template std::string Hooks::event_name<SubagentStop>();
template std::string Hooks::event_name<PreCompact>();

Hooks& Hooks::on(std::string event, std::optional<std::string> matcher, AnyHookHandler handler,
                 HookOptions options) {
  registrations_.push_back({std::move(event), std::move(matcher), options, std::move(handler)});
  return *this;
}

}  // namespace claude
