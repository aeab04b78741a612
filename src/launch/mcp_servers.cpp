// The list of MCP servers in Options. The last one of a name counts.
#include <claude/options.h>

namespace claude {

McpServers& McpServers::add(std::string name, McpHandler handler, bool run_inline) {
  in_process_.insert_or_assign(std::move(name), InProcess{std::move(handler), run_inline});
  return *this;
}

McpServers& McpServers::add_external(std::string name, Json config) {
  external_.insert_or_assign(std::move(name), std::move(config));
  return *this;
}

}  // namespace claude
