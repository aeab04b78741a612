// Words in chunks, and calls with all that they need.
#include "blocks.h"

#include <algorithm>

namespace claude::sim {
namespace {

std::vector<std::string> chunks_of(const std::string& text, long long wanted) {
  std::vector<std::size_t> starts;  // of the characters
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  const std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(wanted, 1LL)),
                                                    1, std::max<std::size_t>(starts.size(), 1));
  starts.push_back(text.size());
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = starts[i * (starts.size() - 1) / count];
    const std::size_t end = starts[(i + 1) * (starts.size() - 1) / count];
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

Json delta(const char* type, const char* key, const std::string& value) {
  Json out = Json::object();
  out["type"] = type;
  out[key] = value;
  return out;
}

Block said_block(const std::string& text, long long chunks) {
  Block block;
  block.start = text_block("");
  block.pieces = chunks_of(text, chunks);
  for (const std::string& piece : block.pieces)
    block.deltas.push_back(delta("text_delta", "text", piece));
  block.whole = text_block(text);
  return block;
}

Block thinking_block(const std::string& text, long long chunks) {
  constexpr const char* kSignature = "c2ltdWxhdGVk";
  Block block;
  block.start["type"] = "thinking";
  block.start["thinking"] = "";
  block.start["signature"] = "";
  for (const std::string& piece : chunks_of(text, chunks))
    block.deltas.push_back(delta("thinking_delta", "thinking", piece));
  block.deltas.push_back(delta("signature_delta", "signature", kSignature));
  block.whole["type"] = "thinking";
  block.whole["thinking"] = text;
  block.whole["signature"] = kSignature;
  return block;
}

ToolCall call_of(const Json& step, Ids& ids) {
  ToolCall call;
  call.step = step;
  call.id = text_of(step, "id");
  if (call.id.empty()) call.id = ids.tool_use();
  call.input = has(step, "input") ? step["input"] : Json::object();
  if (has(step, "ask")) {
    call.name = "AskUserQuestion";
    call.input = Json::object();
    call.input["questions"] = step["ask"];
  } else if (has(step, "mcp")) {
    const Json& mcp = step["mcp"];
    call.name = "mcp__" + text_of(mcp, "server") + "__" + text_of(mcp, "tool");
    call.input = has(mcp, "arguments") ? mcp["arguments"] : Json::object();
  } else {
    call.name = text_of(step, "tool");
  }
  return call;
}

Block tool_block(const Json& step, Ids& ids) {
  Block block;
  block.call = call_of(step, ids);
  block.start["type"] = "tool_use";
  block.start["id"] = block.call->id;
  block.start["name"] = block.call->name;
  block.start["input"] = Json::object();
  block.deltas.push_back(delta("input_json_delta", "partial_json", dump(block.call->input)));
  block.whole = block.start;
  block.whole["input"] = block.call->input;
  if (block.call->name == "Edit" && !has(block.call->input, "replace_all")) {
    Json filled = Json::object();
    filled["replace_all"] = false;
    filled.update(block.call->input);
    block.whole["input"] = filled;
  }
  block.call->said_input = block.whole["input"];
  return block;
}

}  // namespace

std::vector<Block> blocks_of(const Json& step, Ids& ids) {
  std::vector<Block> blocks;
  const long long chunks = number_of(step, "chunks", 1);
  for (const Json& part : member(step, "blocks"))
    for (Block& block : blocks_of(part, ids)) blocks.push_back(std::move(block));
  if (has(step, "thinking")) blocks.push_back(thinking_block(text_of(step, "thinking"), chunks));
  if (has(step, "text")) {
    std::string text;
    for (long long i = 0; i < number_of(step, "repeat", 1); ++i) text += text_of(step, "text");
    blocks.push_back(said_block(text, chunks));
  }
  if (has(step, "tool") || has(step, "ask") || has(step, "mcp"))
    blocks.push_back(tool_block(step, ids));
  return blocks;
}

}  // namespace claude::sim
