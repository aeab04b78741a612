// Names lines by type, and by subtype or event where the type alone says little.
#include "transcript.h"

namespace claude::differential {
namespace {

std::string request_name(const json& request) {
  const std::string subtype = request.value("subtype", "");
  if (subtype == "hook_callback") {
    const json input = request.value("input", json::object());
    return "hook/" + input.value("hook_event_name", "") + "/" + request.value("callback_id", "");
  }
  if (subtype == "mcp_message") {
    const json message = request.value("message", json::object());
    return "mcp/" + message.value("method", "answer");
  }
  return subtype;
}

std::string name(const json& line) {
  using namespace nlohmann::literals;
  if (!line.is_object()) return "text";
  const std::string type = line.value("type", "");
  if (type == "system" || type == "result") return type + "/" + line.value("subtype", "");
  if (type == "command_lifecycle") return type + "/" + line.value("state", "");
  if (type == "stream_event") return type + "/" + line["event"].value("type", "");
  if (type == "control_request") return request_name(line.value("request", json::object()));
  if (type == "control_response")
    return type + "/" + line.value("response", json::object()).value("request_id", json()).dump();
  if (const auto block = "/message/content/0/type"_json_pointer; line.contains(block))
    return type + "/" + line[block].get<std::string>();
  return type;
}

}  // namespace

std::string label(const Entry& entry) {
  return (entry.from_cli ? "< " : "> ") + name(entry.line);
}

}  // namespace claude::differential
