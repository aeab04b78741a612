// MCP servers that live in the SDK, and those that are programs: the handshake, over mcp_message or
// over pipes, the lists, the calls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asks.h"
#include "files.h"
#include "json.h"
#include "loop.h"
#include "program.h"

namespace claude::sim {

struct McpServer {
  std::string name;
  std::string status = "pending";  // connected, failed
  std::string transport = "sdk";
  Json config;         // null: the SDK has it
  std::string error;   // why it failed
  std::string scope;   // dynamic: of the host or the command line; project: of .mcp.json
  bool stays = false;  // the host did not bring it, and cannot take it away
  Time began = Clock::now();
  std::unique_ptr<Program> program;  // while it runs
  std::vector<AskPtr> calls;         // that the program has not answered
  Json info;
  Json tools = Json::array();
  Gate settled;
  int next_id = 0;
  int rounds = 0;  // how often it was connected, or switched off

  bool is_program() const { return transport == "stdio"; }
  std::string source() const { return transport == "sdk" ? "sdk" : scope; }
};

class McpServers {
 public:
  explicit McpServers(Session& session) : session_(session) {}

  // Begins the handshake of a server that is not known yet; with a manifest it needs none.
  void add_sdk_server(const std::string& name, const Json& manifest = Json());
  // A program is started; what would need a network fails.
  void add_server(const std::string& name, const Json& config, const char* scope, bool stays);
  void remove(const std::string& name);
  void disable(McpServer& server);
  // Connects it anew.
  Task<void> enable(McpServer& server);
  // A message of the server itself: requests are refused, a changed list is fetched.
  void take_message(const std::string& name, const Json& message);
  // Answers a request of the server.
  void answer(McpServer& server, const Json& id, const char* kind, Json value);
  McpServer* find(const std::string& name);
  // The server and the bare name of a tool mcp__server__tool that the server lists.
  McpServer* find_tool(const std::string& tool, std::string& bare_name);

  // A tool that says of itself that it changes nothing.
  bool only_reads(const std::string& tool);

  // Until each is ready, or has taken too long to hold up a turn.
  Task<void> wait_for_all(Abort& abort);
  // The same, until then at most.
  Task<void> wait_until(Time until, Abort& abort);
  Task<ToolOutcome> call(McpServer& server, std::string tool, Json arguments,
                         std::string tool_use_id, Abort& abort);
  // Tells a server that a call of it is not wanted any more.
  void cancel(const AskPtr& call, const char* reason);
  void cancel_calls_of_programs(const char* reason);
  // The JSON-RPC response, or null when none came in time or the control answer was an error.
  Task<Json> request(McpServer& server, const char* method, Json params, std::optional<Time> until);

  Json init_rows() const;
  Json status_rows() const;
  std::vector<std::string> tool_names() const;
  std::vector<std::string> names() const;

 private:
  std::chrono::milliseconds patience() const;
  bool start_program(McpServer& server);
  void take_program_line(McpServer& server, std::string_view line);
  void end_program(McpServer& server);
  AskPtr post_to_program(McpServer& server, Json message);
  void take_request(McpServer& server, const Json& message);
  Task<bool> shake_hands(McpServer& server);
  Task<void> connect(McpServer& server);
  Task<void> list_tools(McpServer& server);
  AskPtr post(McpServer& server, Json message);

  Session& session_;
  std::vector<std::unique_ptr<McpServer>> servers_;
};

}  // namespace claude::sim
