// A file of its own, so that the compiler does not see through operator new.
#include "io/allocation_watch.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <new>

namespace claude::io::test {
namespace {

struct Count {
  pid_t host;
  int in_children;
};
Count* count = nullptr;  // in a page that is shared even with a forked child

void note_allocation() {
  if (count && ::getpid() != count->host) ++count->in_children;
}

}  // namespace

AllocationWatch::AllocationWatch() {
  void* page =
      ::mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) count = new (page) Count{.host = ::getpid(), .in_children = 0};
}

AllocationWatch::~AllocationWatch() {
  if (count) ::munmap(count, sizeof(Count));
  count = nullptr;
}

int AllocationWatch::in_children() const {
  return count ? count->in_children : -1;
}

}  // namespace claude::io::test

using claude::io::test::note_allocation;

extern "C" {
void* __real_malloc(std::size_t size);
void* __wrap_malloc(std::size_t size) {
  note_allocation();
  return __real_malloc(size);
}
void* __real_calloc(std::size_t count, std::size_t size);
void* __wrap_calloc(std::size_t count, std::size_t size) {
  note_allocation();
  return __real_calloc(count, size);
}
void* __real_realloc(void* memory, std::size_t size);
void* __wrap_realloc(void* memory, std::size_t size) {
  note_allocation();
  return __real_realloc(memory, size);
}
char* __real_strdup(const char* text);
char* __wrap_strdup(const char* text) {
  note_allocation();
  return __real_strdup(text);
}
}

void* operator new(std::size_t size) {
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
