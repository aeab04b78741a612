// Does a value fit a JSON schema? The part of JSON Schema that structured output is written in,
// with complaints in the CLI's words.
#pragma once

#include <string>

#include "json.h"

namespace claude::sim {

// What is wrong with the value, as "/sum: must be number, root: must have ..."; empty: it fits.
// Numbers and flags that the model wrote as text are made what the schema wants, as the CLI does.
std::string schema_complaint(const Json& schema, Json& value);

}  // namespace claude::sim
