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

// The linker has every malloc of this program call this one instead.
extern "C" void* __real_malloc(std::size_t size);
extern "C" void* __wrap_malloc(std::size_t size) {
  ++claude::core::count;
  return __real_malloc(size);
}

void* operator new(std::size_t size) {
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size ? size : 1);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
