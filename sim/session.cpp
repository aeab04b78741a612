// What the command line and the environment make of a session.
#include "session.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "lines.h"
#include "world.h"

namespace claude::sim {
namespace {

constexpr std::array<std::string_view, 25> kBuiltIn{
    "Task",           "AskUserQuestion", "Bash",         "CronCreate",
    "CronDelete",     "CronList",        "Edit",         "EnterPlanMode",
    "EnterWorktree",  "ExitPlanMode",    "ExitWorktree", "ListAgents",
    "Monitor",        "NotebookEdit",    "Read",         "ReportFindings",
    "ScheduleWakeup", "SendMessage",     "Skill",        "TaskStop",
    "ToolSearch",     "WebFetch",        "WebSearch",    "Workflow",
    "Write"};

bool is_on(const char* name) {
  const std::string value = variable(name);
  return !value.empty() && value != "0" && value != "false";
}

// A project that nobody has trusted may deny and ask, but not allow.
void leave_out(const Session& session, Json& permissions, const char* key) {
  const Json entries = member(permissions, key);
  if (!entries.is_array() || entries.empty()) return;
  permissions.erase(key);
  complain("Ignoring " + std::to_string(entries.size()) + " permissions." + key +
           (entries.size() == 1 ? " entry" : " entries") +
           " from .claude/settings.json: this workspace has not been trusted. Run Claude Code "
           "interactively here once and accept the trust dialog, or set projects[\"" +
           session.cwd + "\"].hasTrustDialogAccepted: true in " + session.home +
           "/.claude.json.\n");
}

void take_rules(Session& session) {
  for (const auto& [source, values] : session.settings.sources) {
    Json permissions = member(values, "permissions");
    if (source == "projectSettings")
      for (const char* key : {"allow", "additionalDirectories"})
        leave_out(session, permissions, key);
    session.permissions.replace_rules(permissions, source);
  }
  const Json& given = member(session.settings.flags, "permissions");
  session.permissions.replace_rules(given, "flagSettings");
  for (const Json& rule : member(given, "deny")) session.settings.denied.push_back(rule);
  for (const std::string& rule : session.args.list("--allowedTools"))
    session.permissions.add_rule("allow", rule, "cliArg");
  for (const std::string& rule : session.args.list("--disallowedTools"))
    session.permissions.add_rule("deny", rule, "cliArg");
}

}  // namespace

Session::Session(Args the_args, Scenario the_scenario, Output& the_output, Loop& the_loop)
    : args(std::move(the_args)),
      scenario(std::move(the_scenario)),
      output(the_output),
      loop(the_loop),
      ids(scenario.top("seed").is_number() ? scenario.top("seed").get<std::uint64_t>() : 0) {
  output.set_cut(scenario.cut);
  cwd = permissions.root = world().cwd;
  home = variable("HOME", "/root");
  const Past past = find_past(args, scenario, cwd);
  startup_problem = past.problem;
  deferred = past.deferred;
  ids.begin_after(past.length);
  id = args.has("--session-id")                        ? args.value("--session-id")
       : past.id.empty() || args.has("--fork-session") ? ids.uuid()
                                                       : past.id;
  settings = read_settings(args, cwd);
  default_model = resolved_model(settings.model);
  model = args.has("--model") ? resolved_model(args.value("--model")) : default_model;
  asks_host = args.value("--permission-prompt-tool") == "stdio" &&
              args.value("--permission-prompts") != "none";
  permissions.asks_host = asks_host;
  partial = args.has("--include-partial-messages");
  replay = args.has("--replay-user-messages");
  checkpoints = is_on("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING");
  state_events = is_on("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS");
  state_for_host = !state_events && is_on("CLAUDE_CODE_SDK_READS_SESSION_STATE");
  forward_subagent_text = args.has("--forward-subagent-text");
  if (args.has("--json-schema")) schema = parse(args.value("--json-schema"));
  const std::string mode =
      args.value("--permission-mode", settings.mode.empty() ? "default" : settings.mode);
  permissions.mode = mode == "manual" ? "default" : mode;
  permissions.bypass_allowed = args.has("--allow-dangerously-skip-permissions") ||
                               args.has("--dangerously-skip-permissions") ||
                               mode == "bypassPermissions";
  if (args.has("--dangerously-skip-permissions")) permissions.mode = "bypassPermissions";
  take_rules(*this);
  agents = settings.agents;
  if (const Json more = parse(args.value("--agents")); more.is_object()) agents.update(more);
  take_role();
  if (const auto added = args.flags.find("--add-dir"); added != args.flags.end())
    for (const std::string& directory : added->second) {
      const std::string path = absolute(directory, cwd);
      if (std::filesystem::is_directory(path) && !is_inside(path, cwd))
        permissions.added.push_back({path, "cliArg"});
    }
  files.covers = [this](const std::string& path) { return permissions.covers(path); };
  files.on_change = [this](const std::string& prompt, const std::string& path,
                           const std::optional<std::string>& content) {
    transcript.add_backup(prompt, path, content);
  };
  transcript.open(past);
  recall(*this, past);
}

void Session::send(const Json& line) {
  output.put(dump(line) + "\n");
  transcript.add_line(line);
}

void Session::exit(int code) {
  transcript.end();
  output.exit_now(code);
}

void Session::send_signed(Json line) {
  line["uuid"] = ids.uuid();
  line["session_id"] = id;
  send(line);
}

void Session::send_signed_late(Json line) {
  line["session_id"] = id;
  line["uuid"] = ids.uuid();
  send(line);
}

void Session::send_state(const char* new_state) {
  if ((!state_events && !state_for_host) || state == new_state) return;
  state = new_state;
  Json line = system_line("session_state_changed");
  line["state"] = state;
  if (state_for_host) line["sdk_host_only"] = true;
  send_signed(line);
}

void Session::rename(const std::string& new_title) {
  title = new_title;
  Json line = system_line("session_title_changed");
  line["title"] = title;
  send_signed(line);
}

void Session::debug(const std::string& text) const {
  if (args.has("--debug-to-stderr")) complain(timestamp() + " [DEBUG] " + text + "\n");
}

std::string Session::resolved_model(const std::string& alias) const {
  if (alias.empty() || alias == "default" || alias == "opus") return "claude-opus-5-5";
  if (alias == "sonnet") return "claude-sonnet-5-5";
  if (alias == "haiku") return "claude-haiku-5-5";
  return alias;
}

void Session::take_role() {
  const std::string wanted = text_of(member(agents, args.value("--agent").c_str()), "model");
  if (!wanted.empty() && wanted != "inherit" && !args.has("--model"))
    model = resolved_model(wanted);
}

bool Session::has_built_in(const std::string& tool) const {
  return std::ranges::find(kBuiltIn, tool == "Agent" ? std::string_view("Task") : tool) !=
         kBuiltIn.end();
}

std::vector<std::string> Session::tools() const {
  std::vector<std::string> list(kBuiltIn.begin(), kBuiltIn.end());
  if (args.has("--tools") && args.value("--tools") != "default") {
    const std::vector<std::string> named = args.list("--tools");
    list.insert(std::ranges::find(list, std::string("ListAgents")), {"Glob", "Grep"});
    std::erase_if(list, [&](const std::string& tool) {
      const std::string other = tool == "Task" ? "Agent" : tool;
      return std::ranges::find(named, tool) == named.end() &&
             std::ranges::find(named, other) == named.end();
    });
  }
  if (!asks_host)
    for (const char* gone : {"AskUserQuestion", "EnterPlanMode", "ExitPlanMode"})
      std::erase(list, gone);
  if (schema.is_object() && !schema_late)
    list.insert(std::ranges::find(list, std::string("TaskStop")), StructuredOutput::kTool);
  std::vector<std::string> gone = args.list("--disallowedTools");
  for (const Json& rule : settings.denied)
    if (rule.is_string()) gone.push_back(rule);
  if (std::ranges::find(gone, "Bash") != gone.end() && !args.has("--tools"))
    list.insert(std::ranges::find(list, std::string("ListAgents")), {"Glob", "Grep"});
  for (std::string& name : mcp.tool_names()) list.push_back(std::move(name));
  for (const std::string& name : gone)  // a tool, or all of a server
    std::erase_if(list, [&](const std::string& tool) {
      return tool == name || (name.starts_with("mcp__") && tool.starts_with(name + "__"));
    });
  if (schema.is_object() && schema_late) list.push_back(StructuredOutput::kTool);
  if (args.has("--agent")) list = tools_of(member(agents, args.value("--agent").c_str()), list);
  if (std::ranges::find(list, "Bash") == list.end()) std::erase(list, "Monitor");
  return list;
}

}  // namespace claude::sim
