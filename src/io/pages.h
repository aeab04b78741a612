// How the system brings memory in.
#pragma once

#include <cstddef>

namespace claude::io {

// A block of its own that is about to be filled for the first time: by large pages, where the
// system has them on request, at a fraction of the cost. Only a hint.
void use_large_pages(char* memory, std::size_t bytes);

}  // namespace claude::io
