// The table of flags: those that the official SDKs send, and those that `--help` lists.
#include "args.h"

#include <algorithm>
#include <array>
#include <utility>

namespace claude::sim {
namespace {

enum class Takes { nothing, value, maybe, several };

struct Flag {
  std::string_view name;
  Takes takes;
  std::string_view shown = "";  // how the CLI names the argument in its complaints
};

constexpr std::array kFlags{
    Flag{"--add-dir", Takes::several},
    Flag{"--agent", Takes::value},
    Flag{"--agents", Takes::value},
    Flag{"--allow-dangerously-skip-permissions", Takes::nothing},
    Flag{"--allowed-tools", Takes::several},
    Flag{"--allowedTools", Takes::several},
    Flag{"--append-system-prompt", Takes::value},
    Flag{"--append-system-prompt-file", Takes::value},
    Flag{"--autocompact", Takes::value},
    Flag{"--await-claim", Takes::nothing},
    Flag{"--await-initialize", Takes::nothing},
    Flag{"--bare", Takes::nothing},
    Flag{"--betas", Takes::several},
    Flag{"--brief", Takes::nothing},
    Flag{"--channels", Takes::several},
    Flag{"--chrome", Takes::nothing},
    Flag{"--continue", Takes::nothing},
    Flag{"--dangerously-skip-permissions", Takes::nothing},
    Flag{"--debug", Takes::maybe},
    Flag{"--debug-file", Takes::value},
    Flag{"--debug-to-stderr", Takes::nothing},
    Flag{"--disable-slash-commands", Takes::nothing},
    Flag{"--disallowed-tools", Takes::several},
    Flag{"--disallowedTools", Takes::several},
    Flag{"--effort", Takes::value},
    Flag{"--exclude-dynamic-system-prompt-sections", Takes::nothing},
    Flag{"--fallback-model", Takes::value},
    Flag{"--file", Takes::several},
    Flag{"--fork-session", Takes::nothing},
    Flag{"--forward-subagent-text", Takes::nothing},
    Flag{"--from-pr", Takes::maybe},
    Flag{"--ide", Takes::nothing},
    Flag{"--include-hook-events", Takes::nothing},
    Flag{"--include-partial-messages", Takes::nothing},
    Flag{"--init", Takes::nothing},
    Flag{"--init-only", Takes::nothing},
    Flag{"--input-format", Takes::value, "<format>"},
    Flag{"--json-schema", Takes::value},
    Flag{"--maintenance", Takes::nothing},
    Flag{"--managed-settings", Takes::value},
    Flag{"--managed-settings-in-initialize", Takes::nothing},
    Flag{"--max-budget-usd", Takes::value},
    Flag{"--max-thinking-tokens", Takes::value},
    Flag{"--max-turns", Takes::value},
    Flag{"--mcp-config", Takes::several},
    Flag{"--model", Takes::value, "<model>"},
    Flag{"--name", Takes::value},
    Flag{"--no-chrome", Takes::nothing},
    Flag{"--no-session-persistence", Takes::nothing},
    Flag{"--output-format", Takes::value, "<format>"},
    Flag{"--permission-mode", Takes::value, "<mode>"},
    Flag{"--permission-prompt-tool", Takes::value},
    Flag{"--permission-prompts", Takes::value},
    Flag{"--plugin-dir", Takes::several},
    Flag{"--plugin-dir-no-mcp", Takes::several},
    Flag{"--plugin-url", Takes::several},
    Flag{"--print", Takes::nothing},
    Flag{"--project-config-root", Takes::value},
    Flag{"--prompt-suggestions", Takes::nothing},
    Flag{"--replay-user-messages", Takes::nothing},
    Flag{"--restricted", Takes::nothing},
    Flag{"--resume", Takes::maybe},
    Flag{"--resume-drops-turn", Takes::value},
    Flag{"--resume-session-at", Takes::value},
    Flag{"--safe-mode", Takes::nothing},
    Flag{"--session-id", Takes::value, "<uuid>"},
    Flag{"--session-mirror", Takes::nothing},
    Flag{"--setting-sources", Takes::value},
    Flag{"--settings", Takes::value},
    Flag{"--strict-mcp-config", Takes::nothing},
    Flag{"--system-prompt", Takes::value},
    Flag{"--system-prompt-file", Takes::value},
    Flag{"--system-prompt-snapshot", Takes::value},
    Flag{"--task-budget", Takes::value},
    Flag{"--thinking", Takes::value},
    Flag{"--thinking-display", Takes::value},
    Flag{"--tools", Takes::several},
    Flag{"--verbose", Takes::nothing},
    Flag{"--version", Takes::nothing},
    Flag{"--workload", Takes::value},
    Flag{"--worktree", Takes::maybe},
    // Ours.
    Flag{"--replay", Takes::value},
    Flag{"--replay-match", Takes::value},
    Flag{"--sim-scenario", Takes::value},
};

std::string_view long_name(std::string_view word) {
  if (word == "-p") return "--print";
  if (word == "-v") return "--version";
  if (word == "-c") return "--continue";
  if (word == "-r") return "--resume";
  if (word == "-d") return "--debug";
  if (word == "-w") return "--worktree";
  if (word == "-n") return "--name";
  if (word == "--allowed-tools") return "--allowedTools";
  if (word == "--disallowed-tools") return "--disallowedTools";
  return word;
}

bool looks_like_flag(std::string_view word) {
  return word.size() > 1 && word[0] == '-';
}

}  // namespace

std::string Args::value(std::string_view flag, std::string_view otherwise) const {
  auto found = flags.find(flag);
  if (found == flags.end() || found->second.empty()) return std::string(otherwise);
  return found->second.back();
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  std::string item;
  int depth = 0;
  for (char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0 && (c == ',' || c == ' ')) {
      if (!item.empty()) items.push_back(std::exchange(item, {}));
    } else {
      item += c;
    }
  }
  if (!item.empty()) items.push_back(item);
  return items;
}

