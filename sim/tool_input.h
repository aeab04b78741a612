// Does the input of a tool call fit the tool?
#pragma once

#include <optional>
#include <string>

#include "files.h"
#include "json.h"

namespace claude::sim {

// Numbers and truths that came as text, as what they are.
Json in_own_types(const std::string& tool, Json input);

// The result that the CLI gives back at once when it does not fit.
std::optional<ToolOutcome> input_problem(const std::string& tool, const Json& input);

}  // namespace claude::sim
