// Reads steps: text, thinking, tool, ask, mcp, blocks, error, and their manner of delivery.
#include "reply.h"

#include <algorithm>

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

json tool_use(const json& step, const json& name, const json& input) {
  json block{{"type", "tool_use"}, {"name", name}, {"input", input}};
  if (step.contains("id")) block["id"] = step["id"];
  return block;
}

// A step may hold several blocks; they stand in the order in which a model produces them.
void add_blocks(const json& step, Reply& reply) {
  std::vector<json>& blocks = reply.blocks;
  for (const json& part : step.value("blocks", json::array())) add_blocks(part, reply);
  if (step.contains("thinking")) {
    blocks.push_back({{"type", "thinking"}, {"thinking", step["thinking"]}});
  }
  if (step.contains("text")) {
    std::string text = repeated(step["text"].get<std::string>(), step.value("repeat", 1));
    blocks.push_back({{"type", "text"}, {"text", std::move(text)}});
  }
  if (step.contains("tool")) {
    blocks.push_back(tool_use(step, step["tool"], step.value("input", json::object())));
  }
  if (step.contains("ask")) {
    blocks.push_back(tool_use(step, "AskUserQuestion", {{"questions", step["ask"]}}));
  }
  if (step.contains("mcp")) {
    const json& call = step["mcp"];
    std::string name =
        "mcp__" + call.at("server").get<std::string>() + "__" + call.at("tool").get<std::string>();
    blocks.push_back(tool_use(step, name, call.value("arguments", json::object())));
  }
  reply.chunks.resize(blocks.size(), step.value("chunks", 1));
}

Reply parse_reply(const json& step) {
  Reply reply;
  add_blocks(step, reply);
  // Beside a tool it is the tool's, which claude-sim plays and the real CLI runs.
  if (step.contains("error") && reply.blocks.empty()) reply.error = parse_error(step["error"]);
  reply.delay = std::chrono::milliseconds(step.value("delay_ms", 0));
  reply.wait = std::chrono::milliseconds(step.value("wait_ms", 0));
  reply.usage = step.value("usage", json::object());
  const auto asks = [](const json& block) { return block["type"] == "tool_use"; };
  const bool asks_tool = std::ranges::any_of(reply.blocks, asks);
  reply.stop_reason = step.value("stop_reason", asks_tool ? "tool_use" : "end_turn");
  return reply;
}

}  // namespace

std::vector<Reply> parse_replies(const json& steps) {
  std::vector<Reply> replies;
  for (const json& step : steps) {
    Reply reply = parse_reply(step);
    if (reply.error || !reply.blocks.empty()) replies.push_back(std::move(reply));
  }
  return replies;
}

Reply text_reply(const std::string& text) {
  return parse_reply({{"text", text}});
}

}  // namespace claude::sim_api
