// A file of its own, so that the compiler does not see through operator new.
#include "core/allocations.h"

#include <cstdlib>
#include <new>

namespace claude::core {
namespace {

std::size_t count = 0;

}  // namespace

std::size_t allocations() {
  return count;
}

}  // namespace claude::core

void* operator new(std::size_t size) {
  ++claude::core::count;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++claude::core::count;
  return std::malloc(size ? size : 1);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
