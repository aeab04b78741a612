// Rules first, then the mode, then what each tool asks for.
#include "permissions.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "offers.h"

namespace claude::sim {
namespace {

using Verdict = Decision::Verdict;

bool glob(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*')
    return glob(pattern.substr(1), text) || (!text.empty() && glob(pattern, text.substr(1)));
  return !text.empty() && pattern[0] == text[0] && glob(pattern.substr(1), text.substr(1));
}

// What holds for all of a folder holds for the folder, too.
bool path_matches(const std::string& pattern, const std::string& path) {
  return glob(pattern, path) || pattern == path + "/**";
}

bool content_matches(const std::string& content, const std::string& command) {
  if (content.ends_with(":*")) {
    const std::string words = content.substr(0, content.size() - 2);
    return command == words || command.starts_with(words + " ");
  }
  if (content.ends_with(" *") && command == content.substr(0, content.size() - 2)) return true;
  return glob(content, command);
}

bool tool_matches(const std::string& rule, const std::string& tool) {
  if (rule == tool) return true;
  if (!rule.starts_with("mcp__")) return false;
  return glob(rule, tool) || tool.starts_with(rule + "__");
}

std::string host_of(const std::string& url) {
  const std::size_t begin = url.find("://");
  const std::string rest = begin == url.npos ? url : url.substr(begin + 3);
  return rest.substr(0, rest.find_first_of("/:?"));
}

const std::string kEdit = "Edit";
const std::set<std::string, std::less<>> kEditors{"Write", "Edit", "NotebookEdit"};

bool is_of_files(const std::string& tool) {
  return tool == "Read" || kEditors.contains(tool);
}

// The tool would not touch the file.
Decision refused(const std::string& message) {
  Decision decision = denied(message, "rule");
  decision.by_tool = true;
  return decision;
}

// Of a question in a mode that asks nothing. A hook may still allow the call.
Decision not_asked(const std::string& tool) {
  Decision decision = denied("Permission to use " + tool +
                                 " has been denied because Claude Code is running in don't ask "
                                 "mode. IMPORTANT: do not try to work around this denial.",
                             "mode");
  decision.firm = false;
  return decision;
}

}  // namespace

std::string subject_of(const std::string& tool, const Json& input, const std::string& cwd) {
  if (tool == "Bash") return text_of(input, "description", text_of(input, "command"));
  if (tool == "Agent") return text_of(input, "description");
  if (tool == "WebFetch") return text_of(input, "url");
  if (tool == "WebSearch") return text_of(input, "query");
  const std::string file = text_of(input, "file_path", text_of(input, "notebook_path"));
  if (file.empty() || tool.starts_with("mcp__")) return {};
  const std::string path = absolute(file, cwd);
  return path != cwd && is_inside(path, cwd) ? path.substr(cwd.size() + 1) : path;
}

bool is_permission_mode(const std::string& mode) {
  static const std::set<std::string, std::less<>> kModes{
      "acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"};
  return kModes.contains(mode);
}

std::string absolute(const std::string& path, const std::string& cwd) {
  const std::string whole = path.starts_with("/") ? path : cwd + "/" + path;
  std::vector<std::string> parts;
  std::string part;
  for (char c : whole + "/") {
    if (c != '/') {
      part += c;
      continue;
    }
    if (part == ".." && !parts.empty()) parts.pop_back();
    if (!part.empty() && part != "." && part != "..") parts.push_back(part);
    part.clear();
  }
  std::string clean;
  for (const std::string& each : parts) clean += "/" + each;
  return clean.empty() ? "/" : clean;
}

bool is_inside(const std::string& path, const std::string& cwd) {
  return path == cwd || path.starts_with(cwd == "/" ? cwd : cwd + "/");
}

void Permissions::set_mode(const std::string& new_mode, bool by_answer) {
  if (new_mode == mode) return;
  mode = new_mode;
  asks_in_plan = by_answer;
}

bool Permissions::covers(const std::string& path) const {
  const auto holds = [&](const Folder& folder) { return is_inside(path, folder.path); };
  return is_inside(path, root) || std::ranges::any_of(added, holds);
}

void Permissions::add_rule(const std::string& behavior, const std::string& rule,
                           const std::string& source) {
  const std::size_t open = rule.find('(');
  Rule one{behavior, rule.substr(0, open), "", source, rule};
  if (open != rule.npos && rule.ends_with(')'))
    one.content = rule.substr(open + 1, rule.size() - open - 2);
  if (one.content == "*") one.text = one.tool;
  rules_.push_back(std::move(one));
}

const Permissions::Rule* Permissions::find(const std::string& behavior, const std::string& tool,
                                           const Json& input, const std::string& cwd) const {
  const std::string command = text_of(input, "command");
  const std::string path = text_of(input, "file_path");
  for (const Rule& rule : rules_) {
    const bool whole = rule.content.empty() || rule.content == "*";
    // A path stands in a rule of Read, or in one of Edit, which all that write obey.
    const std::string& named = !whole && kEditors.contains(tool) ? kEdit : tool;
    if (rule.behavior != behavior || !tool_matches(rule.tool, named)) continue;
    if (whole) return &rule;
    if (!command.empty() && content_matches(rule.content, command)) return &rule;
    const std::string pattern =
        rule.content.starts_with("//") ? rule.content.substr(1) : absolute(rule.content, root);
    if (!path.empty() && path_matches(pattern, absolute(path, cwd))) return &rule;
    if (tool == "WebFetch" && rule.content == "domain:" + host_of(text_of(input, "url")))
      return &rule;
  }
  return nullptr;
}

Decision Permissions::decide_file(const std::string& tool, const Json& input,
                                  const std::string& cwd) const {
  const std::string given = text_of(input, "file_path", text_of(input, "notebook_path"));
  const std::string path = absolute(given, cwd);
  const bool inside = covers(path);
  const bool edits = kEditors.contains(tool);
  if (inside && (!edits || mode == "acceptEdits")) return allowed("mode");
  if (!edits && mode == "plan") return allowed("mode");
  Decision decision;
  decision.message = "Claude requested permissions to " +
                     std::string(edits ? "write to " : "read ") + path +
                     ", but you haven't granted it yet.";
  Json& fields = decision.ask_fields;
  fields["description"] = subject_of(tool, input, cwd);
  if (mode == "plan" && edits) {
    fields["decision_reason_type"] = "mode";
    return decision;
  }
  Json suggestions = Json::array();
  if (edits) suggestions.push_back(mode_offer("acceptEdits"));
  if (edits && !inside) suggestions.push_back(directory_offer(parent_of(path)));
  if (!edits) suggestions.push_back(rule_offer("Read", "/" + parent_of(path) + "/**", "session"));
  fields["permission_suggestions"] = suggestions;
  if (!inside) {
    fields["decision_reason"] = "Path is outside allowed working directories";
    fields["decision_reason_type"] = "workingDir";
  }
  fields["server_policy_ask_only"] = !names_files();
  return decision;
}

// Is there a rule that might have asked or refused?
bool Permissions::names_files() const {
  return std::ranges::any_of(rules_, [](const Rule& rule) {
    return (rule.behavior == "ask" && is_of_files(rule.tool)) ||
           (rule.behavior == "deny" && rule.tool == "Write");
  });
}

// A rule wants the question. A tool that would ask anyway does so in its own words.
Decision Permissions::ask_by(const Rule& rule, const std::string& tool, const Json& input,
                             const std::string& cwd) const {
  Decision decision;
  const bool asks_itself = mode == "default" || mode == "bypassPermissions";
  if (kEditors.contains(tool) && rule.content.empty() && asks_itself)
    decision = decide_file(tool, input, cwd);
  const bool asks_anyway = !decision.ask_fields.empty() || tool == "WebFetch";
  decision.message =
      "Claude requested permissions to use " + tool + ", but you haven't granted it yet.";
  Json& fields = decision.ask_fields;
  if (const std::string what = subject_of(tool, input, cwd); !what.empty())
    fields["description"] = what;
  if (asks_anyway && rule.content.empty()) {
    fields.erase("permission_suggestions");
    fields["matched_ask_rule"]["source"] = rule.source;
    fields["matched_ask_rule"]["tool_name"] = rule.tool;
  } else if (!asks_anyway) {
    fields["decision_reason_type"] = "rule";
    fields["decision_reason_rule_source"] = rule.source;
  }
  if (tool != "WebFetch") fields["server_policy_ask_only"] = false;
  return decision;
}

Decision Permissions::decide(const std::string& tool, const Json& input,
                             const std::string& cwd) const {
  static const std::set<std::string, std::less<>> kFree{"Agent", "Task",       "TodoWrite", "Glob",
                                                        "Grep",  "ToolSearch", "TaskStop"};
  Decision decision;
  decision.message =
      "Claude requested permissions to use " + tool + ", but you haven't granted it yet.";
  if (tool == "AskUserQuestion" || tool == "ExitPlanMode") {
    decision.ask_fields["requires_user_interaction"] = true;
    decision.firm = true;
    return decision;  // asked in every mode
  }
  if (tool == "Bash")
    if (const std::string command = denied_command(text_of(input, "command"), cwd);
        !command.empty())
      return denied("Permission to use Bash with command " + command + " has been denied.",
                    "subcommandResults");
  if (const Rule* rule = find("deny", tool, input, cwd)) {
    if (is_of_files(tool) && !rule->content.empty())
      return refused("File is in a directory that is denied by your permission settings.");
    decision = denied("Permission to use " + tool + " has been denied.", "rule");
    if (rule->source == "session") decision.source = "user_reject";
    return decision;
  }
  if (kEditors.contains(tool) && find("deny", "Read", input, cwd))
    return refused(
        "File is covered by a Read deny rule in your permission settings and cannot be " +
        std::string(tool == "Write" ? "written." : "edited."));
  if (const Rule* rule = find("ask", tool, input, cwd)) {
    decision = mode == "dontAsk" ? not_asked(tool) : ask_by(*rule, tool, input, cwd);
    decision.firm = true;
    return decision;
  }
  if (mode == "bypassPermissions" || mode == "auto") return allowed("mode");
  const Rule* rule = find("allow", tool, input, cwd);
  if (!rule && tool == "Read") {  // a path that may be edited
    rule = find("allow", kEdit, input, cwd);
    if (rule && (rule->content.empty() || rule->content == "*")) rule = nullptr;
  }
  if (rule) {
    const bool whole =
        rule->content.empty() || rule->content == "*" || rule->content == text_of(input, "command");
    if (tool != "Bash" || whole)  // else each part of the command has to be covered
      return allowed("rule", rule->source == "session" ? "user_temporary" : "config");
  }
  if (tool == "StructuredOutput" || tool == "Skill" || tool == "EnterPlanMode" ||
      tool.ends_with("Worktree"))
    return allowed("");
  if (kFree.contains(tool)) return allowed("other");
  if (tool == "Bash") {
    decision = decide_bash(input, cwd);
    if (mode == "plan" && !asks_in_plan && decision.verdict == Verdict::ask)
      decision = denied(
          "Auto mode is unavailable: its safety check does not run for this session, so "
          "Bash was not run. Other actions that need the check will be denied too, and "
          "retrying won't help. Finish what you can without them, then tell the user "
          "what is blocked and that they can switch to another permission mode.",
          "classifier");
  } else if (kEditors.contains(tool) || tool == "Read") {
    decision = decide_file(tool, input, cwd);
  } else if (tool.starts_with("mcp__") && mode == "plan") {
    decision.ask_fields["decision_reason_type"] = "mode";
  } else if (tool.starts_with("mcp__")) {
    Json suggestions = Json::array({rule_offer(tool, "", "localSettings")});
    decision.ask_fields["permission_suggestions"] = suggestions;
    decision.ask_fields["server_policy_ask_only"] = true;
  } else if (tool == "WebFetch") {
    decision.ask_fields["description"] = subject_of(tool, input, cwd);
    // The CLI builds this one elsewhere, in another order of keys.
    Json update = Json::object();
    update["type"] = "addRules";
    update["destination"] = "localSettings";
    update.update(rule_offer(tool, "domain:" + host_of(text_of(input, "url")), "localSettings"));
    decision.ask_fields["permission_suggestions"] = Json::array({update});
  } else if (tool == "WebSearch") {
    decision.ask_fields["description"] = subject_of(tool, input, cwd);
    decision.ask_fields["permission_suggestions"] =
        Json::array({rule_offer(tool, "", "localSettings")});
  }
  if (mode == "dontAsk" && decision.verdict == Verdict::ask) return not_asked(tool);
  decision.firm |= mode == "plan" && decision.verdict == Verdict::ask;
  return decision;
}

std::string Permissions::apply(const Json& updates) {
  std::string new_mode;
  if (!updates.is_array()) return new_mode;
  for (const Json& update : updates) {
    const std::string type = text_of(update, "type");
    const std::string wanted = text_of(update, "mode");
    const bool may_be = wanted != "bypassPermissions" || bypass_allowed;
    if (type == "setMode" && is_permission_mode(wanted) && may_be) {
      new_mode = wanted;
      set_mode(wanted, true);
    }
    if (type == "addDirectories")
      for (const Json& directory : member(update, "directories"))
        added.push_back({directory, text_of(update, "destination")});
    if (type == "removeDirectories")
      for (const Json& directory : member(update, "directories"))
        std::erase_if(added, [&](const Folder& folder) { return Json(folder.path) == directory; });
    const bool adds = type == "addRules" || type == "replaceRules";
    if ((!adds && type != "removeRules") || !member(update, "rules").is_array()) continue;
    // The CLI writes the other destinations to files; projectSettings take effect later only.
    const std::string destination = text_of(update, "destination");
    const std::string behavior = text_of(update, "behavior", "allow");
    if (destination == "projectSettings") continue;
    const auto is_of = [&](const Rule& rule) {
      return rule.source == destination && rule.behavior == behavior;
    };
    if (type == "replaceRules") std::erase_if(rules_, is_of);
    for (const Json& rule : update["rules"]) {
      const std::string tool = text_of(rule, "toolName");
      const std::string content = text_of(rule, "ruleContent");
      const std::string text = content.empty() ? tool : tool + "(" + content + ")";
      if (tool.empty()) continue;
      std::erase_if(rules_, [&](const Rule& old) { return is_of(old) && old.text == text; });
      if (adds) add_rule(behavior, text, destination);
    }
  }
  return new_mode;
}

}  // namespace claude::sim
