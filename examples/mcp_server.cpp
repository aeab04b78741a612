// An MCP server inside this process: a function from JSON-RPC message to JSON-RPC message.
#include <claude/claude.h>

#include <iostream>
#include <string>

using claude::Json;

Json result_of(const Json& message) {
  const std::string_view method = message["method"].text();
  if (method == "initialize") {
    return Json::object({{"protocolVersion", message["params"]["protocolVersion"]},
                         {"capabilities", Json::object({{"tools", Json::object()}})},
                         {"serverInfo", Json::object({{"name", "stock"}, {"version", "1.0"}})}});
  }
  if (method == "tools/list") {
    Json schema = Json::parse(R"({"type": "object", "required": ["item"],
                                  "properties": {"item": {"type": "string"}}})")
                      .value();
    return Json::object({{"tools", Json::array({Json::object({{"name", "count"},
                                                              {"description", "How many there are"},
                                                              {"inputSchema", schema}})})}});
  }
  if (method == "tools/call") {
    const std::string_view item = message["params"]["arguments"]["item"].text();
    Json text = Json::object({{"type", "text"}, {"text", item == "apples" ? "12" : "none"}});
    return Json::object({{"content", Json::array({text})}});
  }
  return Json::object();  // notifications: nobody looks at it
}

int main() {
  claude::Options options;
  options.allowed_tools = {"mcp__stock__count"};
  options.mcp_servers.add("stock", [](const Json& message) {
    return Json::object(
        {{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", result_of(message)}});
  });

  auto result = claude::query("How many apples are in stock?", options).result();
  std::cout << (result ? std::string(result->message.result.value_or("no text"))
                       : result.error().to_string())
            << '\n';
}
