// One simulated CLI, from its command line to its end, in the world of this thread (world.h).
#pragma once

#include <string>
#include <vector>

#include "output.h"

namespace claude::sim {

// The arguments without the program's name. What was still under way at the end is left behind,
// as a process leaves it.
Ended run(const std::vector<std::string>& arguments);

}  // namespace claude::sim
