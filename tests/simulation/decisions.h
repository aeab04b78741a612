// Where a world takes its decisions from: a seed, or a recorded string of them.
//
// One byte a decision. The byte 0 always means the plain thing (no switch, no fault, no delay), and
// behind the end of a recording everything is plain: so a shorter or emptier string is a simpler
// schedule, which is how failures are shrunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace claude::simulation {

class Decisions {
 public:
  using Recording = std::vector<std::uint8_t>;

  explicit Decisions(std::uint64_t seed) : seed_(seed) {}
  explicit Decisions(Recording given) : given_(std::move(given)), from_recording_(true) {}

  // 0 to n - 1; n is 256 at most.
  std::size_t below(std::size_t n) { return next() * n >> 8; }
  bool one_in(std::size_t n) { return below(n) == n - 1; }
  template <class T, std::size_t N>
  const T& of(const T (&list)[N]) {
    return list[below(N)];
  }

  // What a seed would decide, as a recording.
  static Recording recording_of(std::uint64_t seed, std::size_t size) {
    Decisions decisions(seed);
    Recording bytes(size);
    for (std::uint8_t& byte : bytes) byte = decisions.drawn();
    return bytes;
  }

 private:
  std::uint8_t next() { return from_recording_ ? replayed() : drawn(); }
  std::uint8_t replayed() {
    return replayed_ < given_.size() ? given_[replayed_++] : std::uint8_t{0};
  }
  // splitmix64, eight bytes at a time: the same numbers with every compiler and library.
  std::uint8_t drawn() {
    if (left_ == 0) {
      std::uint64_t z = (seed_ += 0x9e3779b97f4a7c15u);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      bits_ = z ^ (z >> 31);
      left_ = 8;
    }
    --left_;
    return static_cast<std::uint8_t>(bits_ >> (8 * left_));
  }

  std::uint64_t seed_ = 0;
  std::uint64_t bits_ = 0;
  unsigned left_ = 0;
  Recording given_;
  std::size_t replayed_ = 0;
  bool from_recording_ = false;
};

}  // namespace claude::simulation
