// The blocks of a message of the model, as a step of the scenario has them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "turn.h"

namespace claude::sim {

// A block of the message: its first form in a stream, its pieces, and its whole.
struct Block {
  Json start;
  std::vector<Json> deltas;
  std::vector<std::string> pieces;  // of text, for a message that is cut off
  Json whole;
  std::optional<ToolCall> call;
};

std::vector<Block> blocks_of(const Json& step, Ids& ids);

}  // namespace claude::sim
