// A look at the words of a command, no more: quotes and expansions are not understood.
#include "shell.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

namespace claude::sim {
namespace {

using Names = std::set<std::string, std::less<>>;

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == text.npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin));
}

bool is_file_command(const std::string& name) {
  static const Names kCommands{"touch", "mkdir", "rm", "rmdir", "cp", "mv", "sed"};
  return kCommands.contains(name);
}

bool is_plain_word(const std::string& word) {
  return !word.empty() && std::islower(static_cast<unsigned char>(word[0])) &&
         std::ranges::all_of(
             word, [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '-'; });
}

}  // namespace

std::vector<std::string> subcommands(const std::string& command) {
  std::vector<std::string> parts;
  std::string part;
  for (std::size_t i = 0; i <= command.size(); ++i) {
    const char c = i < command.size() ? command[i] : ';';
    const bool redirection = c == '&' && i > 0 && command[i - 1] == '>';
    if ((c != ';' && c != '&' && c != '|') || redirection) {
      part += c;
      continue;
    }
    if (std::string whole = trimmed(std::exchange(part, {})); !whole.empty())
      parts.push_back(std::move(whole));
  }
  return parts;
}

std::vector<std::string> words(const std::string& command) {
  std::vector<std::string> list;
  std::string word;
  for (char c : command + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      list.push_back(std::exchange(word, {}));
    }
  }
  return list;
}

// `2>&1` and `>&2` write no file.
bool redirects(const std::string& command) {
  for (std::size_t at = command.find('>'); at != command.npos; at = command.find('>', at + 1))
    if (at + 1 >= command.size() || command[at + 1] != '&') return true;
  return false;
}

bool is_read_only(const std::string& command) {
  static const Names kHarmless{"ls",   "echo",  "cat",  "pwd",   "head", "tail",  "wc",     "grep",
                               "find", "sleep", "true", "false", "date", "which", "whoami", "for",
                               "do",   "done",  "test", "uname", "stat", "file",  "sort",   "cd"};
  static const Names kGit{"status", "log", "diff", "show", "branch"};
  const auto list = words(command);
  if (list.empty() || redirects(command)) return false;
  if (list[0] == "git" && list.size() > 1) return kGit.contains(list[1]);
  return kHarmless.contains(list[0]);
}

std::string changed_file(const std::string& command) {
  if (redirects(command)) return trimmed(command.substr(command.find_last_of('>') + 1));
  auto list = words(command);
  if (list.empty() || !is_file_command(list[0])) return {};
  const bool last = list[0] == "sed";
  std::erase_if(list, [](const std::string& word) { return word.starts_with("-"); });
  if (list.size() < 2) return {};
  return last ? list.back() : list[1];
}

std::string offered_rule(const std::string& command) {
  const auto list = words(command);
  const bool plain = list.size() > 1 && is_plain_word(list[0]) && is_plain_word(list[1]);
  return plain ? list[0] + " " + list[1] + " *" : command;
}

long long slept_ms(const std::string& command) {
  double seconds = 0;
  for (const std::string& part : subcommands(command)) {
    const auto list = words(part);
    if (list.size() == 2 && list[0] == "sleep") seconds += std::atof(list[1].c_str());
  }
  return static_cast<long long>(seconds * 1000);
}

std::string echoed(const std::string& command) {
  std::string out;
  for (const std::string& part : subcommands(command))
    if (part.starts_with("echo ") && part.find('>') == part.npos)
      out += (out.empty() ? "" : "\n") + trimmed(std::string_view(part).substr(5));
  return out;
}

bool prints_nothing(const std::string& command) {
  const auto parts = subcommands(command);
  const auto list = words(command);
  return parts.size() == 1 && is_file_command(list[0]) && list[0] != "sed" && !redirects(command);
}

}  // namespace claude::sim
