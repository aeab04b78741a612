// The members of the initialize request, as the CLI (2.1.325) takes them. The envelope around it
// is the wire's business.
#include "launch/initialize.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace claude::launch {
namespace {

constexpr std::array<std::string_view, 9> kFields = {
    "subtype",
    "hooks",
    "sdkMcpServers",
    "agents",
    "jsonSchema",
    "systemPrompt",
    "appendSystemPrompt",
    "excludeDynamicSections",
    "forwardSubagentText",
};
constexpr std::array<std::string_view, 6> kAgentFields = {
    "description", "prompt", "tools", "disallowedTools", "model", "maxTurns",
};

Json strings(const std::vector<std::string>& items) {
  return Json::array(std::vector<Json>(items.begin(), items.end()));
}

// Seconds, with a fraction where there is one: cut down to 0 they would mean ten minutes.
Json seconds(std::chrono::milliseconds time) {
  if (time.count() % 1000 == 0) return time.count() / 1000;
  return std::chrono::duration<double>(time).count();
}

Json hook_json(const Hooks::Registration& hook, std::size_t index, const Options& options) {
  Json entry = Json::object({
      {"matcher", hook.matcher ? Json(*hook.matcher) : Json()},
      {"hookCallbackIds", Json::array({hook_id(index)})},
      // Always: left out, the CLI waits 600 s.
      {"timeout", seconds(hook_timeout(hook, options) + kHookTimeoutMargin)},
  });
  if (hook.options.on_failure == OnFailure::block) entry.set("onFailure", "block");
  return entry;
}

// Event name -> its hooks, both in the order of registration.
Json hooks_json(const Options& options) {
  const auto& hooks = options.hooks.registrations();
  Json events = Json::object();
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    Json of_event = events[hooks[i].event];
    of_event.push_back(hook_json(hooks[i], i, options));
    events.set(hooks[i].event, std::move(of_event));
  }
  return events;
}

void add_system_prompt(Json& request, const SystemPrompt& prompt) {
  if (prompt.kind == SystemPrompt::Kind::text) {
    // Left out, it would be the prompt of Claude Code.
    const std::vector<std::string> none = {""};
    request.set("systemPrompt", strings(prompt.blocks.empty() ? none : prompt.blocks));
  }
  if (prompt.appended) request.set("appendSystemPrompt", *prompt.appended);
  if (prompt.exclude_dynamic_sections) {
    request.set("excludeDynamicSections", *prompt.exclude_dynamic_sections);
  }
}

Json agent_json(const AgentDefinition& agent) {
  Json definition = Json::object({{"description", agent.description}, {"prompt", agent.prompt}});
  if (agent.tools) definition.set("tools", strings(*agent.tools));
  if (agent.disallowed_tools) definition.set("disallowedTools", strings(*agent.disallowed_tools));
  if (agent.model) definition.set("model", *agent.model);
  if (agent.max_turns) definition.set("maxTurns", *agent.max_turns);
  for (const auto& [name, value] : agent.more.members()) definition.set(name, value);
  return definition;
}

}  // namespace

std::chrono::milliseconds hook_timeout(const Hooks::Registration& hook, const Options& options) {
  return hook.options.timeout.value_or(options.timeouts.hook);
}

std::string hook_id(std::size_t index) {
  std::string id = "hook_";
  base::append_number(id, index);
  return id;
}

bool is_initialize_field(std::string_view name) {
  return std::ranges::find(kFields, name) != kFields.end();
}

bool is_agent_field(std::string_view name) {
  return std::ranges::find(kAgentFields, name) != kAgentFields.end();
}

Json agents_json(const Options& options) {
  Json agents = Json::object();
  for (const auto& [name, agent] : options.agents) agents.set(name, agent_json(agent));
  return agents;
}

Json initialize_fields(const Options& options) {
  Json fields = Json::object();
  if (!options.hooks.empty()) fields.set("hooks", hooks_json(options));
  if (const auto& servers = options.mcp_servers.in_process(); !servers.empty()) {
    Json names = Json::array();
    for (const auto& [name, server] : servers) names.push_back(name);
    fields.set("sdkMcpServers", std::move(names));
  }
  if (!options.agents.empty()) fields.set("agents", agents_json(options));
  if (options.json_schema) fields.set("jsonSchema", *options.json_schema);
  add_system_prompt(fields, options.system_prompt);
  if (options.forward_subagent_text) fields.set("forwardSubagentText", true);
  for (const auto& [name, value] : options.initialize_fields.members()) fields.set(name, value);
  return fields;
}

std::chrono::milliseconds initialize_timeout(const Options& options, const Surroundings& around) {
  const std::string_view text = around.variable("CLAUDE_CODE_STREAM_CLOSE_TIMEOUT");
  std::int64_t wished = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), wished);
  if (failure != std::errc() || end != text.data() + text.size()) wished = 0;
  return std::max(options.timeouts.initialize, std::chrono::milliseconds(wished));
}

}  // namespace claude::launch