std::vector<std::string> Args::list(std::string_view flag) const {
  std::vector<std::string> all;
  auto found = flags.find(flag);
  if (found == flags.end()) return all;
  for (const std::string& value : found->second)
    for (std::string& item : split_list(value)) all.push_back(std::move(item));
  return all;
}

Args parse_args(const std::vector<std::string>& words) {
  Args args;
  for (std::size_t i = 0; i < words.size() && args.error.empty(); ++i) {
    const std::string_view word = words[i];
    if (word == "--") {
      args.words.insert(args.words.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                        words.end());
      break;
    }
    if (!looks_like_flag(word)) {
      args.words.emplace_back(word);
      continue;
    }
    const std::size_t equals = word.starts_with("--") ? word.find('=') : word.npos;
    const std::string name(long_name(word.substr(0, equals)));
    const auto flag = std::ranges::find(kFlags, name, &Flag::name);
    if (flag == kFlags.end()) {
      args.error = "error: unknown option '" + std::string(word.substr(0, equals)) + "'";
      break;
    }
    auto& values = args.flags[name];
    if (equals != word.npos) {
      values.emplace_back(word.substr(equals + 1));
      continue;
    }
    if (flag->takes == Takes::nothing) continue;
    const auto next_is_value = [&] {
      return i + 1 < words.size() && !looks_like_flag(words[i + 1]);
    };
    if (flag->takes == Takes::maybe) {
      if (next_is_value()) values.emplace_back(words[++i]);
    } else if (i + 1 < words.size()) {
      values.emplace_back(words[++i]);
      while (flag->takes == Takes::several && next_is_value()) values.emplace_back(words[++i]);
    } else {
      args.error = "error: option '" + name + " " +
                   std::string(flag->shown.empty() ? "<value>" : flag->shown) +
                   "' argument missing";
    }
  }
  return args;
}

}  // namespace claude::sim
