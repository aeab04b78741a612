// Cuts the CLI's bytes into lines, at 0x0A and nowhere else.
//
// Bytes are read straight into its buffer; a line is a view of it, good until the next call. Each
// byte is looked at once, however the reads fall. A line above the limit is thrown away up to its
// newline, and the next one is good again.
#pragma once

#include "wire/skim.h"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace claude::wire {

// Of malloc, because a huge block of it grows without being copied.
struct Free {
  void operator()(char* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<char[], Free>;

// The same for what is shared: operator new is code of one library more, which a message that comes
// after a pause would have to wait for.
template <class T>
struct Malloc {
  using value_type = T;
  Malloc() = default;
  template <class U>
  explicit Malloc(const Malloc<U>&) {}
  T* allocate(std::size_t count) {
    void* memory = std::malloc(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  bool operator==(const Malloc&) const = default;
};

class Framer {
 public:
  // `on_huge_block` is told of memory for a huge line, before most of it is filled.
  using OnHugeBlock = void (*)(char* memory, std::size_t bytes);
  explicit Framer(std::size_t max_line_bytes, OnHugeBlock on_huge_block = nullptr)
      : max_(max_line_bytes), on_huge_block_(on_huge_block) {}

  // Room for the next read, then how much of it was filled.
  [[gnu::hot]] std::span<char> space();
  void filled(std::size_t bytes) { end_ += bytes; }

  // The next whole line without its newline (and without a carriage return before it).
  [[gnu::hot]] std::optional<std::string_view> next_line();

  // The memory in which the line stands that next_line() has just given, with padding behind it:
  // a huge line is better kept than copied. Null: it is not that huge.
  [[gnu::hot]] Memory take_memory(std::string_view line);

  // A line above the limit has just been thrown away. Asked after each next_line().
  struct Oversized {
    std::size_t bytes = 0;
    const Frame* frame = nullptr;  // what it said of itself; good until the next call
  };
  std::optional<Oversized> take_oversized() { return std::exchange(oversized_, std::nullopt); }

  // Bytes of a line that has not ended yet.
  std::size_t pending() const { return end_ - begin_ + dropped_; }

 private:
  [[gnu::hot]] void make_room();
  void resize(std::size_t capacity);
  [[gnu::cold]] void drop_searched();
  [[gnu::cold]] void drop(std::string_view bytes);

  std::size_t max_;
  OnHugeBlock on_huge_block_;
  Memory buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;     // of the line being collected
  std::size_t searched_ = 0;  // no newline before this
  std::size_t end_ = 0;
  std::size_t dropped_ = 0;     // bytes of a line that is being thrown away
  std::unique_ptr<Skim> skim_;  // of that line, and of the last one that was
  std::optional<Oversized> oversized_;
};

}  // namespace claude::wire
