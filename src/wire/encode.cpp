// Lines and payloads for the CLI.
#include "wire/encode.h"

#include "json/writer.h"
#include "wire/names.h"

namespace claude::wire {
namespace {

std::string line(std::string text) {
  text += '\n';
  return text;
}

// The beginning of an answer, up to what it says. The id stands in it as it came.
std::string begin_response(std::string_view subtype, const RequestId& id, std::size_t more) {
  constexpr std::size_t kAround = 100;  // what stands around the id and what it says
  std::string text;
  text.reserve(kAround + id.json.text().size() + more);
  text.append(R"({"type":"control_response","response":{"subtype":")").append(subtype);
  json::Writer(text.append(R"(","request_id":)")).raw(id.json.text());
  return text;
}

constexpr std::string_view kSubtype = "subtype";

template <class WriteFields>
Request request_with(std::string_view subtype, WriteFields write_fields) {
  Request request{.subtype = std::string(subtype), .json = {}};
  json::Writer out(request.json);
  out.begin_object().key(kSubtype).string(subtype);
  write_fields(out);
  out.end_object();
  return request;
}

void write_optional(json::Writer& out, const char* name, const std::optional<std::string>& text) {
  if (text) out.key(name).string(*text);
}

}  // namespace

// ---- What we ask -------------------------------------------------------------------------------

Request interrupt_request(bool cancel_queued) {
  return request_with(kInterrupt, [&](json::Writer& out) {
    if (cancel_queued) out.key("cancel_queued").boolean(true);
  });
}

Request set_permission_mode_request(PermissionMode mode) {
  return request_with(kSetPermissionMode,
                      [&](json::Writer& out) { out.key("mode").string(to_wire(mode)); });
}

Request set_model_request(const std::optional<std::string>& model) {
  return request_with(kSetModel, [&](json::Writer& out) {
    out.key("model");
    if (model) {
      out.string(*model);
    } else {
      out.null();
    }
  });
}

Request rewind_files_request(std::string_view user_message_id, bool dry_run) {
  return request_with(kRewindFiles, [&](json::Writer& out) {
    out.key("user_message_id").string(user_message_id);
    if (dry_run) out.key("dry_run").boolean(true);
  });
}

Request mcp_status_request() {
  return request(kMcpStatus);
}

Request request(std::string_view subtype, const Json& fields) {
  return request_with(subtype, [&](json::Writer& out) {
    for (const Json::Member& member : fields.members()) {
      if (member.name != kSubtype) out.key(member.name).value(member.value);
    }
  });
}

std::string encode_request(std::string_view request_id, const Request& request) {
  constexpr std::size_t kAround = 80;  // what stands around the request
  std::string text;
  text.reserve(kAround + request_id.size() + request.json.size());
  json::Writer(text.append(R"({"type":"control_request","request_id":)")).string(request_id);
  text.append(R"(,"request":)").append(request.json);
  return text += "}\n";
}

std::string encode_cancel(std::string_view request_id) {
  std::string text;
  json::Writer(text)
      .begin_object()
      .key("type")
      .string(kControlCancel)
      .key("request_id")
      .string(request_id)
      .end_object();
  return line(std::move(text));
}

// ---- What we say -------------------------------------------------------------------------------

std::string encode_user(const Json& content, std::string_view uuid, std::string_view priority) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("type").string(kUser).key("session_id").string("");
  out.key("message").begin_object().key("role").string(kUser).key("content").value(content);
  out.end_object().key("parent_tool_use_id").null();
  if (!uuid.empty()) out.key("uuid").string(uuid);
  if (!priority.empty()) out.key("priority").string(priority);
  out.end_object();
  return line(std::move(text));
}

// ---- What we answer ----------------------------------------------------------------------------

std::string encode_success(const RequestId& id, std::string_view payload) {
  std::string text = begin_response(kSuccess, id, payload.size());
  if (!payload.empty()) json::Writer(text.append(R"(,"response":)")).raw(payload);
  return text += "}}\n";
}

std::string encode_error(const RequestId& id, std::string_view error, std::string_view code) {
  std::string text = begin_response(kError, id, error.size() + code.size());
  json::Writer(text.append(R"(,"error":)")).string(error);
  if (!code.empty()) json::Writer(text.append(R"(,"error_code":)")).string(code);
  return text += "}}\n";
}

std::string encode_hook_output(const HookOutput& output, std::string_view event) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  if (output.continue_run) out.key("continue").boolean(*output.continue_run);
  write_optional(out, "stopReason", output.stop_reason);
  if (output.suppress_output) out.key("suppressOutput").boolean(*output.suppress_output);
  write_optional(out, "decision", output.decision);
  write_optional(out, "reason", output.reason);
  write_optional(out, "systemMessage", output.system_message);
  if (output.async) out.key("async").boolean(*output.async);
  if (output.async_timeout_ms) out.key("asyncTimeout").integer(*output.async_timeout_ms);
  if (output.specific) {
    Json specific = Json::object({{"hookEventName", event}});
    for (const auto& member : output.specific->members()) specific.set(member.name, member.value);
    out.key("hookSpecificOutput").value(specific);
  }
  out.end_object();
  return text;
}

std::string encode_permission(const Permission& permission, RawJson input,
                              std::string_view tool_use_id) {
  constexpr std::size_t kAround = 100;  // what stands around the input
  std::string text;
  text.reserve(kAround + input.text().size());
  json::Writer out(text);
  out.begin_object();
  if (permission.allowed) {
    out.key("behavior").string("allow").key("updatedInput");
    if (permission.updated_input) {
      out.value(*permission.updated_input);
    } else {
      out.raw(input.text());
    }
    if (!permission.updated_permissions.empty()) {
      out.key("updatedPermissions").begin_array();
      for (const PermissionUpdate& update : permission.updated_permissions) {
        out.value(encode_permission_update(update));
      }
      out.end_array();
    }
  } else {
    out.key("behavior").string("deny").key("message").string(permission.message);
    if (permission.interrupt) out.key("interrupt").boolean(true);
  }
  if (!tool_use_id.empty()) out.key("toolUseID").string(tool_use_id);
  out.end_object();
  return text;
}

std::string encode_mcp_error(RawJson message, std::string_view why) {
  constexpr int kInternalError = -32603;
  Json asked = message.json();
  return encode_mcp_response(
      Json::object({{"jsonrpc", "2.0"},
                    {"id", asked["id"]},
                    {"error", Json::object({{"code", kInternalError}, {"message", why}})}}));
}

std::string encode_mcp_response(const Json& message) {
  std::string text;
  json::Writer(text).begin_object().key("mcp_response").value(message).end_object();
  return text;
}

}  // namespace claude::wire
