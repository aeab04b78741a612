// Control requests about MCP servers, and those that the command line names.
#include <filesystem>
#include <fstream>
#include <map>

#include "input.h"
#include "reply.h"

namespace claude::sim {
namespace {

void add_servers(Session& session, const Json& servers) {
  for (const auto& [name, config] : servers.items()) {
    if (text_of(config, "type") == "sdk")
      session.mcp.add_sdk_server(name);
    else
      session.mcp.add_other_server(name);
  }
}

void mcp_status(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["mcpServers"] = session.mcp.status_rows();
  reply.success(payload);
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
    if (has(servers, name.c_str())) continue;
    session.mcp.remove(name);
    payload["removed"].push_back(name);
  }
  for (const auto& [name, config] : servers.items()) {
    if (session.mcp.find(name)) continue;
    payload["added"].push_back(name);
    if (text_of(config, "type") != "sdk")
      payload["errors"][name] = "the simulator starts no programs";
  }
  reply.success(payload);
  add_servers(session, servers);
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
  reply.ack();
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
  if (!session.mcp.find(name)) return reply.error("Server not found: " + name);
  reply.error("SDK servers should be handled in print.ts");
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
  reply.error("Cannot clear auth for server type \"" + found->transport + "\"");
}

}  // namespace

void start_configured_servers(Session& session) {
  const auto configs = session.args.flags.find("--mcp-config");
  if (configs == session.args.flags.end()) return;
  for (const std::string& text : configs->second) {
    // The document itself, or where it is.
    std::ifstream file(std::filesystem::path(session.cwd) / text);
    const Json config = text.starts_with('{') ? Json::parse(text, nullptr, false)
                                              : Json::parse(file, nullptr, false);
    add_servers(session, member(config, "mcpServers"));
  }
}

Handler mcp_request(const std::string& subtype) {
  static const std::map<std::string, Handler, std::less<>> kRequests{
      {"mcp_status", mcp_status},
      {"mcp_set_servers", mcp_set_servers},
      {"mcp_message", mcp_message},
      {"mcp_reconnect", mcp_reconnect},
      {"mcp_toggle", mcp_toggle},
      {"mcp_read_resource", mcp_read_resource},
      {"set_mcp_permission_mode_override", set_mcp_permission_mode_override},
      {"channel_enable", channel_enable},
      {"mcp_clear_auth", mcp_clear_auth},
  };
  const auto found = kRequests.find(subtype);
  return found == kRequests.end() ? nullptr : found->second;
}

}  // namespace claude::sim
