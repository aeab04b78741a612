// Requests, responses and cancellations, and what this project tolerates in them.
#include "wire/decode_control.h"

#include "wire/fields_control.h"

#include <algorithm>

namespace claude::wire {
namespace {

// The first required field that is missing: S39 wants it by its name.
std::string_view missing(const OtherRequest& request) {
  return !request.body ? "request" : request.subtype.empty() ? "request.subtype" : "";
}
std::string_view missing(const HookCallback& hook) {
  return hook.callback_id.empty() ? "request.callback_id" : hook.input ? "" : "request.input";
}
std::string_view missing(const ToolRequest& ask) {
  return ask.tool_name.empty() ? "request.tool_name" : ask.input ? "" : "request.input";
}
std::string_view missing(const McpMessage& call) {
  return call.server_name.empty() ? "request.server_name" : call.message ? "" : "request.message";
}

std::string_view subtype(const RequestBody& body) {
  if (auto* other = std::get_if<OtherRequest>(&body)) return other->subtype;
  if (std::holds_alternative<HookCallback>(body)) return kHookCallback;
  return std::holds_alternative<ToolRequest>(body) ? kCanUseTool : kMcpMessage;
}

// The permission callback sees unknown fields by their path in the request.
void complete(ToolRequest& ask, const std::vector<OtherField>& other) {
  constexpr std::string_view kRequest = "request.";
  for (const OtherField& field : other) {
    if (!field.path.starts_with(kRequest)) continue;
    ask.other.push_back({field.path.substr(kRequest.size()), field.value, field.name});
  }
}

bool has(const Decoder& decoder, std::string_view path) {
  return std::ranges::find(decoder.other, path, &OtherField::path) != decoder.other.end();
}

bool is_missing(const RequestBody& body) {
  auto* other = std::get_if<OtherRequest>(&body);
  return other != nullptr && !other->body;
}

// {"type":"control_request","message":{"type":"control_request",...}}: one description of the
// protocol has it so; CLI 2.1.325 never sends it.
[[gnu::cold]] void read_wrapped(Decoder& decoder, json::Reader::Mark start, ControlRequest& out) {
  auto end = decoder.in.mark();
  decoder.other.clear();
  decoder.in.back_to(start);
  decoder.in.each_member([&](json::Key key) {
    bool wrapped = key.is("message") && decoder.in.kind() == json::Kind::object;
    return wrapped ? decoder.read_object(out, "type") : static_cast<bool>(decoder.in.raw());
  });
  decoder.in.back_to(end);
}

}  // namespace

void decode_request(Decoder& decoder, ControlRequest& out) {
  auto start = decoder.in.mark();
  decoder.read_object(out, "type");
  if (decoder.in.broken()) return;
  if (is_missing(out.body) && has(decoder, "message")) {
    read_wrapped(decoder, start, out);
  }
  out.subtype = subtype(out.body);
  out.missing = std::visit([](const auto& body) { return missing(body); }, out.body);
  if (auto* ask = std::get_if<ToolRequest>(&out.body)) {
    complete(*ask, decoder.other);
    ask->request_id = out.id.text;
  }
}

void decode_response(Decoder& decoder, ControlResponse& out) {
  decoder.read_object(out, "type");
  out.id = out.inner_id ? out.inner_id : out.outer_id;
  // One that is no text, or stands beside the body.
  for (const OtherField& field : decoder.other) {
    const std::string_view error = field.value.text();
    if (field.name == "error" && !out.error && error != "null") out.error = error;
  }
  // As the CLI itself does: any word but "error" is a success. Not so where an error stands with
  // it, or where there is no body.
  const std::string_view word = out.subtype.value_or({});
  const bool has_body = out.subtype || out.payload || out.inner_id;
  out.success = word == kSuccess || (word != kError && !out.error && has_body);
}

void decode_cancel(Decoder& decoder, ControlCancel& out) {
  decoder.read_object(out, "type");
}

}  // namespace claude::wire
