// One random conversation: whatever a user, a CLI, a clock and a pipe may do, in any order.
//
// A schedule is a function of its choices, so it can be played again, from a seed or from the
// bytes of a fuzzer.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"

namespace claude::core {

struct Played {
  std::vector<std::string> events;  // described
  std::string output;
  std::string problem;  // the law that was broken; "": none
};

Played play(Choices choices);

// Bytes of a CLI in pieces of these sizes, before a user who reacts to what he sees, at once and
// always in the same way: so what happens must not depend on the pieces. A line may be that long.
Played listen(std::string_view bytes, const std::function<std::size_t()>& next_size,
              std::size_t line_bytes = 350);

// Where two runs part, in words; "": nowhere.
std::string difference(const Played& a, const Played& b);

// Random lines of a CLI, each with its newline: good ones, odd ones, broken ones.
std::string random_line(Choices& choices);

}  // namespace claude::core
