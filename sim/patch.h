// The difference of two texts, line by line, as Write and Edit report it.
#pragma once

#include <string>

#include "json.h"

namespace claude::sim {

// [{oldStart, oldLines, newStart, newLines, lines}], with three lines of context.
Json patch_of(const std::string& before, const std::string& after);

struct LineCounts {
  std::size_t added = 0;
  std::size_t removed = 0;
};
LineCounts changed_lines(const std::string& before, const std::string& after);

}  // namespace claude::sim
