// The differences between the simulator and the real CLI that the comparison lets pass. Each has a
// name, and a row in docs/simulator.md that explains it. None is about the order of lines, about
// verdicts, or about whether a line is there.
#pragma once

#include <span>
#include <string_view>

#include "differential/transcript.h"

namespace claude::differential {

struct Tolerated {
  std::string_view name;
  void (*blur)(json& line);  // takes the difference out of a line
};

std::span<const Tolerated> tolerated();

}  // namespace claude::differential
