// Does the input of a tool call fit the tool?
#pragma once

#include <optional>
#include <string>

#include "files.h"
#include "json.h"

namespace claude::sim {

// The result that the CLI gives back at once when it does not fit.
std::optional<ToolOutcome> input_problem(const std::string& tool, const Json& input);

}  // namespace claude::sim
