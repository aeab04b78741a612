// The wall clock of this test program, gone mad: from now on each look at it finds it moved.
//
//   MadClock clock(-1h);   // every time somebody asks, it is an hour earlier
//
// Whoever computes a deadline from it waits for ever, or with a clock that runs ahead not at all.
// The monotonic clock stays as it is. One at a time; the clock is right again afterwards.
#pragma once

#include <chrono>

namespace claude::test {

class MadClock {
 public:
  explicit MadClock(std::chrono::seconds step);
  ~MadClock();
  MadClock(const MadClock&) = delete;
  MadClock& operator=(const MadClock&) = delete;
};

}  // namespace claude::test
