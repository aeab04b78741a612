// Hooks before and after a tool.
#pragma once

#include <string>
#include <vector>

#include "turn.h"

namespace claude::sim {

// What the PreToolUse hooks want, taken together: deny before ask before allow.
struct PreVerdict {
  std::string decision;  // allow, ask, deny, defer, or nothing
  std::string reason;
  std::vector<Json> messages;
  std::string refusal;     // the tool is refused without a verdict
  bool cancelled = false;  // stdin ended
};

// PreToolUse. A hook may change the input.
Task<PreVerdict> before_tool(Session& session, Turn& turn, const Agent& agent, ToolCall& call);

// PostToolUse or PostToolUseFailure. Gives what is to be said after the result.
Task<std::vector<Json>> after_tool(Session& session, Turn& turn, const Agent& agent,
                                   const ToolCall& call, ToolOutcome& outcome, long long took_ms);

// PermissionDenied hooks hear of what the auto mode's judge refuses.
Task<void> tell_of_denial(Session& session, const Agent& agent, const ToolCall& call);

}  // namespace claude::sim
