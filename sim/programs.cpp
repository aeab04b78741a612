// Tables, as far as they were seen on the CLI.
#include "programs.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

namespace claude::sim {
namespace {

using Names = std::set<std::string, std::less<>>;

bool is_option(const std::string& word) {
  return word.starts_with("-");
}

bool has_word(const Part& part, const std::string& word) {
  return std::ranges::find(part.words, word) != part.words.end();
}

bool has_arguments(const Part& part, std::size_t from) {
  return std::any_of(part.words.begin() + static_cast<std::ptrdiff_t>(from), part.words.end(),
                     [](const std::string& word) { return !is_option(word); });
}

// The part that `timeout 5` or `xargs` runs.
Part run_by(const Part& part, std::size_t words) {
  Part inner = part;
  inner.words.erase(inner.words.begin(), inner.words.begin() + static_cast<std::ptrdiff_t>(words));
  return inner;
}

bool git_only_looks(const Part& part) {
  static const Names kAlways{"status", "log",       "diff",     "show",
                             "blame",  "rev-parse", "ls-files", "shortlog"};
  static const Names kAlone{"branch", "tag", "remote"};
  if (part.words.size() < 2) return false;
  const std::string& what = part.words[1];
  if (what == "stash") return part.words.size() > 2 && part.words[2] == "list";
  return kAlways.contains(what) || (kAlone.contains(what) && !has_arguments(part, 2));
}

bool is_plain_word(const std::string& word) {
  return !word.empty() && std::islower(static_cast<unsigned char>(word[0])) &&
         std::ranges::all_of(
             word, [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '-'; });
}

// A rule for what these begin with would cover everything.
bool runs_others(const std::string& program) {
  static const Names kPrograms{"sudo",  "time", "nohup", "nice", "env",
                               "xargs", "bash", "sh",    "zsh",  "exec"};
  return kPrograms.contains(program) || program.find('=') != program.npos;
}

bool is_harmless(const std::string& assignment) {
  static const Names kLocales{"LANG", "LC_ALL", "LC_CTYPE"};
  static const Names kNames{"ANTHROPIC_API_KEY",
                            "BLOCKSIZE",
                            "BLOCK_SIZE",
                            "CGO_ENABLED",
                            "CHARSET",
                            "CI",
                            "COLORTERM",
                            "COLUMNS",
                            "FORCE_COLOR",
                            "GCC_COLORS",
                            "GO111MODULE",
                            "GOARCH",
                            "GOEXPERIMENT",
                            "GOOS",
                            "GREP_COLOR",
                            "GREP_COLORS",
                            "LANGUAGE",
                            "LC_TIME",
                            "LSCOLORS",
                            "LS_COLORS",
                            "NODE_ENV",
                            "NO_COLOR",
                            "PYTEST_DEBUG",
                            "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
                            "PYTHONDONTWRITEBYTECODE",
                            "PYTHONUNBUFFERED",
                            "RUST_BACKTRACE",
                            "RUST_LOG",
                            "TERM",
                            "TIME_STYLE",
                            "TZ"};
  const std::size_t at = assignment.find('=');
  const std::string name = assignment.substr(0, at);
  const std::string value = assignment.substr(at + 1);
  const bool is_locale = !value.empty() && std::isalpha(static_cast<unsigned char>(value[0]));
  return kNames.contains(name) || (kLocales.contains(name) && is_locale);
}

std::string without_first(std::string command, bool (*goes)(const std::string& assignment)) {
  for (;;) {
    const std::size_t end = command.find(' ');
    const std::string word = command.substr(0, end);
    if (end == command.npos || !is_assignment(word) || !goes(word)) return command;
    command.erase(0, end + 1);
  }
}

bool sed_prints(const Part& part) {
  return has_word(part, "-n") && !has_word(part, "-i");
}

}  // namespace

bool changes_files(const std::string& program) {
  static const Names kPrograms{"touch", "mkdir", "rm", "rmdir", "cp", "mv", "sed", "tee"};
  return kPrograms.contains(program);
}

std::string looks_at_files(const Part& part) {
  static const std::map<std::string, std::string, std::less<>> kWords{
      {"awk", "process text from files in"},
      {"base64", "encode/decode files from"},
      {"cat", "concatenate files from"},
      {"cd", "change directories to"},
      {"column", "format files from"},
      {"cut", "extract columns from files in"},
      {"diff", "compare files from"},
      {"file", "examine file types in"},
      {"find", "search files in"},
      {"git", "access files with git from"},
      {"grep", "search for patterns in files from"},
      {"head", "read the beginning of files from"},
      {"hexdump", "display hex dump of files from"},
      {"jq", "process JSON from files in"},
      {"ls", "list files in"},
      {"md5sum", "compute MD5 checksums for files in"},
      {"nl", "number lines in files from"},
      {"od", "display octal dump of files from"},
      {"paste", "merge files from"},
      {"rev", "read files (reversed lines) from"},
      {"rg", "search for patterns in files from"},
      {"sed", "edit files in"},
      {"sha1sum", "compute SHA-1 checksums for files in"},
      {"sha256sum", "compute SHA-256 checksums for files in"},
      {"sort", "sort contents of files from"},
      {"stat", "read file stats from"},
      {"strings", "extract strings from files in"},
      {"tac", "read files (reversed) from"},
      {"tail", "read the end of files from"},
      {"uniq", "filter duplicate lines from files in"},
      {"wc", "count lines/words/bytes in files from"}};
  const auto found = kWords.find(part.words.at(0));
  return found == kWords.end() ? "" : found->second;
}

bool only_looks(const Part& part) {
  static const Names kPrograms{
      "[",       "[[",        "arch",  "base64", "basename", "cat",  "cd",      "column",
      "cut",     "date",      "df",    "diff",   "dirname",  "du",   "echo",    "expr",
      "false",   "file",      "find",  "free",   "grep",     "head", "hexdump", "history",
      "id",      "jq",        "ls",    "man",    "md5sum",   "nl",   "nproc",   "od",
      "paste",   "printf",    "ps",    "pwd",    "readlink", "rev",  "rg",      "realpath",
      "sha1sum", "sha256sum", "seq",   "sleep",  "sort",     "stat", "strings", "tac",
      "tail",    "test",      "tr",    "tree",   "true",     "type", "uname",   "uptime",
      "wc",      "which",     "whoami"};
  static const Names kAlone{"hostname", "uniq"};
  static const Names kVersioned{"python", "python3", "node"};
  if (part.words.empty()) return !part.variables.empty();
  if (!sets_nothing_odd(part)) return false;
  const std::string& program = part.words[0];
  const std::string second = part.words.size() > 1 ? part.words[1] : "";
  if (part.words.size() > 2 && program == "timeout") return only_looks(run_by(part, 2));
  if (part.words.size() > 1 && program == "xargs") return only_looks(run_by(part, 1));
  if (program == "git") return git_only_looks(part);
  if (program == "sed") return sed_prints(part);
  if (program == "docker") return second == "ps" || second == "images";
  if (kVersioned.contains(program)) return second == "--version" || second == "-v";
  if (kAlone.contains(program)) return !has_arguments(part, 1);
  if ((program == "sort" && has_word(part, "-o")) || (program == "date" && has_word(part, "-s")))
    return false;
  return kPrograms.contains(program);
}

bool only_looks(const std::string& text) {
  const Command command = read_command(text);
  const auto looks = [](const Part& part) { return part.writes.empty() && only_looks(part); };
  return command.unreadable.empty() && !command.background && !command.nested &&
         std::ranges::all_of(command.parts, looks);
}

std::vector<std::string> files_of(const Part& part) {
  static const Names kPatternFirst{"grep", "rg", "jq", "awk"};
  const std::string& program = part.words.at(0);
  std::vector<std::string> files(part.words.begin() + 1, part.words.end());
  if (program == "find")
    files.erase(std::ranges::find_if(files, is_option), files.end());
  else
    std::erase_if(files, is_option);
  if (program == "sed" && !files.empty()) return {files.back()};
  if ((kPatternFirst.contains(program) || program == "git") && !files.empty())
    files.erase(files.begin());
  return files;
}

std::vector<std::string> files_read_by(const Part& part) {
  std::vector<std::string> files = part.reads;
  if (part.words.empty()) return files;
  std::vector<std::string> named = files_of(part);
  const bool copies = part.words[0] == "cp" || part.words[0] == "mv";
  if (copies && !named.empty()) named.pop_back();
  if (copies || !looks_at_files(part).empty())
    files.insert(files.end(), named.begin(), named.end());
  return files;
}

std::vector<std::string> files_changed_by(const Part& part) {
  std::vector<std::string> files = part.writes;
  if (part.words.empty() || !changes_files(part.words[0]) || only_looks(part)) return files;
  const std::vector<std::string> named = files_of(part);
  files.insert(files.end(), named.begin(), named.end());
  return files;
}

bool sets_nothing_odd(const Part& part) {
  return std::ranges::all_of(part.variables, is_harmless);
}

bool sets_a_place(const Part& part) {
  static const Names kPlaces{"OLDPWD", "PWD", "TEMP", "TMP", "TMPDIR"};
  return std::ranges::any_of(part.variables, [](const std::string& assignment) {
    return kPlaces.contains(assignment.substr(0, assignment.find('=')));
  });
}

std::string without_harmless_variables(std::string command) {
  return without_first(std::move(command), is_harmless);
}

std::string without_variables(std::string command) {
  return without_first(std::move(command), [](const std::string&) { return true; });
}

std::string uncoverable(const Part& part) {
  static const Names kEvaluates{"source", ".", "eval", "exec"};
  const std::string& program = part.words.at(0);
  if (kEvaluates.contains(program)) return "'" + program + "' evaluates arguments as shell code";
  if (program != "find") return {};
  for (const std::string& word : part.words)
    if (word == "-delete" || word == "-exec" || word == "-execdir" || word == "-ok")
      return "find with '" + word +
             "' executes commands or modifies files — cannot be auto-allowed by a Bash(find:*) "
             "prefix rule";
  return {};
}

std::string offered_rule(const std::string& command) {
  std::istringstream stream(without_harmless_variables(command));
  std::string first, second;
  stream >> first >> second;
  return is_plain_word(second) && !runs_others(first) ? first + " " + second + " *" : command;
}

}  // namespace claude::sim
