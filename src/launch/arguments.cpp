// Options to flags, group by group. Order matters only at the ends: ours first, the user's last.
#include "launch/arguments.h"

#include <array>
#include <charconv>

#include "launch/initialize.h"
#include "wire/encode.h"
#include "wire/names.h"

namespace claude::launch {
namespace {

constexpr std::string_view kStreamJson = "stream-json";

// Collects words; an unset option adds none.
class CommandLine {
 public:
  void flag(std::string_view name) { words_.push_back("--" + std::string(name)); }
  void flag(std::string_view name, bool wanted) {
    if (wanted) flag(name);
  }
  void value(std::string_view name, std::string_view text) {
    words_.push_back("--" + std::string(name) + "=" + std::string(text));
  }
  void if_set(std::string_view name, const std::optional<std::string>& text) {
    if (text) value(name, *text);
  }
  template <class Number>
  void if_set(std::string_view name, std::optional<Number> number) {
    if (!number) return;
    std::array<char, 32> digits;  // a double needs 24 at most in its shortest form
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *number).ptr;
    value(name, std::string_view(digits.data(), end));
  }
  // An empty list is a value of its own: `--tools=` means no tools.
  void list(std::string_view name, const std::vector<std::string>& items) {
    std::string joined;
    for (const std::string& item : items) joined.append(joined.empty() ? "" : ",").append(item);
    value(name, joined);
  }
  void each(std::string_view name, const std::vector<std::string>& items) {
    for (const std::string& item : items) value(name, item);
  }
  void bare(std::string_view word) { words_.emplace_back(word); }

  Words take() { return std::move(words_); }

 private:
  Words words_;
};

void add_model(CommandLine& line, const Options& options) {
  line.if_set("model", options.model);
  line.if_set("fallback-model", options.fallback_model);
  line.if_set("effort", options.effort);
  line.if_set("max-turns", options.max_turns);
  line.if_set("max-budget-usd", options.max_budget_usd);
  line.if_set("max-thinking-tokens", options.max_thinking_tokens);
  line.each("betas", options.betas);  // joined by commas they are one unknown name (2.1.325)
}

void add_tools(CommandLine& line, const Options& options) {
  if (options.tools) line.list("tools", *options.tools);
  if (!options.allowed_tools.empty()) line.list("allowedTools", options.allowed_tools);
  if (!options.disallowed_tools.empty()) line.list("disallowedTools", options.disallowed_tools);
  if (options.permission_mode) {
    line.value("permission-mode", wire::to_wire(*options.permission_mode));
  }
  line.flag("allow-dangerously-skip-permissions", options.allow_bypass_permissions);
  if (!options.mcp_servers.external().empty()) {
    Json servers = Json::object();
    for (const auto& [name, config] : options.mcp_servers.external()) servers.set(name, config);
    line.value("mcp-config", Json::object({{"mcpServers", std::move(servers)}}).dump());
  }
  line.flag("strict-mcp-config", options.strict_mcp_config);
}

void add_places(CommandLine& line, const Options& options) {
  line.each("add-dir", options.add_dirs);
  if (options.setting_sources) line.list("setting-sources", *options.setting_sources);
  line.if_set("settings", options.settings);
}

void add_conversation(CommandLine& line, const Options& options) {
  line.if_set("resume", options.resume);
  line.flag("continue", options.continue_conversation);
  line.flag("fork-session", options.fork_session);
  line.flag("no-session-persistence", !options.persist_session);
  line.flag("include-partial-messages", options.partial_messages);
  line.flag("include-hook-events", options.hook_events);
}

// Last, because check() lets none repeat a flag that stands before it.
void add_extra(CommandLine& line, const Options& options) {
  for (const auto& [name, value] : options.extra_args) {
    if (value) {
      line.value(name, *value);
    } else {
      line.flag(name);
    }
  }
}

// What a session says in initialize.
void add_initialize_as_flags(CommandLine& line, const Options& options) {
  const SystemPrompt& prompt = options.system_prompt;
  if (prompt.kind == SystemPrompt::Kind::text) {
    std::string joined;
    for (const std::string& block : prompt.blocks) {
      joined.append(joined.empty() ? "" : "\n\n").append(block);
    }
    line.value("system-prompt", joined);
  }
  line.if_set("append-system-prompt", prompt.appended);
  line.flag("exclude-dynamic-system-prompt-sections",
            prompt.exclude_dynamic_sections.value_or(false));
  if (!options.agents.empty()) line.value("agents", agents_json(options).dump());
  if (options.json_schema) line.value("json-schema", options.json_schema->dump());
  line.flag("forward-subagent-text", options.forward_subagent_text);
}

bool asks_for_permission(const Options& options) {
  return options.can_use_tool || options.can_use_tool_later || options.on_question;
}

}  // namespace

Words arguments(const Options& options, std::string_view session_id) {
  CommandLine line;
  line.value("input-format", kStreamJson);
  line.value("output-format", kStreamJson);
  line.flag("verbose");  // without it the CLI refuses stream-json
  if (asks_for_permission(options)) line.value("permission-prompt-tool", wire::kPromptToolStdio);
  if (takes_session_id(options)) line.value("session-id", session_id);
  line.flag("replay-user-messages", options.replay_user_messages);
  add_model(line, options);
  add_tools(line, options);
  add_places(line, options);
  add_conversation(line, options);
  add_extra(line, options);
  return line.take();
}

bool takes_session_id(const Options& options) {
  return options.fork_session || !(options.resume || options.continue_conversation);
}

Words legacy_arguments(const Options& options, std::string_view prompt) {
  CommandLine line;
  line.flag("print");
  line.value("output-format", kStreamJson);
  line.flag("verbose");
  line.if_set("session-id", options.session_id);
  add_model(line, options);
  add_tools(line, options);
  add_places(line, options);
  add_conversation(line, options);
  add_initialize_as_flags(line, options);
  add_extra(line, options);
  // Behind the two dashes a word is the prompt, even one that reads like a flag or, together with
  // --print, like a subcommand ("doctor"): seen on 2.1.325.
  line.bare("--");
  line.bare(prompt);
  return line.take();
}

std::string_view private_value(std::string_view word) {
  for (std::string_view flag : {"--mcp-config=", "--settings="}) {
    if (!word.starts_with(flag)) continue;
    const std::string_view value = word.substr(flag.size());
    const std::size_t first = value.find_first_not_of(" \t\r\n");
    if (first != value.npos && value[first] == '{') return value;
  }
  return {};
}

std::string_view legacy_warning(const Options& options) {
  const bool ignores = asks_for_permission(options) || !options.hooks.empty() ||
                       !options.mcp_servers.in_process().empty();
  return ignores ? kLegacyWarning : std::string_view();
}

}  // namespace claude::launch
