// What the answer of an MCP server to a call means for the model and for the host.
#pragma once

#include <string>

#include "files.h"
#include "json.h"

namespace claude::sim {

// `folder`: where pictures are said to be kept.
ToolOutcome outcome_of(const Json& response, const std::string& server, const std::string& tool,
                       const std::string& folder);

}  // namespace claude::sim
