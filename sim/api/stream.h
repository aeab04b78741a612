// A reply in the Messages API's two forms: one JSON message, or a stream of server-sent events.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reply.h"

namespace claude::sim_api {

struct StreamEvent {
  std::chrono::milliseconds delay{0};  // before it is sent
  std::string bytes;
};

// The whole message. `number` makes its ids unlike those of other replies.
json make_message(const Reply& reply, const std::string& model, int number);

std::vector<StreamEvent> make_stream(const Reply& reply, const std::string& model, int number);

json make_error(const ApiError& error);

}  // namespace claude::sim_api
