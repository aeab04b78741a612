// What a hook is told. Not decoded with its line: only the callback that the CLI named tells which
// event it is.
#pragma once

#include <claude/error.h>
#include <claude/hooks.h>

#include "wire/kept_line.h"
#include "wire/line.h"

namespace claude::wire {

// `Event` is one of the six events of hooks.h, or HookInput for any other. `tool_use_id` is that of
// the request, for events whose input has none. `line` is where both stand; without it they are
// copied, so that the event lives on its own. Fails with missing_field when a field that the event
// cannot do without is not there or has another type: that is only what the event is about, since a
// hook that is not called is a hook that cannot deny.
template <class Event>
Result<Event> decode_hook_input(RawJson input, std::string_view tool_use_id = {},
                                KeptLine line = {});

extern template Result<PreToolUse> decode_hook_input(RawJson, std::string_view, KeptLine);
extern template Result<PostToolUse> decode_hook_input(RawJson, std::string_view, KeptLine);
extern template Result<UserPromptSubmit> decode_hook_input(RawJson, std::string_view, KeptLine);
extern template Result<Stop> decode_hook_input(RawJson, std::string_view, KeptLine);
extern template Result<SubagentStop> decode_hook_input(RawJson, std::string_view, KeptLine);
extern template Result<PreCompact> decode_hook_input(RawJson, std::string_view, KeptLine);
extern template Result<HookInput> decode_hook_input(RawJson, std::string_view, KeptLine);

// The event that a line asks about, if it is not decoded already. Takes it from the call.
template <class Event>
Result<Event> take_event(HookCallback& call, KeptLine line) {
  if constexpr (std::same_as<Event, PreToolUse>) {
    if (call.event) return std::move(*call.event);
  }
  return decode_hook_input<Event>(call.input, call.tool_use_id.value_or({}), std::move(line));
}

}  // namespace claude::wire
