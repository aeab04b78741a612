// One form of line, compared piece by piece.
#include "wire/text_delta.h"

#include "wire/walk.h"

#include <cstdint>
#include <cstring>

namespace claude::wire {
namespace {

constexpr std::string_view kHead =
    R"({"type":"stream_event","event":{"type":"content_block_delta","index":)";
constexpr std::string_view kText = R"(,"delta":{"type":"text_delta","text":")";
constexpr std::string_view kSession = R"(}},"session_id":")";
constexpr std::string_view kParent = R"(,"parent_tool_use_id":)";
constexpr std::string_view kNull = "null";
constexpr std::string_view kUuid = R"(,"uuid":")";
constexpr std::string_view kApiId = R"(,"api_message_id":")";
constexpr std::string_view kEnd = "}";

// Sixteen bytes, as two numbers: what a register of every 64-bit machine holds.
using Pair [[gnu::vector_size(16)]] = std::uint64_t;

// Bytes above ASCII and control characters have their top bit set in the result: for a byte below
// 0x80, subtracting 0x20 borrows into its top bit exactly if it is a control character, and a
// borrow can only come from such a byte.
inline Pair strange_in(const char* at) {
  Pair pair;
  std::memcpy(&pair, at, sizeof(pair));
  return pair | (pair - 0x2020202020202020);
}

constexpr std::size_t kBlockBytes = 4 * sizeof(Pair);
inline Pair strange_in_block(const char* at) {
  return strange_in(at) | strange_in(at + sizeof(Pair)) | strange_in(at + 2 * sizeof(Pair)) |
         strange_in(at + 3 * sizeof(Pair));
}

// No byte above ASCII, and no control character. For lines that begin with kHead.
bool is_plain(std::string_view line) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  static_assert(kHead.size() >= kBlockBytes);
  const char* const last = line.data() + line.size() - kBlockBytes;
  Pair strange = strange_in_block(last);  // overlaps what is before it
  for (const char* at = line.data(); at < last; at += kBlockBytes) strange |= strange_in_block(at);
  return ((strange[0] | strange[1]) & kHigh) == 0;
}

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
  if (!walk.skip(kEnd) || !walk.ended() || !is_plain(line)) return false;
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
