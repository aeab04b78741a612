// JSON-RPC, with the limits that MCP_TIMEOUT and MCP_TOOL_TIMEOUT set.
#include "mcp.h"

#include <algorithm>
#include <cstdlib>

#include "mcp_result.h"
#include "session.h"
#include "world.h"

namespace claude::sim {
namespace {

std::chrono::milliseconds limit(const char* name, long long otherwise) {
  const std::string text = variable(name);
  return std::chrono::milliseconds(text.empty() ? otherwise : std::atoll(text.c_str()));
}

constexpr long long kConnectMs = 60'000;
constexpr std::chrono::milliseconds kPatience{30'000};
constexpr std::chrono::milliseconds kPatienceWithProject{2'000};
constexpr long long kCallMs = 100'000'000;

Json rpc(const char* method, Json params, int id) {
  Json message = Json::object();
  message["method"] = method;
  if (!params.is_null()) message["params"] = std::move(params);
  message["jsonrpc"] = "2.0";
  message["id"] = id;
  return message;
}

Json notification(const char* method, Json params = nullptr) {
  Json message = Json::object();
  message["jsonrpc"] = "2.0";
  message["method"] = method;
  if (!params.is_null()) message["params"] = std::move(params);
  return message;
}

// Only programs may ask something of the user.
Json client_info(const std::string& version, const McpServer& server) {
  Json params = Json::object();
  params["protocolVersion"] = "2025-11-25";
  Json& abilities = params["capabilities"] = Json::object();
  if (server.is_program()) {
    abilities["roots"]["listChanged"] = true;
    abilities["elicitation"]["form"] = Json::object();
    abilities["elicitation"]["url"] = Json::object();
  }
  Json& info = params["clientInfo"];
  info["name"] = "claude-code";
  info["title"] = "Claude Code";
  info["description"] = "Anthropic's agentic coding tool";
  info["websiteUrl"] = "https://claude.com/claude-code";
  info["version"] = version;
  return params;
}

}  // namespace

McpServer* McpServers::find(const std::string& name) {
  for (auto& server : servers_)
    if (server->name == name) return server.get();
  return nullptr;
}

McpServer* McpServers::find_tool(const std::string& tool, std::string& bare_name) {
  for (auto& server : servers_) {
    const std::string prefix = "mcp__" + server->name + "__";
    if (!tool.starts_with(prefix)) continue;
    bare_name = tool.substr(prefix.size());
    for (const Json& listed : server->tools)
      if (listed.value("name", "") == bare_name) return server.get();
  }
  return nullptr;
}

bool McpServers::only_reads(const std::string& tool) {
  std::string name;
  const McpServer* server = find_tool(tool, name);
  return server && std::ranges::any_of(server->tools, [&](const Json& listed) {
           return text_of(listed, "name") == name &&
                  flag_of(member(listed, "annotations"), "readOnlyHint");
         });
}

void McpServers::add_sdk_server(const std::string& name, const Json& manifest) {
  if (find(name)) return;
  servers_.push_back(std::make_unique<McpServer>());
  McpServer& server = *servers_.back();
  server.name = name;
  if (!manifest.is_object()) return session_.loop.spawn(connect(server));
  server.status = "connected";
  server.info = member(member(manifest, "initializeResult"), "serverInfo");
  const Json& tools = member(member(manifest, "toolsListResult"), "tools");
  if (tools.is_array()) server.tools = tools;
  server.next_id = 2;
  server.settled.open();
}

void McpServers::add_server(const std::string& name, const Json& config, const char* scope,
                            bool stays) {
  if (text_of(config, "type") == "sdk") return add_sdk_server(name);
  if (find(name)) return;
  // Those that stay are listed before the host's own.
  const auto of_host = [](const auto& other) { return !other->stays; };
  const auto place = stays ? std::ranges::find_if(servers_, of_host) : servers_.end();
  McpServer& server = **servers_.insert(place, std::make_unique<McpServer>());
  server.name = name;
  server.transport = text_of(config, "type", "stdio");
  server.config = config;
  server.scope = scope;
  server.stays = stays;
  if (server.is_program()) return session_.loop.spawn(connect(server));
  server.status = "failed";
  server.settled.open();
}

// The object stays: its handshake may still wait for an answer.
void McpServers::remove(const std::string& name) {
  if (McpServer* server = find(name)) {
    server->name.clear();
    end_program(*server);
    server->tools = Json::array();
    server->status = "disabled";
  }
}

AskPtr McpServers::post(McpServer& server, Json message) {
  if (server.is_program()) return post_to_program(server, std::move(message));
  Json request = Json::object();
  request["subtype"] = "mcp_message";
  request["server_name"] = server.name;
  request["message"] = std::move(message);
  return session_.asks.send(Ask::Kind::mcp, std::move(request));
}

Task<Json> McpServers::request(McpServer& server, const char* method, Json params,
                               std::optional<Time> until) {
  const int id = server.next_id++;
  Json message = rpc(method, std::move(params), id);
  const AskPtr ask = post(server, std::move(message));
  co_await Wait(session_.loop, ask->gate.get(), nullptr, until);
  Json response;
  if (ask->answer && ask->answer->success) response = member(ask->answer->payload, "mcp_response");
  if (response.is_object() && response.value("id", Json()) != id) response = nullptr;
  co_return response;
}

// A server of the SDK that fails is greeted once more. What comes of a round counts no more once
// the server was switched off, or is connected anew.
Task<void> McpServers::connect(McpServer& server) {
  const int round = ++server.rounds;
  const int attempts = server.is_program() ? 1 : 2;
  bool fine = false;
  for (int attempt = 0; attempt < attempts && !fine && server.rounds == round; ++attempt) {
    fine = co_await shake_hands(server);
    if (server.rounds != round) break;
    server.status = fine ? "connected" : "failed";
    if (!fine) server.info = nullptr;
    if (!fine && server.program) {
      server.error = "MCP server \"" + server.name + "\" connection timed out after " +
                     std::to_string(limit("MCP_TIMEOUT", kConnectMs).count()) + "ms";
      server.program.reset();
    }
  }
  if (fine) co_await list_tools(server);
  if (server.rounds == round) server.settled.open();
}

Task<bool> McpServers::shake_hands(McpServer& server) {
  const std::optional<Time> until = Clock::now() + limit("MCP_TIMEOUT", kConnectMs);
  server.next_id = 0;
  if (server.is_program() && !start_program(server)) co_return false;
  Json hello = client_info(session_.scenario.version, server);
  const Json welcome = co_await request(server, "initialize", std::move(hello), until);
  if (!has(welcome, "result")) co_return false;
  if (server.status != "disabled") server.info = member(welcome["result"], "serverInfo");
  Json ready = notification("notifications/initialized");
  const AskPtr ask = post(server, std::move(ready));
  co_await Wait(session_.loop, ask->gate.get(), nullptr, until);
  co_return ask->answer && ask->answer->success;
}

Task<void> McpServers::list_tools(McpServer& server) {
  const std::optional<Time> until = Clock::now() + limit("MCP_TIMEOUT", kConnectMs);
  Json none;
  const Json response = co_await request(server, "tools/list", std::move(none), until);
  const Json& tools = member(member(response, "result"), "tools");
  if (tools.is_array() && server.status == "connected") server.tools = tools;
}

void McpServers::disable(McpServer& server) {
  ++server.rounds;
  server.settled.open();
  server.status = "disabled";
  server.info = nullptr;
  end_program(server);
  server.tools = Json::array();
}

Task<void> McpServers::enable(McpServer& server) {
  server.status = "pending";
  server.settled.close();
  co_await connect(server);
}

void McpServers::take_message(const std::string& name, const Json& message) {
  McpServer* server = find(name);
  if (!server) return;
  const std::string method = text_of(message, "method");
  if (method == "notifications/tools/list_changed" && server->status == "connected")
    return session_.loop.spawn(list_tools(*server));
  if (!method.empty()) take_request(*server, message);
}

void McpServers::answer(McpServer& server, const Json& id, const char* kind, Json value) {
  Json message = Json::object();
  message["jsonrpc"] = "2.0";
  message["id"] = id;
  message[kind] = std::move(value);
  post(server, std::move(message));
}

// Servers of the project alone are not worth a long wait: the turn goes on without their tools.
std::chrono::milliseconds McpServers::patience() const {
  const auto given = [](const auto& server) { return server->stays && server->scope == "dynamic"; };
  if (std::ranges::none_of(servers_, given)) return kPatienceWithProject;
  return std::min(kPatience, limit("MCP_TIMEOUT", kConnectMs));
}

Task<void> McpServers::wait_for_all(Abort& abort) {
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    const McpServer& server = *servers_[i];
    std::optional<Time> until;
    if (server.stays) until = server.began + patience();
    co_await Wait(session_.loop, &servers_[i]->settled, &abort, until);
  }
}

Task<void> McpServers::wait_until(Time until, Abort& abort) {
  for (std::size_t i = 0; i < servers_.size(); ++i)
    co_await Wait(session_.loop, &servers_[i]->settled, &abort, until);
}

void McpServers::cancel(const AskPtr& call, const char* reason) {
  session_.asks.forget(call);
  McpServer* server = find(text_of(call->request, "server_name"));
  if (!server) return;
  Json params = Json::object();
  params["requestId"] = member(member(call->request, "message"), "id");
  params["reason"] = reason;
  Json message = notification("notifications/cancelled", std::move(params));
  post(*server, std::move(message));
}

Task<ToolOutcome> McpServers::call(McpServer& server, std::string tool, Json arguments,
                                   std::string tool_use_id, Abort& abort) {
  // A program that has ended is started anew.
  if (server.is_program() && !server.program) co_await shake_hands(server);
  const int id = server.next_id++;
  Json params = Json::object();
  params["name"] = tool;
  params["arguments"] = std::move(arguments);
  params["_meta"]["claudecode/toolUseId"] = tool_use_id;
  params["_meta"]["progressToken"] = id;
  const auto allowed = limit("MCP_TOOL_TIMEOUT", kCallMs);
  const Time until = Clock::now() + allowed;
  Json message = rpc("tools/call", std::move(params), id);
  const AskPtr ask = post(server, std::move(message));
  co_await Wait(session_.loop, ask->gate.get(), &abort, until);
  if (ask->answer && ask->answer->closed)
    co_return tool_failure(server.is_program()
                               ? "Connection closed"
                               : "MCP server \"" + server.name + "\" connection closed");
  if (ask->answer && !ask->answer->success) co_return tool_failure(ask->answer->error);
  Json response;
  if (ask->answer) response = member(ask->answer->payload, "mcp_response");
  const bool fits = response.is_object() && response.value("id", Json()) == id;
  if (fits)
    co_return outcome_of(response, server.name, tool,
                         session_.transcript.folder() + "/tool-results");
  // An answer that says nothing is waited for like none at all.
  if (ask->answer) co_await Wait(session_.loop, nullptr, &abort, until);
  const long long seconds = std::chrono::duration_cast<std::chrono::seconds>(allowed).count();
  ToolOutcome late = tool_failure("MCP server \"" + server.name + "\" tool \"" + tool +
                                  "\" timed out after " + std::to_string(seconds) + "s");
  late.afterwards = [this, ask] { cancel(ask, "SdkError: Request timed out"); };
  co_return late;
}

}  // namespace claude::sim
