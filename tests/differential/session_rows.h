// The sessions that a CLI left on disk, as lines of a transcript.
#pragma once

#include <filesystem>

#include "differential/transcript.h"

namespace claude::differential {

// Adds the messages of each session file below `home`, those of its subagents, too. Of a row, what
// readers of sessions use is kept; its parent is the message before it. What else the CLI writes
// there is its own bookkeeping.
void add_session_rows(Transcript& transcript, const std::filesystem::path& home);

}  // namespace claude::differential
