// Counts what our code allocates in processes that this one starts, up to their exec: by operator
// new, malloc, calloc, realloc and strdup, which the linker leads here (extra.cmake).
#pragma once

namespace claude::io::test {

// One at a time.
class AllocationWatch {
 public:
  AllocationWatch();
  ~AllocationWatch();
  AllocationWatch(const AllocationWatch&) = delete;
  AllocationWatch& operator=(const AllocationWatch&) = delete;

  int in_children() const;
};

}  // namespace claude::io::test
