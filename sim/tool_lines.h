// What the host sees of a tool call besides its asks: results, rejections, denials.
#pragma once

#include <string>

#include "turn.h"

namespace claude::sim {

// Hooks and permissions know the subagent tool by one name.
std::string canonical(const std::string& name);

// `tool_result_meta` of a call that was decided on.
Json meta_of(const ToolCall& call, const Permit& permit);
Json tool_result_line(Session& session, const Agent& agent, const ToolCall& call,
                      const ToolOutcome& outcome, const Json& meta);
void send_result(Session& session, Turn& turn, const Agent& agent, const ToolCall& call,
                 const ToolOutcome& outcome, const Json& meta);

// A call that somebody stopped: its result, and the meta of that.
inline constexpr const char* kRejected =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was "
    "a file edit, the new_string was NOT written to the file). STOP what you are doing and wait "
    "for the user to tell you how to proceed.";
inline constexpr const char* kCancelled =
    "The user doesn't want to take this action right now. STOP what you are doing and wait for the "
    "user to tell you how to proceed.";
ToolOutcome rejection(const std::string& text, const char* result);
Json rejection_meta(const ToolCall& call, const char* kind);

// For the turn's permission_denials.
void note_denial(Turn& turn, const ToolCall& call);
// The host hears of a denial that it was not asked about.
void announce_denial(Session& session, const Agent& agent, const ToolCall& call,
                     const Decision& decision);

// What a change of a file added and took away.
void count_lines(AgentTally& tally, const Json& result);
// A subagent may have a mode of its own, unless the session's is the more generous.
Permissions permissions_of(const Session& session, const Agent& agent);

}  // namespace claude::sim
