// Shapes as the API documents them. Text is cut between characters, because a delta is JSON.
#include "stream.h"

#include <algorithm>

namespace claude::sim_api {
namespace {

constexpr const char* kSignature = "c2ltdWxhdGVk";

std::vector<std::string> cut(const std::string& text, int chunks) {
  std::vector<std::size_t> characters;  // where each begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xC0) != 0x80) characters.push_back(i);
  }
  std::size_t length = characters.size();
  std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(chunks, 1)), 1,
                                              std::max<std::size_t>(length, 1));
  characters.push_back(text.size());
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t begin = characters[i * length / count];
    pieces.push_back(text.substr(begin, characters[(i + 1) * length / count] - begin));
  }
  return pieces;
}

class Stream {
 public:
  explicit Stream(const Reply& reply) : reply_(reply) {}

  void add(const json& event, std::chrono::milliseconds delay = {}) {
    std::string type = event["type"];
    events_.push_back({delay, "event: " + type + "\ndata: " + event.dump() + "\n\n"});
  }

  void add_block(std::size_t index, const json& block) {
    std::string type = block["type"];
    if (type == "tool_use") {
      json empty = block;
      empty["input"] = json::object();
      start(index, empty);
      delta(index, {{"type", "input_json_delta"}, {"partial_json", block["input"].dump()}});
    } else {
      std::string kind = type + "_delta";
      json empty{{"type", type}, {type, ""}};
      if (type == "thinking") empty["signature"] = "";
      start(index, empty);
      std::chrono::milliseconds delay{0};
      for (const std::string& piece : cut(block[type], reply_.chunks[index])) {
        delta(index, {{"type", kind}, {type, piece}}, delay);
        delay = reply_.delay;
      }
      if (type == "thinking") {
        delta(index, {{"type", "signature_delta"}, {"signature", kSignature}});
      }
    }
    add({{"type", "content_block_stop"}, {"index", index}});
  }

  std::vector<StreamEvent> take() { return std::move(events_); }

 private:
  void start(std::size_t index, const json& block) {
    add({{"type", "content_block_start"}, {"index", index}, {"content_block", block}});
  }
  void delta(std::size_t index, const json& delta, std::chrono::milliseconds delay = {}) {
    add({{"type", "content_block_delta"}, {"index", index}, {"delta", delta}}, delay);
  }

  const Reply& reply_;
  std::vector<StreamEvent> events_;
};

}  // namespace

json make_message(const Reply& reply, const std::string& model, int number) {
  json content = json::array();
  for (json block : reply.blocks) {
    if (block["type"] == "tool_use" && !block.contains("id")) {
      block["id"] = "toolu_sim" + std::to_string(number) + "_" + std::to_string(content.size());
    }
    if (block["type"] == "thinking") block["signature"] = kSignature;
    content.push_back(std::move(block));
  }
  json usage{{"input_tokens", 100},
             {"cache_creation_input_tokens", 0},
             {"cache_read_input_tokens", 0},
             {"output_tokens", 20},
             {"service_tier", "standard"}};
  usage.update(reply.usage);
  return {{"id", "msg_sim" + std::to_string(number)},
          {"type", "message"},
          {"role", "assistant"},
          {"model", model},
          {"content", std::move(content)},
          {"stop_reason", reply.stop_reason},
          {"stop_sequence", nullptr},
          {"usage", std::move(usage)}};
}

std::vector<StreamEvent> make_stream(const Reply& reply, const std::string& model, int number) {
  json message = make_message(reply, model, number);
  json opening = message;
  opening["content"] = json::array();
  opening["stop_reason"] = nullptr;
  opening["usage"]["output_tokens"] = 1;

  Stream stream(reply);
  stream.add({{"type", "message_start"}, {"message", opening}}, reply.wait);
  for (std::size_t i = 0; i < message["content"].size(); ++i) {
    stream.add_block(i, message["content"][i]);
  }
  stream.add({{"type", "message_delta"},
              {"delta", {{"stop_reason", message["stop_reason"]}, {"stop_sequence", nullptr}}},
              {"usage", message["usage"]}});
  stream.add({{"type", "message_stop"}});
  return stream.take();
}

json make_error(const ApiError& error) {
  return {{"type", "error"}, {"error", {{"type", error.type}, {"message", error.message}}}};
}

}  // namespace claude::sim_api
