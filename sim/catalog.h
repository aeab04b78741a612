// The constant lists that the CLI announces (commands, agents, models, ...), shortened.
#pragma once

#include <string>

#include "json.h"

namespace claude::sim {

const Json& catalog();

// The CLI takes any name of a model, and warns of one that is none of its makers'.
bool is_known_model(const std::string& name);
// The models to choose from, and `name` among them.
Json model_rows(const std::string& name);

}  // namespace claude::sim
