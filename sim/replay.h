// claude-sim --replay: plays a cassette as the CLI that was recorded, and watches that the SDK says
// what it said then.
#pragma once

#include "args.h"

namespace claude::sim {

// The cassette that the command line or the environment names; empty: none.
std::string cassette_path(const Args& args);

// Never comes back. Ends with 2 and a line on stderr when the SDK departs from the cassette.
[[noreturn]] void replay(const Args& args);

}  // namespace claude::sim
