// What the model and the host are told of a subagent that the turn waited for, or that was sent
// off.
#pragma once

#include "turn.h"

namespace claude::sim {

// The tools that it used and the conversation has not seen yet; empty: none.
std::string note_of_news(const Session& session, const AgentTally& tally);
// The subagent is done: the host hears it, the model gets what it said.
ToolOutcome hand_back(Session& session, const Agent& agent, const BackgroundTask& task,
                      const std::string& prompt, const std::string& report);
// It works in the background.
ToolOutcome launched(const Session& session, const Agent& agent, const BackgroundTask& task,
                     const std::string& prompt);

}  // namespace claude::sim
