// See pages.h.
#include "io/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace claude::io {

#ifdef MADV_HUGEPAGE

// All pages that it touches. What malloc has from the system begins behind a header of its own: if
// the first page were left out the block would be in two parts, and could not grow without a copy.
void use_large_pages(char* memory, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = address / page * page;
  const std::uintptr_t end = (address + bytes + page - 1) / page * page;
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

#else

void use_large_pages(char*, std::size_t) {}

#endif

}  // namespace claude::io
