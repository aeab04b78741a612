// What the CLI makes of a message that the model's safeguards stopped.
#pragma once

#include "turn.h"

namespace claude::sim {

// The first of a conversation: its calls are stopped, and the model is made to go on.
Task<void> go_on_after_refusal(Session& session, Turn& turn, Agent agent, Spoken spoken);
// Any other: the host is told, in the midst of the message. Gives the end of a conversation that
// has no calls to go on with.
Ending refused_again(Session& session, Turn& turn, const Agent& agent,
                     const std::string& message_id);

}  // namespace claude::sim
