// The constant lists that the CLI announces (commands, agents, models, ...), shortened.
#pragma once

#include "json.h"

namespace claude::sim {

const Json& catalog();

}  // namespace claude::sim
