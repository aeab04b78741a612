// Control requests about MCP servers, and those that the command line names.
#include <filesystem>
#include <map>

#include "files.h"
#include "input.h"
#include "reply.h"

namespace claude::sim {
namespace {

void mcp_status(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["mcpServers"] = session.mcp.status_rows();
  reply.success(payload);
}

// Programs are waited for; servers of the SDK are greeted when it has the answer.
Task<void> answer_when_connected(Session& session, Json payload, Json of_sdk, Reply reply) {
  for (const Json& name : payload["added"]) {
    McpServer* server = session.mcp.find(name);
    if (!server || !server->is_program()) continue;
    co_await Wait(session.loop, &server->settled, nullptr, std::nullopt);
    if (!server->error.empty()) payload["errors"][server->name] = server->error;
  }
  reply.success(payload);
  for (const auto& [name, config] : of_sdk.items())
    session.mcp.add_server(name, config, "dynamic", false);
}

void mcp_set_servers(Session& session, const Json& request, Reply& reply) {
  const Json& servers = member(request, "servers");
  if (!servers.is_object())
    return reply.error("mcp_set_servers: servers must be an object of config objects");
  Json payload = Json::object();
  payload["added"] = Json::array();
  payload["removed"] = Json::array();
  payload["errors"] = Json::object();
  for (const std::string& name : session.mcp.names()) {
    const McpServer* known = session.mcp.find(name);
    if (has(servers, name.c_str()) || (known->stays && known->is_program())) continue;
    session.mcp.remove(name);
    payload["removed"].push_back(name);
  }
  Json of_sdk = Json::object();
  for (const auto& [name, config] : servers.items()) {
    if (session.mcp.find(name)) continue;
    payload["added"].push_back(name);
    if (text_of(config, "type") == "sdk")
      of_sdk[name] = config;
    else
      session.mcp.add_server(name, config, "dynamic", false);
  }
  session.loop.spawn(answer_when_connected(session, payload, of_sdk, reply));
}

void mcp_message(Session& session, const Json& request, Reply& reply) {
  const Json& message = member(request, "message");
  const bool asks = has(message, "id");  // what it asks is answered before the acknowledgement
  if (!asks) reply.ack();
  session.mcp.take_message(text_of(request, "server_name"), message);
  if (asks) reply.ack();
}

Task<void> enable_server(Session& session, McpServer& server, Reply reply) {
  co_await session.mcp.enable(server);
  if (server.error.empty()) co_return reply.ack();
  reply.error(server.error);
}

void mcp_toggle(Session& session, const Json& request, Reply& reply) {
  const std::string name = text_of(request, "serverName");
  McpServer* server = session.mcp.find(name);
  if (!server) return reply.error("Server not found: " + name);
  if (flag_of(request, "enabled"))
    return session.loop.spawn(enable_server(session, *server, reply));
  session.mcp.disable(*server);
  reply.ack();
}

void mcp_read_resource(Session& session, const Json& request, Reply& reply) {
  const std::string name = text_of(request, "serverName");
  if (!text_of(request, "uri").starts_with("ui://"))
    return reply.error("mcp_read_resource: uri must use the ui:// scheme");
  if (!session.mcp.find(name)) return reply.error("Server not found: " + name);
  reply.error("MCP server does not support resources: " + name);
}

void set_mcp_permission_mode_override(Session& session, const Json& request, Reply& reply) {
  const std::string name = text_of(request, "serverName");
  Json payload = Json::object();
  if (!session.mcp.find(name))
    payload["warning"] = "MCP server '" + name +
                         "' is not yet known; override stored but will not apply until a server "
                         "with that exact name connects.";
  reply.success(payload);
}

void mcp_reconnect(Session& session, const Json& request, Reply& reply) {
  const std::string name = text_of(request, "serverName");
  McpServer* server = session.mcp.find(name);
  if (!server) return reply.error("Server not found: " + name);
  if (server->is_program()) return session.loop.spawn(enable_server(session, *server, reply));
  reply.error("SDK servers should be handled in print.ts");
}

Task<void> call_program(Session& session, McpServer& server, Json params, Reply reply) {
  const Json response = co_await session.mcp.request(server, "tools/call", params, std::nullopt);
  if (!has(response, "result"))
    co_return reply.error(text_of(member(response, "error"), "message", "Connection closed"));
  Json payload = Json::object();
  payload["content"] = member(response["result"], "content");
  reply.success(payload);
}

// Servers of the SDK are called by the SDK.
void mcp_call(Session& session, const Json& request, Reply& reply) {
  const std::string tool = text_of(request, "tool");
  const std::string rest = tool.starts_with("mcp__") ? tool.substr(5) : tool;
  const std::string name = rest.substr(0, rest.find("__"));
  McpServer* server = session.mcp.find(name);
  if (!server || !server->program) return reply.error("MCP server not connected: " + name);
  Json params = Json::object();
  params["name"] = rest.substr(std::min(rest.find("__"), rest.size() - 2) + 2);
  params["arguments"] = member(request, "arguments");
  session.loop.spawn(call_program(session, *server, std::move(params), reply));
}

// Only for servers of plugins, and there are none here.
void channel_enable(Session& session, const Json& request, Reply& reply) {
  const std::string server = "server " + text_of(request, "serverName");
  const McpServer* found = session.mcp.find(text_of(request, "serverName"));
  if (!found || found->status != "connected") return reply.error(server + " is not connected");
  reply.error(server + " is not plugin-sourced; channel_enable requires a marketplace plugin");
}

void mcp_clear_auth(Session& session, const Json& request, Reply& reply) {
  const std::string name = text_of(request, "serverName");
  const McpServer* found = session.mcp.find(name);
  if (!found) return reply.error("Server not found: " + name);
  const bool of_sdk = found->transport == "sdk";
  reply.error("Cannot clear auth for server type \"" +
              (of_sdk ? "sdk" : text_of(found->config, "type", "undefined")) + "\"");
}

// Only for servers of the network, which are not there.
void mcp_authenticate(Session& session, const Json& request, Reply& reply) {
  const std::string name = text_of(request, "serverName");
  const McpServer* found = session.mcp.find(name);
  if (!found) return reply.error("Server not found: " + name);
  reply.error("Server type \"" + found->transport + "\" does not support OAuth authentication");
}

void mcp_oauth_callback_url(Session&, const Json& request, Reply& reply) {
  reply.error("No active OAuth flow for server: " + text_of(request, "serverName"));
}

bool is_switched_off(const Settings& settings, const std::string& name) {
  for (const auto& [source, values] : settings.sources)
    for (const Json& off : member(values, "disabledMcpjsonServers"))
      if (off == name) return true;
  return false;
}

void start_servers(Session& session, const Json& document, const char* scope) {
  const bool of_project = std::string_view(scope) == "project";
  for (const auto& [name, config] : member(document, "mcpServers").items())
    if (!of_project || !is_switched_off(session.settings, name))
      session.mcp.add_server(name, config, scope, true);
}

}  // namespace

// Those of the project come first.
void start_configured_servers(Session& session) {
  const Settings& settings = session.settings;
  if (settings.takes_project && !session.args.has("--strict-mcp-config")) {
    const auto file = std::filesystem::path(session.cwd) / ".mcp.json";
    start_servers(session, parse(content_of(file.string()).value_or("")), "project");
  }
  const auto configs = session.args.flags.find("--mcp-config");
  if (configs == session.args.flags.end()) return;
  for (const std::string& text : configs->second) {
    // The document itself, or where it is.
    const auto file = std::filesystem::path(session.cwd) / text;
    const bool is_document = text.starts_with('{');
    start_servers(session, parse(is_document ? text : content_of(file.string()).value_or("")),
                  "dynamic");
  }
}

Handler mcp_request(const std::string& subtype) {
  static const std::map<std::string, Handler, std::less<>> kRequests{
      {"mcp_status", mcp_status},
      {"mcp_set_servers", mcp_set_servers},
      {"mcp_message", mcp_message},
      {"mcp_reconnect", mcp_reconnect},
      {"mcp_toggle", mcp_toggle},
      {"mcp_call", mcp_call},
      {"mcp_read_resource", mcp_read_resource},
      {"set_mcp_permission_mode_override", set_mcp_permission_mode_override},
      {"channel_enable", channel_enable},
      {"mcp_clear_auth", mcp_clear_auth},
      {"mcp_authenticate", mcp_authenticate},
      {"mcp_oauth_callback_url", mcp_oauth_callback_url},
  };
  const auto found = kRequests.find(subtype);
  return found == kRequests.end() ? nullptr : found->second;
}

}  // namespace claude::sim
