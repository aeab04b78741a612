// Counts what is allocated by operator new in processes that this one starts, up to their exec.
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
