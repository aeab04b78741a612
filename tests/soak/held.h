// What this process holds of the machine: the things that a session must give back.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace claude::soak {

struct Held {
  std::size_t descriptors = 0;
  std::size_t children = 0;  // also those that have ended and that nobody has waited for
  std::size_t threads = 0;
  std::size_t bytes_in_use = 0;    // of the heap
  std::size_t resident_bytes = 0;  // of the process, when the heap has given back what it can

  std::string to_string() const;
};

Held look();

inline constexpr auto kPatience = std::chrono::seconds(20);

// Looks until there are no more children, threads and descriptors than when it was quiet: nothing
// tells of the last steps of a thread that is about to end. Gives up after kPatience.
Held look_when_settled(const Held& quiet);

// What `now` has more than when it was quiet, in words; "" when nothing has grown.
std::string growth(const Held& quiet, const Held& now);

}  // namespace claude::soak
