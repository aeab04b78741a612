// Many sessions at the same time, with no thread of the host behind them.
#pragma once

#include <claude/claude.h>

#include "soak/held.h"

namespace claude::soak {

// Starts so many, sends each a prompt, and lets the runtime's one thread read for all of them; its
// callbacks answer hooks and permissions. Gives what is held while all are open; throws when one
// does not get its own result.
Held together(std::size_t count, Options options);

}  // namespace claude::soak
