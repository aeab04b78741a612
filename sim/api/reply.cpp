// Reads steps: {"text"}, {"thinking"}, {"tool","input"}, {"error"}, with their manner of delivery.
#include "reply.h"

#include <stdexcept>

namespace claude::sim_api {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string result;
  result.reserve(text.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

ApiError parse_error(const json& error) {
  return {.status = error.value("status", 500),
          .type = error.value("type", "api_error"),
          .message = error.value("message", "scripted error"),
          .times = error.value("times", 0)};
}

// One object may hold several blocks; they stand in the order in which a model produces them.
void add_step(const json& step, Reply& reply) {
  if (!step.is_object()) throw std::invalid_argument("a step must be an object: " + step.dump());
  if (step.contains("thinking")) {
    reply.blocks.push_back({{"type", "thinking"}, {"thinking", step["thinking"]}});
  }
  if (step.contains("text")) {
    std::string text = repeated(step["text"].get<std::string>(), step.value("repeat", 1));
    reply.blocks.push_back({{"type", "text"}, {"text", std::move(text)}});
  }
  if (step.contains("tool")) {
    json block{{"type", "tool_use"}, {"name", step["tool"]}};
    block["input"] = step.value("input", json::object());
    if (step.contains("id")) block["id"] = step["id"];
    reply.blocks.push_back(std::move(block));
  }
  if (step.contains("error")) reply.error = parse_error(step["error"]);
  reply.chunks = step.value("chunks", reply.chunks);
  reply.delay = std::chrono::milliseconds(step.value("delay_ms", reply.delay.count()));
  reply.wait = std::chrono::milliseconds(step.value("wait_ms", reply.wait.count()));
  reply.stop_reason = step.value("stop_reason", reply.stop_reason);
  if (step.contains("usage")) reply.usage.update(step["usage"]);
}

}  // namespace

Reply parse_reply(const json& step) {
  Reply reply;
  for (const json& part : step.is_array() ? step : json::array({step})) add_step(part, reply);
  if (reply.blocks.empty() && !reply.error) {
    throw std::invalid_argument("a step needs text, thinking, tool or error: " + step.dump());
  }
  if (reply.stop_reason.empty()) {
    bool asks_tool = !reply.blocks.empty() && reply.blocks.back()["type"] == "tool_use";
    reply.stop_reason = asks_tool ? "tool_use" : "end_turn";
  }
  return reply;
}

Reply text_reply(const std::string& text) {
  return parse_reply({{"text", text}});
}

}  // namespace claude::sim_api
