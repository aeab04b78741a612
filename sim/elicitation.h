// An MCP server asks the user something: hooks hear of it, the host answers.
#pragma once

#include "json.h"
#include "loop.h"

namespace claude::sim {

struct McpServer;
struct Session;

// Answers the server's request.
Task<void> elicit(Session& session, McpServer& server, Json request);

// What the user was sent elsewhere for is done.
void tell_of_completion(Session& session, McpServer& server, const Json& params);

}  // namespace claude::sim
