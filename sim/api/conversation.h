// What a Messages request says about where the conversation stands. The position is read from the
// request, not remembered: so retries, resumed sessions and subagents at once need no care.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reply.h"

namespace claude::sim_api {

struct Position {
  std::string prompt;            // the latest prompt of the user, without what the CLI adds
  std::size_t prompt_index = 0;  // its place among the request's messages
  std::size_t answered = 0;      // messages of the model since that prompt
  json ended_call;               // the tool call whose background work ended, if that is the prompt
};

// nullopt for a request without a prompt. Of several texts in one message the last is the prompt:
// after an interrupt the CLI sends the old prompt and the new one together.
std::optional<Position> find_position(const json& request);

// The answer to a request that the CLI makes on its own account (titles, summaries, suggestions),
// which no script foresees; nullopt when `prompt` is the user's.
std::optional<std::string> answer_to_side_request(std::string_view prompt);

// The script in `prompt`, an array of steps between @@ and @@; nullopt when there is none.
std::optional<json> find_script(std::string_view prompt);

}  // namespace claude::sim_api
