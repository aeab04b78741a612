// MCP servers that live in the SDK: the handshake over mcp_message, the lists, the calls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asks.h"
#include "files.h"
#include "json.h"
#include "loop.h"

namespace claude::sim {

struct McpServer {
  std::string name;
  std::string status = "pending";  // connected, failed
  std::string transport = "sdk";
  Json info;
  Json tools = Json::array();
  Gate settled;
  int next_id = 0;
};

class McpServers {
 public:
  explicit McpServers(Session& session) : session_(session) {}

  // Begins the handshake of a server that is not known yet; with a manifest it needs none.
  void add_sdk_server(const std::string& name, const Json& manifest = Json());
  void add_other_server(const std::string& name);
  void remove(const std::string& name);
  void disable(McpServer& server);
  Task<void> enable(McpServer& server);
  // A message of the server itself: requests are refused, a changed list is fetched.
  void take_message(const std::string& name, const Json& message);
  McpServer* find(const std::string& name);
  // The server and the bare name of a tool mcp__server__tool that the server lists.
  McpServer* find_tool(const std::string& tool, std::string& bare_name);

  Task<void> wait_for_all(Abort& abort);
  Task<ToolOutcome> call(McpServer& server, std::string tool, Json arguments,
                         std::string tool_use_id, Abort& abort);
  // Tells a server that a call of it is not wanted any more.
  void cancel(const AskPtr& call, const char* reason);

  Json init_rows() const;
  Json status_rows() const;
  std::vector<std::string> tool_names() const;
  std::vector<std::string> names() const;

 private:
  Task<bool> shake_hands(McpServer& server);
  Task<void> connect(McpServer& server);
  Task<void> list_tools(McpServer& server);
  Task<Json> request(McpServer& server, const char* method, Json params, std::optional<Time> until);
  AskPtr post(McpServer& server, Json message);

  Session& session_;
  std::vector<std::unique_ptr<McpServer>> servers_;
};

}  // namespace claude::sim
