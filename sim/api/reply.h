// One answer of the scripted model, read from a step of a scenario or of a script in a prompt.
// Knows the script's words, which claude-sim reads, too (docs/simulator.md); nothing of HTTP, or of
// which answer comes when.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace claude::sim_api {

using json = nlohmann::ordered_json;  // keeps the order of the script

struct ApiError {
  int status = 500;
  std::string type;
  std::string message;
  int times = 0;  // how often it is given before the next step comes; 0: for good
};

struct Reply {
  std::vector<json> blocks;            // as in an API message, but tool_use may lack its id
  std::vector<int> chunks;             // of each block: deltas that its words are cut into
  std::chrono::milliseconds delay{0};  // between two deltas
  std::chrono::milliseconds wait{0};   // before the answer begins
  std::string stop_reason;
  json usage = json::object();  // laid over the default usage
  std::optional<ApiError> error;
};

// The replies among the steps: what only claude-sim can do (write a line, die) is passed over.
// Throws std::exception that names what it did not understand.
std::vector<Reply> parse_replies(const json& steps);

Reply text_reply(const std::string& text);

}  // namespace claude::sim_api
