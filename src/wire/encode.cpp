// Lines and payloads for the CLI.
#include "wire/encode.h"

#include "json/reader.h"
#include "json/writer.h"
#include "wire/names.h"

namespace claude::wire {
namespace {

// The beginning of an answer, up to what it says. The id stands in it as it came.
void begin_response(std::string& out, std::string_view until_id, const RequestId& id) {
  out.append(until_id);
  if (id.text.empty()) {
    json::Writer(out).raw(id.json.text());
  } else {
    out.append(id.json.text());  // text: no newline can stand in it
  }
}

// Of a JSON-RPC message, which stands in its line; nothing where it has none.
RawJson id_of(RawJson message) {
  RawJson id;
  const json::Tokens tokens(message.text());
  if (!tokens.first()) return id;
  json::Reader reader(message.text(), tokens);
  if (reader.kind() != json::Kind::object) return id;
  reader.each_member([&](json::Key key) {
    const bool is_id = key.is("id");
    const RawJson value = reader.raw();
    if (is_id) id = value;
    return static_cast<bool>(value);
  });
  return id;
}

// `add_fields` writes them behind the subtype, each with a comma before it.
template <class AddFields>
Request request_with(std::string_view subtype, AddFields add_fields) {
  constexpr std::size_t kUsualBytes = 128;
  Request request{.subtype = std::string(subtype), .json = {}};
  request.json.reserve(kUsualBytes);
  json::Writer(request.json.append(R"({"subtype":)")).string(subtype);
  add_fields(request.json);
  request.json += '}';
  return request;
}

void write_optional(json::Writer& out, const char* name, const std::optional<std::string>& text) {
  if (text) out.key(name).string(*text);
}

}  // namespace

// ---- What we ask -------------------------------------------------------------------------------

Request interrupt_request(bool cancel_queued) {
  return request_with(kInterrupt, [&](std::string& out) {
    if (cancel_queued) out += R"(,"cancel_queued":true)";
  });
}

Request set_permission_mode_request(PermissionMode mode) {
  return request_with(kSetPermissionMode, [&](std::string& out) {
    json::Writer(out.append(R"(,"mode":)")).string(to_wire(mode));
  });
}

Request set_model_request(const std::optional<std::string>& model) {
  return request_with(kSetModel, [&](std::string& out) {
    json::Writer value(out.append(R"(,"model":)"));
    if (model) {
      value.string(*model);
    } else {
      value.null();
    }
  });
}

Request rewind_files_request(std::string_view user_message_id, bool dry_run) {
  return request_with(kRewindFiles, [&](std::string& out) {
    json::Writer(out.append(R"(,"user_message_id":)")).string(user_message_id);
    if (dry_run) out += R"(,"dry_run":true)";
  });
}

Request mcp_status_request() {
  return request(kMcpStatus);
}

Request request(std::string_view subtype, const Json& fields) {
  return request_with(subtype, [&](std::string& out) {
    for (const Json::Member& member : fields.members()) {
      if (member.name == "subtype") continue;
      json::Writer(out.append(1, ',')).key(member.name).value(member.value);
    }
  });
}

void append_request(std::string& out, std::string_view request_id, const Request& request) {
  json::Writer(out.append(R"({"type":"control_request","request_id":)")).string(request_id);
  out.append(R"(,"request":)").append(request.json).append("}\n");
}

// ---- What we say -------------------------------------------------------------------------------

void append_user(std::string& out, const Json& content, std::string_view uuid,
                 std::string_view priority) {
  json::Writer line(out);
  line.begin_object().key("type").string(kUser).key("session_id").string("");
  line.key("message").begin_object().key("role").string(kUser).key("content").value(content);
  line.end_object().key("parent_tool_use_id").null();
  if (!uuid.empty()) line.key("uuid").string(uuid);
  if (!priority.empty()) line.key("priority").string(priority);
  line.end_object();
  out += '\n';
}

// ---- What we answer ----------------------------------------------------------------------------

void append_success(std::string& out, const RequestId& id, std::string_view payload) {
  begin_response(out, R"({"type":"control_response","response":{"subtype":"success","request_id":)",
                 id);
  if (!payload.empty()) json::Writer(out.append(R"(,"response":)")).raw(payload);
  out += "}}\n";
}

void append_error(std::string& out, const RequestId& id, std::string_view error,
                  std::string_view code) {
  begin_response(out, R"({"type":"control_response","response":{"subtype":"error","request_id":)",
                 id);
  json::Writer(out.append(R"(,"error":)")).string(error);
  if (!code.empty()) json::Writer(out.append(R"(,"error_code":)")).string(code);
  out += "}}\n";
}

std::string encode_hook_output(const HookOutput& output, std::string_view event) {
  constexpr std::size_t kUsualBytes = 64;
  std::string text;
  text.reserve(kUsualBytes);
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
  if (permission.allowed) {
    json::Writer out(text.append(R"({"behavior":"allow","updatedInput":)"));
    if (permission.updated_input) {
      out.value(*permission.updated_input);
    } else {
      out.raw(input.text());
    }
    if (!permission.updated_permissions.empty()) {
      json::Writer list(text.append(R"(,"updatedPermissions":)"));
      list.begin_array();
      for (const PermissionUpdate& update : permission.updated_permissions) {
        list.value(encode_permission_update(update));
      }
      list.end_array();
    }
  } else {
    json::Writer(text.append(R"({"behavior":"deny","message":)")).string(permission.message);
    if (permission.interrupt) text += R"(,"interrupt":true)";
  }
  if (!tool_use_id.empty()) {
    json::Writer(text.append(R"(,"toolUseID":)")).string(tool_use_id);
  }
  text += '}';
  return text;  // moved: what += gives back would be copied
}

std::string encode_mcp_error(RawJson message, std::string_view why) {
  constexpr int kInternalError = -32603;
  std::string text;
  json::Writer out(text);
  out.begin_object().key("mcp_response").begin_object();
  out.key("jsonrpc").string("2.0").key("id").raw(id_of(message).text());
  out.key("error").begin_object();
  out.key("code").integer(kInternalError).key("message").string(why);
  out.end_object().end_object().end_object();
  return text;
}

std::string_view unanswered_method(const Json& message, const Json& given) {
  const Json& id = message["id"];
  if (!id.is_number() && !id.is_string()) return {};
  const bool is_answer = given["id"] == id && (given.find("result") || given.find("error"));
  return is_answer ? std::string_view() : message["method"].text();
}

std::string encode_mcp_response(const Json& message) {
  std::string text;
  json::Writer(text).begin_object().key("mcp_response").value(message).end_object();
  return text;
}

}  // namespace claude::wire
