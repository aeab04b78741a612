// MCP servers as init and mcp_status list them.
#include <algorithm>

#include "mcp.h"

namespace claude::sim {
namespace {

Json row_of(const McpServer& server) {
  Json row = Json::object();
  row["name"] = server.name;
  row["status"] = server.status;
  return row;
}

}  // namespace

Json McpServers::init_rows() const {
  Json rows = Json::array();
  for (const auto& server : servers_) {
    if (server->name.empty()) continue;
    Json row = row_of(*server);
    row["source"] = server->source();
    rows.push_back(row);
  }
  return rows;
}

Json McpServers::status_rows() const {
  Json rows = Json::array();
  for (const auto& server : servers_) {
    if (server->name.empty()) continue;
    Json row = row_of(*server);
    if (!server->info.is_null()) row["serverInfo"] = server->info;
    if (!server->error.empty()) row["error"] = server->error;
    if (server->is_program()) {
      row["config"]["type"] = "stdio";
      for (const char* key : {"command", "args"})
        if (has(server->config, key)) row["config"][key] = server->config[key];
    }
    row["transport"] = server->transport;
    row["scope"] = server->transport != "sdk"   ? server->scope
                   : server->status == "failed" ? "user"
                                                : "dynamic";
    row["source"] = server->source();
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
