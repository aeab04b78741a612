// JSON-RPC inside mcp_message, with the limits that MCP_TIMEOUT and MCP_TOOL_TIMEOUT set.
#include "mcp.h"

#include <algorithm>
#include <cstdlib>

#include "session.h"
#include "world.h"

namespace claude::sim {
namespace {

std::chrono::milliseconds limit(const char* name, long long otherwise) {
  const std::string text = variable(name);
  return std::chrono::milliseconds(text.empty() ? otherwise : std::atoll(text.c_str()));
}

constexpr long long kConnectMs = 60'000;
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

Json client_info(const std::string& version) {
  Json params = Json::object();
  params["protocolVersion"] = "2025-11-25";
  params["capabilities"] = Json::object();
  Json& info = params["clientInfo"];
  info["name"] = "claude-code";
  info["title"] = "Claude Code";
  info["description"] = "Anthropic's agentic coding tool";
  info["websiteUrl"] = "https://claude.com/claude-code";
  info["version"] = version;
  return params;
}

Json text_block(const std::string& text) {
  Json block = Json::object();
  block["type"] = "text";
  block["text"] = text;
  return block;
}

// Blocks of an MCP result as the model gets them. `folder`: where pictures are said to be kept.
Json model_blocks(const Json& content, const std::string& server, const std::string& folder) {
  Json blocks = Json::array();
  for (const Json& block : content) {
    const std::string type = text_of(block, "type");
    const Json& resource = member(block, "resource");
    if (type == "resource_link") {
      blocks.push_back(
          text_block("[Resource link: " + text_of(block, "name") + "] " + text_of(block, "uri")));
    } else if (type == "resource") {
      blocks.push_back(text_block("[Resource from " + server + " at " + text_of(resource, "uri") +
                                  "] " + text_of(resource, "text")));
    } else if (type == "image") {
      const std::string media_type = text_of(block, "mimeType");
      Json image = Json::object();
      image["type"] = "image";
      image["source"]["type"] = "base64";
      image["source"]["media_type"] = media_type;
      image["source"]["data"] = text_of(block, "data");
      blocks.push_back(image);
      blocks.push_back(text_block("[Image: source: " + folder + "/mcp-" + server + "-blob-" +
                                  std::to_string(wall_ms()) + "-sim." +
                                  media_type.substr(media_type.find('/') + 1) + "]"));
    } else {
      blocks.push_back(block);
    }
  }
  return blocks;
}

Json links_in(const Json& content) {
  Json links = Json::array();
  for (const Json& block : content) {
    if (text_of(block, "type") != "resource_link") continue;
    Json link = block;
    link.erase("type");
    links.push_back(link);
  }
  return links;
}

std::string plain_text(const Json& content) {
  std::string text;
  for (const Json& block : content) text += (text.empty() ? "" : "\n") + text_of(block, "text");
  return text;
}

ToolOutcome outcome_of(const Json& response, const std::string& server, const std::string& tool,
                       const std::string& folder) {
  if (has(response, "error")) return tool_failure(text_of(response["error"], "message"));
  const Json& result = member(response, "result");
  const Json& content = member(result, "content");
  if (flag_of(result, "isError")) {
    ToolOutcome failure = tool_failure(plain_text(content));
    failure.content = plain_text(content) +
                      "\n\nThis tool's input schema was not in your prompt when you called it.";
    return failure;
  }
  ToolOutcome outcome;
  if (has(result, "structuredContent")) {
    outcome.content = dump(result["structuredContent"]);
    outcome.result["content"] = outcome.content;
    outcome.result["structuredContent"] = result["structuredContent"];
    return outcome;
  }
  outcome.result = outcome.content = model_blocks(content, server, folder);
  if (const Json links = links_in(content); !links.empty()) {
    outcome.result = Json::object();
    outcome.result["content"] = outcome.content;
    outcome.result["resourceLinks"] = links;
  }
  if (content.empty())
    outcome.content = "(mcp__" + server + "__" + tool + " completed with no output)";
  return outcome;
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

// A server of another kind is listed but never started: the simulator runs no programs.
void McpServers::add_other_server(const std::string& name) {
  if (find(name)) return;
  servers_.push_back(std::make_unique<McpServer>());
  servers_.back()->name = name;
  servers_.back()->transport = "stdio";
  servers_.back()->status = "failed";
  servers_.back()->settled.open();
}

// The object stays: its handshake may still wait for an answer.
void McpServers::remove(const std::string& name) {
  if (McpServer* server = find(name)) {
    server->name.clear();
    server->tools = Json::array();
    server->status = "disabled";
  }
}

AskPtr McpServers::post(McpServer& server, Json message) {
  Json request = Json::object();
  request["subtype"] = "mcp_message";
  request["server_name"] = server.name;
  request["message"] = std::move(message);
  return session_.asks.send(Ask::Kind::mcp, std::move(request));
}

// The JSON-RPC response, or null when none came in time or the control answer was an error.
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

// A server that fails is greeted once more.
Task<void> McpServers::connect(McpServer& server) {
  for (int attempt = 0; attempt < 2 && server.status != "connected"; ++attempt) {
    server.next_id = 0;
    const bool fine = co_await shake_hands(server);
    server.status = fine ? "connected" : "failed";
    if (!fine) server.info = nullptr;
  }
  if (server.status == "connected") co_await list_tools(server);
  server.settled.open();
}

Task<bool> McpServers::shake_hands(McpServer& server) {
  const std::optional<Time> until = Clock::now() + limit("MCP_TIMEOUT", kConnectMs);
  Json hello = client_info(session_.scenario.version);
  const Json welcome = co_await request(server, "initialize", std::move(hello), until);
  if (!has(welcome, "result")) co_return false;
  server.info = member(welcome["result"], "serverInfo");
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
  if (tools.is_array()) server.tools = tools;
}

void McpServers::disable(McpServer& server) {
  server.status = "disabled";
  server.info = nullptr;
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
  if (method.empty() || !has(message, "id")) return;
  Json answer = Json::object();
  answer["jsonrpc"] = "2.0";
  answer["id"] = message["id"];
  answer["error"]["code"] = -32601;
  answer["error"]["message"] = "Method not found";
  post(*server, std::move(answer));
}

Task<void> McpServers::wait_for_all(Abort& abort) {
  for (std::size_t i = 0; i < servers_.size(); ++i)
    co_await Wait(session_.loop, &servers_[i]->settled, &abort, std::nullopt);
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
    co_return tool_failure("MCP server \"" + server.name + "\" connection closed");
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

Json McpServers::init_rows() const {
  Json rows = Json::array();
  for (const auto& server : servers_) {
    if (server->name.empty()) continue;
    Json row = Json::object();
    row["name"] = server->name;
    row["status"] = server->status;
    row["source"] = server->transport == "sdk" ? "sdk" : "config";
    rows.push_back(row);
  }
  return rows;
}

Json McpServers::status_rows() const {
  Json rows = Json::array();
  for (const auto& server : servers_) {
    if (server->name.empty()) continue;
    Json row = Json::object();
    row["name"] = server->name;
    row["status"] = server->status;
    if (!server->info.is_null()) row["serverInfo"] = server->info;
    row["transport"] = server->transport;
    row["scope"] = server->status == "failed" ? "user" : "dynamic";
    row["source"] = server->transport == "sdk" ? "sdk" : "config";
    if (server->status == "connected") {
      row["tools"] = Json::array();
      for (const Json& tool : server->tools) {
        Json listed = Json::object();
        listed["name"] = text_of(tool, "name");
        listed["annotations"] = Json::object();
        for (const char* hint : {"readOnly", "destructive", "openWorld"})
          if (flag_of(member(tool, "annotations"), (std::string(hint) + "Hint").c_str()))
            listed["annotations"][hint] = true;
        row["tools"].push_back(listed);
      }
    }
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> McpServers::tool_names() const {
  std::vector<std::string> names;
  for (const auto& server : servers_)
    for (const Json& tool : server->tools)
      names.push_back("mcp__" + server->name + "__" + text_of(tool, "name"));
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> McpServers::names() const {
  std::vector<std::string> names;
  for (const auto& server : servers_)
    if (!server->name.empty()) names.push_back(server->name);
  return names;
}

}  // namespace claude::sim
