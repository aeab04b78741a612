// Counts what this program allocates, by operator new and by malloc.
#pragma once

#include <cstddef>

namespace claude::core {

std::size_t allocations();  // since the program began

}  // namespace claude::core
