// Files that a prompt names with an @: the model is given them together with it.
#pragma once

#include <vector>

#include "session.h"

namespace claude::sim {

// What the session file keeps of each: a file, one that the model knows already, or a folder. From
// now on the model knows them.
std::vector<Json> mentioned_files(Session& session, const Prompt& prompt);

}  // namespace claude::sim
