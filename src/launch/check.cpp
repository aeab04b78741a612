// One small function for each group of options, run one after the other. Where the CLI decides
// what is wrong, the rule names the version that it was seen on.
#include "launch/check.h"

#include <algorithm>
#include <cmath>

#include "launch/environment.h"
#include "launch/initialize.h"

namespace claude::launch {
namespace {

using Fault = std::optional<Error>;

[[gnu::cold]] Error invalid(std::string where, std::string message, std::string advice) {
  Error error;
  error.code = Errc::invalid_option;
  error.message = std::move(message);
  error.where = "Options::" + std::move(where);
  error.advice = std::move(advice);
  return error;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

Fault check_not_empty(const char* where, const std::optional<std::string>& text) {
  if (!text || !text->empty()) return std::nullopt;
  return invalid(where, "the value is empty", "Leave it unset instead.");
}

Fault check_model(const Options& o) {
  if (auto fault = check_not_empty("model", o.model)) return fault;
  if (auto fault = check_not_empty("fallback_model", o.fallback_model)) return fault;
  if (auto fault = check_not_empty("effort", o.effort)) return fault;
  if (o.model && o.model == o.fallback_model) {
    return invalid("fallback_model", "it is the same as the model",
                   "Name another model, or leave it unset.");
  }
  if (o.max_turns && *o.max_turns < 1) {
    return invalid("max_turns", "it is less than 1", "Leave it unset for no limit.");
  }
  if (o.max_budget_usd && !(*o.max_budget_usd > 0 && std::isfinite(*o.max_budget_usd))) {
    return invalid("max_budget_usd", "it is no amount above 0", "Leave it unset for no limit.");
  }
  if (o.max_thinking_tokens && *o.max_thinking_tokens < 0) {
    return invalid("max_thinking_tokens", "it is negative", "Give 0 for none.");
  }
  if (o.json_schema && !o.json_schema->is_object()) {
    return invalid("json_schema", "a schema is a JSON object", "The CLI ends on anything else.");
  }
  return std::nullopt;
}

Fault check_system_prompt(const Options& o) {
  const SystemPrompt& prompt = o.system_prompt;
  if (prompt.kind == SystemPrompt::Kind::claude_code) {
    if (prompt.blocks.empty()) return std::nullopt;
    return invalid("system_prompt", "blocks stand beside the prompt of Claude Code",
                   "Use SystemPrompt::claude_code(append) to add to it.");
  }
  if (prompt.appended || prompt.exclude_dynamic_sections) {
    return invalid("system_prompt",
                   "appended and exclude_dynamic_sections belong to the prompt of Claude Code",
                   "Use SystemPrompt::claude_code(), or add a block to your own text.");
  }
  return std::nullopt;
}

Fault check_permissions(const Options& o) {
  if (o.can_use_tool && o.can_use_tool_later) {
    return invalid("can_use_tool_later", "can_use_tool is set as well", "Set one of the two.");
  }
  if (o.permission_mode == PermissionMode::bypass_permissions && !o.allow_bypass_permissions) {
    return invalid("permission_mode", "bypass_permissions is not allowed",
                   "Set Options::allow_bypass_permissions too, and only in a sandbox.");
  }
  return std::nullopt;
}

// How the CLI (2.1.325) cuts a list of rules: at commas and blanks, but not inside parentheses,
// which end at the first closing one however many were opened.
bool stays_one_rule(std::string_view rule) {
  bool inside = false;
  for (const char c : rule) {
    if (c == '(') inside = true;
    if (c == ')') inside = false;
    if (!inside && (c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r')) return false;
  }
  return !rule.empty() && !inside;
}

Fault check_list(const char* where, const std::vector<std::string>& items) {
  for (const std::string& item : items) {
    if (stays_one_rule(item)) continue;
    return invalid(where, "the CLI would not read `" + item + "` as one item",
                   "Give each item for itself, without commas, blanks or open parentheses; rules "
                   "with such text inside go into Options::settings, under permissions.");
  }
  return std::nullopt;
}

Fault check_lists(const Options& o) {
  if (o.tools) {
    if (auto fault = check_list("tools", *o.tools)) return fault;
  }
  if (auto fault = check_list("allowed_tools", o.allowed_tools)) return fault;
  if (auto fault = check_list("disallowed_tools", o.disallowed_tools)) return fault;
  if (auto fault = check_list("betas", o.betas)) return fault;
  if (o.setting_sources) return check_list("setting_sources", *o.setting_sources);
  return std::nullopt;
}

Fault check_hooks(const Options& o) {
  for (const Hooks::Registration& hook : o.hooks.registrations()) {
    const auto timeout = hook_timeout(hook, o);
    if (timeout.count() > 0 && timeout <= kLongestHookTimeout) continue;
    return invalid("hooks", "the timeout of a hook for " + hook.event + " is out of range",
                   "Give more than 0 ms and at most 24 days.");
  }
  return std::nullopt;
}

Fault check_servers(const Options& o) {
  for (const auto& [name, server] : o.mcp_servers.in_process()) {
    if (name.empty() || !server.handler) {
      return invalid("mcp_servers", "server `" + name + "` lacks a name or a handler",
                     "Give both to McpServers::add().");
    }
    if (o.mcp_servers.external().contains(name)) {
      return invalid("mcp_servers", "two servers are named " + name, "Rename one of them.");
    }
  }
  for (const auto& [name, config] : o.mcp_servers.external()) {
    if (name.empty() || !config.is_object()) {
      return invalid("mcp_servers", "server `" + name + "` lacks a name or a config object",
                     R"(Give for example {"command": "my-server", "args": []}.)");
    }
    if (config["type"].text() == "sdk") {
      return invalid("mcp_servers", "nobody would answer for server " + name + " of type sdk",
                     "Use McpServers::add() for a server of this process.");
    }
  }
  return std::nullopt;
}

// One definition that the CLI does not like makes it drop all of them, without a word (2.1.325).
Fault check_agents(const Options& o) {
  for (const auto& [name, agent] : o.agents) {
    const std::string where = "agents[" + name + "]";
    if (name.empty() || agent.description.empty()) {
      return invalid(where, "an agent needs a name and a description", "Say when to use it.");
    }
    if (agent.model && agent.model->empty()) {
      return invalid(where, "the model is empty", "Leave it unset instead.");
    }
    if (agent.max_turns && *agent.max_turns < 1) {
      return invalid(where, "max_turns is less than 1", "Leave it unset for no limit.");
    }
    if (!agent.more.is_null() && !agent.more.is_object()) {
      return invalid(where, "`more` is no object", "Give an object, or nothing.");
    }
    for (const auto& [field, value] : agent.more.members()) {
      if (is_agent_field(field)) {
        return invalid(where, "`more` repeats " + field, "Use the member of AgentDefinition.");
      }
    }
  }
  return std::nullopt;
}

Fault check_initialize_fields(const Options& o) {
  if (!o.initialize_fields.is_null() && !o.initialize_fields.is_object()) {
    return invalid("initialize_fields", "it is no object", "Give an object, or nothing.");
  }
  for (const auto& [name, value] : o.initialize_fields.members()) {
    if (is_initialize_field(name)) {
      return invalid("initialize_fields", name + " is written by the library",
                     "Use the member of Options that stands for it.");
    }
  }
  return std::nullopt;
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

Fault check_conversation(const Options& o) {
  const bool goes_on = o.resume || o.continue_conversation;
  if (auto fault = check_not_empty("resume", o.resume)) return fault;
  if (o.resume && o.continue_conversation) {
    return invalid("continue_conversation", "resume is set as well",
                   "Set resume for a certain conversation, or this for the latest one.");
  }
  if (o.fork_session && !goes_on) {
    return invalid("fork_session", "there is nothing to fork",
                   "Set resume or continue_conversation too.");
  }
  if (o.session_id && goes_on && !o.fork_session) {
    return invalid("session_id", "a conversation that goes on keeps its id",
                   "Leave it unset, or set fork_session too.");
  }
  if (o.session_id && !is_uuid(*o.session_id)) {
    return invalid("session_id", "`" + *o.session_id + "` is no UUID",
                   "Give one like 123e4567-e89b-42d3-a456-426614174000, or leave it unset.");
  }
  return std::nullopt;
}

Fault check_places(const Options& o) {
  if (o.cwd.contains('\0')) return invalid("cwd", "it has a NUL byte", "Remove it.");
  if (o.cli_path.contains('\0')) return invalid("cli_path", "it has a NUL byte", "Remove it.");
  if (auto fault = check_not_empty("settings", o.settings)) return fault;
  for (const std::string& directory : o.add_dirs) {
    if (auto fault = check_not_empty("add_dirs", directory)) return fault;
  }
  return std::nullopt;
}

Fault check_variable_name(const std::string& name) {
  if (!name.empty() && !name.contains('=') && !name.contains('\0')) return std::nullopt;
  return invalid("environment", "`" + name + "` is no name of a variable",
                 "A name is not empty and has no '=' and no NUL byte.");
}

Fault check_environment(const Options& o) {
  const Environment& wish = o.environment;
  for (const auto& [name, value] : wish.set) {
    if (auto fault = check_variable_name(name)) return fault;
    if (value.contains('\0') || name.size() + 1 + value.size() > kLongestWordBytes) {
      return invalid("environment", "the value of " + name + " has a NUL byte or is too long",
                     "No program can be given such a value: pass it in a file.");
    }
    if (std::ranges::find(wish.unset, name) != wish.unset.end()) {
      return invalid("environment", name + " is both set and unset", "Choose one of the two.");
    }
  }
  for (const std::string& name : wish.unset) {
    if (auto fault = check_variable_name(name)) return fault;
  }
  for (const std::string& name : wish.pass) {
    if (auto fault = check_variable_name(name)) return fault;
  }
  if (wish.mode == Environment::Mode::exact && o.file_checkpointing &&
      !wish.set.contains(kCheckpointVariable)) {
    return invalid("file_checkpointing", "an exact environment does not turn it on",
                   "Add " + std::string(kCheckpointVariable) + "=true to Environment::set.");
  }
  return std::nullopt;
}

std::string_view flag_of(std::string_view word) {
  return word.substr(0, word.find('='));
}

bool is_flag_name(std::string_view name) {
  return !name.empty() && is_letter(name[0]) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

Fault check_extra_args(const Options& o) {
  Words own = arguments(o, "");
  own.resize(own.size() - o.extra_args.size());  // they stand last, one word each
  for (const auto& [name, value] : o.extra_args) {
    if (!is_flag_name(name)) {
      return invalid("extra_args", "`" + name + "` is no name of a flag",
                     "Give the name without dashes, and the value apart: letters, digits, '-'.");
    }
    const std::string flag = "--" + name;
    const bool bypasses = name == "dangerously-skip-permissions" ||
                          (name == "permission-mode" && value == "bypassPermissions");
    if (bypasses && !o.allow_bypass_permissions) {
      return invalid("extra_args", flag + " bypasses permissions",
                     "Set Options::allow_bypass_permissions too, and only in a sandbox.");
    }
    if (std::ranges::any_of(own, [&](const auto& word) { return flag_of(word) == flag; })) {
      return invalid("extra_args", flag + " is on the command line already",
                     "Use the member of Options that stands for it.");
    }
  }
  return std::nullopt;
}

}  // namespace

Fault check(const Options& options) {
  constexpr Fault (*kChecks[])(const Options&) = {
      check_model,        check_system_prompt, check_permissions, check_lists,
      check_hooks,        check_servers,       check_agents,      check_initialize_fields,
      check_conversation, check_places,        check_environment, check_extra_args,
  };
  for (const auto& one : kChecks) {
    if (Fault fault = one(options)) return fault;
  }
  return std::nullopt;
}

Fault check_words(const Words& words) {
  for (const std::string& word : words) {
    const bool has_nul = word.contains('\0');
    if (!has_nul && word.size() <= kLongestWordBytes) continue;
    Error error = has_nul ? invalid("", "a NUL byte cannot be passed to a program", "Remove it.")
                          : invalid("", "the value is too long for a command line",
                                    "Pass it in a file where the CLI takes one.");
    error.where = word.starts_with("--") ? std::string(flag_of(word)) : "the prompt";
    return error;
  }
  return std::nullopt;
}

Fault check_legacy_prompt(std::string_view prompt) {
  if (!prompt.empty()) return std::nullopt;
  return invalid("legacy_argv", "the prompt is empty", "The CLI refuses an empty prompt there.");
}

}  // namespace claude::launch
