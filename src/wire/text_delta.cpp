// One form of line, compared piece by piece.
#include "wire/text_delta.h"

#include "wire/walk.h"

#include <cstring>

namespace claude::wire {
namespace {

constexpr std::string_view kHead =
    R"({"type":"stream_event","event":{"type":"content_block_delta","index":)";
static_assert(kHead.size() >= json::kBlockBytes);
constexpr std::string_view kText = R"(,"delta":{"type":"text_delta","text":")";
constexpr std::string_view kSession = R"(}},"session_id":")";
constexpr std::string_view kParent = R"(,"parent_tool_use_id":)";
constexpr std::string_view kNull = "null";
constexpr std::string_view kUuid = R"(,"uuid":")";
constexpr std::string_view kApiId = R"(,"api_message_id":")";
constexpr std::string_view kEnd = "}";

}  // namespace

bool decode_text_delta(std::string_view line, json::Arena& arena, StreamEvent& out) {
  Walk walk(line);
  std::int64_t index = 0;
  std::string_view text;
  std::string_view session;
  std::string_view parent;
  std::string_view uuid;
  std::string_view api_id;
  if (!walk.skip(kHead) || !walk.digit(index) || !walk.skip(kText)) return false;
  bool escapes = std::memchr(line.data(), '\\', line.size()) != nullptr;
  if (!(escapes ? walk.escaped_string(text) : walk.string(text))) return false;
  if (!walk.skip(kSession) || !walk.string(session) || !walk.skip(kParent)) return false;
  bool no_parent = walk.skip(kNull);
  if (!no_parent && (!walk.skip("\"") || !walk.string(parent))) return false;
  if (!walk.skip(kUuid) || !walk.string(uuid)) return false;
  if (!walk.skip(kApiId) || !walk.string(api_id)) return false;
  if (!walk.skip(kEnd) || !walk.ended() || !json::is_printable_ascii(line)) return false;
  if (escapes) {
    // All of them have to be in the text: behind it nothing was unescaped.
    const auto behind = static_cast<std::size_t>(text.data() + text.size() - line.data());
    if (line.find('\\', behind) != line.npos) return false;
    auto plain = json::unescape(text, arena);
    if (!plain) return false;
    text = *plain;
  }
  out.event = ContentBlockDelta{index, TextDelta{text}};
  out.session_id = session;
  if (no_parent) {
    out.parent_tool_use_id = nullptr;
  } else {
    out.parent_tool_use_id = parent;
  }
  out.uuid = uuid;
  out.api_message_id = api_id;
  return true;
}

}  // namespace claude::wire
