#include "wire/decode_control.h"

#include "wire/fields_content.h"
#include "wire/fields_control.h"
#include "wire/names.h"

#include <optional>

namespace claude::wire {
namespace {

bool read_id(Decoder& decoder, RequestId& out) {
  auto start = decoder.in.mark();
  out.json = decoder.in.raw();
  if (decoder.in.broken()) return false;
  auto end = decoder.in.mark();
  decoder.in.back_to(start);
  decoder.read(out.text);
  decoder.in.back_to(end);
  return true;
}

std::string_view read_subtype(Decoder& decoder) {
  std::string_view subtype;
  auto start = decoder.in.mark();
  decoder.in.each_member([&](json::Key key) {
    if (!key.is("subtype")) return static_cast<bool>(decoder.in.raw());
    decoder.read(subtype);
    return false;
  });
  decoder.in.back_to(start);
  return subtype;
}

// The required fields of a request: S39 wants the first one that is missing by its name.
std::string missing(const HookCallback& hook) {
  return hook.callback_id.empty() ? "request.callback_id" : hook.input ? "" : "request.input";
}
std::string missing(const ToolRequest& ask) {
  return ask.tool_name.empty() ? "request.tool_name" : ask.input ? "" : "request.input";
}
std::string missing(const McpMessage& call) {
  return call.server_name.empty() ? "request.server_name" : call.message ? "" : "request.message";
}

template <class Body>
void read_body(Decoder& decoder, ControlRequest& out) {
  Body& body = out.body.emplace<Body>();
  decoder.read(body);
  out.missing = missing(body);
}

void read_suggestions(ToolRequest& ask) {
  if (!ask.permission_suggestions) return;
  Json list = ask.permission_suggestions.json();
  for (const Json& suggestion : list.items()) {
    if (auto update = decode_permission_update(suggestion)) ask.suggestions.push_back(*update);
  }
}

void read_request_body(Decoder& decoder, ControlRequest& out) {
  out.subtype = read_subtype(decoder);
  if (out.subtype == kHookCallback) {
    read_body<HookCallback>(decoder, out);
  } else if (out.subtype == kCanUseTool) {
    read_body<ToolRequest>(decoder, out);
    read_suggestions(std::get<ToolRequest>(out.body));
  } else if (out.subtype == kMcpMessage) {
    read_body<McpMessage>(decoder, out);
  } else {
    out.body = OtherRequest{out.subtype, decoder.in.raw()};
    if (out.subtype.empty()) out.missing = "request.subtype";
  }
  std::erase_if(decoder.other, [](const OtherField& field) { return field.path == "subtype"; });
}

}  // namespace

void decode_request(Decoder& decoder, ControlRequest& out) {
  std::optional<json::Reader::Mark> request;
  std::optional<json::Reader::Mark> wrapped;
  decoder.in.each_member([&](json::Key key) {
    if (key.is("request_id")) return read_id(decoder, out.id);
    if (key.is("request")) request = decoder.in.mark();
    if (key.is("message")) wrapped = decoder.in.mark();
    return static_cast<bool>(decoder.in.raw());
  });
  auto end = decoder.in.mark();
  if (decoder.in.broken()) return;
  if (request) {
    decoder.in.back_to(*request);
    if (decoder.in.kind() == json::Kind::object) {
      read_request_body(decoder, out);
    } else {
      out.missing = "request";
    }
  } else if (wrapped) {
    // {"type":"control_request","message":{"type":"control_request",...}}: one description of the
    // protocol has it so; CLI 2.1.325 never sends it.
    decoder.in.back_to(*wrapped);
    if (decoder.in.kind() == json::Kind::object) decode_request(decoder, out);
  } else {
    out.missing = "request";
  }
  if (!decoder.in.broken()) decoder.in.back_to(end);
}

void decode_response(Decoder& decoder, ControlResponse& out) {
  RequestId outer;
  auto read_inner = [&](json::Key key) {
    if (key.is("request_id")) return read_id(decoder, out.id);
    if (key.is("subtype")) {
      // As the CLI itself does: only "error" is an error.
      std::string_view subtype;
      out.success = !decoder.read(subtype) || subtype != kError;
      return !subtype.empty() || static_cast<bool>(decoder.in.raw());
    }
    if (key.is("response")) return decoder.read(out.payload);
    if (key.is("error") && decoder.read(out.error)) return true;
    if (key.is("error_code") && decoder.read(out.error_code)) return true;
    if (key.is("pending_permission_requests")) return decoder.read(out.pending_permission_requests);
    if (key.is("pending_user_dialog_requests")) {
      return decoder.read(out.pending_user_dialog_requests);
    }
    std::string name(key.raw());
    decoder.other.push_back({"response." + name, decoder.in.raw()});
    return !decoder.in.broken();
  };
  decoder.in.each_member([&](json::Key key) {
    if (key.is("response") && decoder.in.kind() == json::Kind::object) {
      out.success = true;
      return decoder.in.each_member(read_inner);
    }
    if (key.is("request_id")) return read_id(decoder, outer);
    return static_cast<bool>(decoder.in.raw());
  });
  if (!out.id) out.id = outer;
}

void decode_cancel(Decoder& decoder, ControlCancel& out) {
  decoder.in.each_member([&](json::Key key) {
    if (key.is("request_id")) return read_id(decoder, out.id);
    return static_cast<bool>(decoder.in.raw());
  });
}

}  // namespace claude::wire
