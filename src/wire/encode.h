// Lines for the CLI: each is written onto the end of `out`, with its newline.
//
// Ids, uuids and times come from the caller: equal arguments give equal lines.
#pragma once

#include <claude/hooks.h>
#include <claude/json.h>
#include <claude/permission.h>

#include "base/hot.h"
#include "wire/line.h"

#include <optional>
#include <string>
#include <string_view>

namespace claude::wire {

// ---- What we ask -------------------------------------------------------------------------------

struct Request {
  std::string subtype;
  std::string json;  // the text of the object, with its subtype
};

Request interrupt_request(bool cancel_queued);
Request set_permission_mode_request(PermissionMode mode);
Request set_model_request(const std::optional<std::string>& model);  // nothing: back to the default
Request rewind_files_request(std::string_view user_message_id, bool dry_run);
Request mcp_status_request();
// Any other: `fields` is an object, or null for none.
Request request(std::string_view subtype, const Json& fields = {});

// {"type":"control_request",...}.
void append_request(std::string& out, std::string_view request_id, const Request& request);

// ---- What we say -------------------------------------------------------------------------------

// A prompt. `content` is a string or a list of blocks.
void append_user(std::string& out, const Json& content, std::string_view uuid,
                 std::string_view priority = {});

// ---- What we answer ----------------------------------------------------------------------------

// `payload` is checked JSON text.
CLAUDE_EACH_ASK void append_success(std::string& out, const RequestId& id,
                                    std::string_view payload);
void append_error(std::string& out, const RequestId& id, std::string_view error,
                  std::string_view code = {});

// The payloads.
CLAUDE_EACH_ASK std::string encode_hook_output(const HookOutput& output, std::string_view event);
// `input` is what was asked for: an allow without a changed input sends it back (CLI 2.1.197
// refuses one without).
CLAUDE_EACH_ASK std::string encode_permission(const Permission& permission, RawJson input,
                                              std::string_view tool_use_id = {});
std::string encode_mcp_response(const Json& message);
// The method of a JSON-RPC request that has no answer in `given`: whoever sent it would wait. Empty
// where it has one, or needs none.
std::string_view unanswered_method(const Json& message, const Json& given);
// For a handler that failed: the JSON-RPC error -32603 to `message`, which the model gets to read.
std::string encode_mcp_error(RawJson message, std::string_view why);

Json encode_permission_update(const PermissionUpdate& update);

// The wire form of a mode, and back.
std::string_view to_wire(PermissionMode mode);
std::optional<PermissionMode> permission_mode(std::string_view word);

}  // namespace claude::wire
