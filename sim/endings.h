// How turns end: what their result lines say, and what is said before them.
#pragma once

#include "turn.h"

namespace claude::sim {

Ending ended(const char* reason, const std::string& result);
// The answer that a schema asked for was handed in, or never will be.
std::optional<Ending> structured_ending(Turn& turn);
Ending deferred_ending(Turn& turn);

bool over_budget(const Session& session);
Ending budget_spent(const Session& session);

// --max-turns
bool reached(const std::string& limit, int rounds);
Ending out_of_turns(const std::string& limit);

Ending interrupted(Session& session, Turn& turn);
// An interrupt came while the hooks looked at the prompt.
Ending unchecked(Session& session, Turn& turn);
// The CLI itself refuses a prompt that no model could read.
Ending too_long(Session& session, Turn& turn);

// What the Stop hooks want.
enum class Stop { ends, goes_on, prevented };
Task<Stop> stop_hooks(Session& session, Turn& turn, bool active);

}  // namespace claude::sim
