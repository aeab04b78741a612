// Where a random schedule takes its choices from: a seed, or the bytes of a fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace claude::core {

class Choices {
 public:
  explicit Choices(std::uint64_t seed) : seed_(seed) {}
  // Borrowed. Behind their end every choice is the first one.
  explicit Choices(std::string_view bytes) : bytes_(bytes), from_bytes_(true) {}

  // 0 to n - 1.
  std::size_t below(std::size_t n) { return next() % n; }
  bool one_in(std::size_t n) { return below(n) == n - 1; }

  template <class T, std::size_t N>
  const T& of(const T (&list)[N]) {
    return list[below(N)];
  }

  bool used_up() const { return from_bytes_ && bytes_.empty(); }

 private:
  std::uint64_t next() {
    if (from_bytes_) {
      if (bytes_.empty()) return 0;
      auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      return byte;
    }
    // splitmix64: the same numbers with every compiler and library.
    std::uint64_t z = (seed_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t seed_ = 0;
  std::string_view bytes_;
  bool from_bytes_ = false;
};

}  // namespace claude::core
