// Playing schedules: one, many on several processes, and a failing one made small.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "coverage.h"
#include "decisions.h"

namespace claude::simulation {

struct Played {
  std::string problem;  // the law that was broken; "": none
  std::size_t events = 0;
};
Played play(Decisions decisions, bool tracing);

struct Seeds {
  std::uint64_t first = 1;
  std::uint64_t last = 1'000'000;
  std::uint64_t count() const { return last - first + 1; }
};

struct Report {
  Coverage coverage;
  std::uint64_t schedules = 0;
  std::size_t median_events = 0;
  std::uint64_t failed_seed = 0;  // the first; 0: none
  std::string problem;
};
Report play_all(Seeds seeds, unsigned processes);

// The law that a schedule breaks, in a process of its own, so that a crash is a finding too.
std::string problem_of(const Decisions::Recording& recording);
// As few decisions, and as plain ones, as still break a law; what it has come to in a minute.
Decisions::Recording shrink(Decisions::Recording recording);

}  // namespace claude::simulation
