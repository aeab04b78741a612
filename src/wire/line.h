// One line from the CLI, decoded: a message, or a piece of the control protocol.
#pragma once

#include <claude/hooks.h>
#include <claude/message.h>

#include "json/reader.h"
#include "wire/framer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace claude::wire {

// An id as the CLI chose it: mostly text. Anything else is kept as JSON, to be sent back.
struct RequestId {
  std::string_view text;
  RawJson json;
  explicit operator bool() const { return static_cast<bool>(json); }
};

// What the CLI asks of us.
struct HookCallback {
  std::string_view callback_id;
  RawJson input;
  Text tool_use_id;
  std::optional<PreToolUse> event;  // the input, where it was decoded with its line
};
struct McpMessage {
  std::string_view server_name;
  RawJson message;
};
// Anything else, with all its fields.
struct OtherRequest {
  std::string_view subtype;
  RawJson body;
};
using RequestBody = std::variant<OtherRequest, HookCallback, ToolRequest, McpMessage>;

struct ControlRequest {
  ControlRequest() noexcept {}  // without it, each is filled with zeros before it is made

  RequestId id;
  std::string_view subtype;
  RequestBody body;
  std::string_view missing;  // path of a required field that is not there, or has another type
  std::vector<OtherField> other;
  std::string_view line;
  Keep keep;                 // of the line
  std::uint64_t tokens = 0;  // json::Tokens::number() of the line: its parts need no second search
  bool may_escape = true;    // as KeptLine has it
};

// The answer to what we asked.
struct ResponseBody {
  RequestId inner_id;
  Text subtype;
  RawJson payload;  // of a success; may be absent
  Text error;
  Text error_code;
  RawJson pending_permission_requests;
  RawJson pending_user_dialog_requests;
};
struct ControlResponse : ResponseBody {
  ControlResponse() noexcept {}  // as above

  RequestId outer_id;  // beside the body
  RequestId id;        // the inner one, else the outer one
  bool success = false;
  std::vector<OtherField> other;
  Keep keep;
  std::uint64_t tokens = 0;
};

// The CLI withdraws what it asked.
struct ControlCancel {
  RequestId id;
  std::vector<OtherField> other;
  Keep keep;
};

struct KeepAlive {};

// No JSON object, or one without a type.
struct BadLine {
  std::string problem;
  std::string beginning;  // of the line, for people
  Frame frame;            // what it said of itself
};

using Line =
    std::variant<Message, ControlRequest, ControlResponse, ControlCancel, KeepAlive, BadLine>;

// `text` is one line without its newline. It is copied, unless the memory in which it stands comes
// with it (see Framer::take_memory).
[[gnu::hot]] Line decode_line(std::string_view text, Memory memory = nullptr);

// A permission suggestion; nothing if it is of no shape that we know.
std::optional<PermissionUpdate> decode_permission_update(const Json& update);

}  // namespace claude::wire
