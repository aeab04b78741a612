// The conversation as a compaction sees it: in rounds, each a message of the model and what
// follows.
#pragma once

#include <string>
#include <vector>

#include "json.h"

namespace claude::sim {

class Rounds {
 public:
  // The next row of the conversation.
  void add(const Json& row);
  // Rows that a compaction leaves as they are: the last round, unless it is the only one.
  std::vector<std::string> kept() const { return count_ > 1 ? last_ : std::vector<std::string>(); }

 private:
  int count_ = 0;
  std::string message_;            // of the model, that the last one began with
  std::vector<std::string> last_;  // its rows, by their uuids
};

}  // namespace claude::sim
