// What the command line and the environment make of a session.
#include "session.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "lines.h"

namespace claude::sim {
namespace {

std::string environment(const char* name, const char* otherwise = "") {
  const char* text = std::getenv(name);
  return text ? text : otherwise;
}

bool is_on(const char* name) {
  const std::string value = environment(name);
  return !value.empty() && value != "0" && value != "false";
}

std::string working_directory() {
  std::array<char, 4096> path{};
  return getcwd(path.data(), path.size()) ? path.data() : "/";
}

}  // namespace

Session::Session(Args the_args, Scenario the_scenario, Output& the_output, Loop& the_loop)
    : args(std::move(the_args)),
      scenario(std::move(the_scenario)),
      output(the_output),
      loop(the_loop),
      ids(scenario.top("seed").is_number() ? scenario.top("seed").get<std::uint64_t>() : 0) {
  output.set_cut(scenario.cut);
  cwd = working_directory();
  home = environment("HOME", "/root");
  id = args.has("--session-id")                              ? args.value("--session-id")
       : args.has("--resume") && !args.has("--fork-session") ? args.value("--resume", ids.uuid())
                                                             : ids.uuid();
  default_model = resolved_model("default");
  model = args.has("--model") ? resolved_model(args.value("--model")) : default_model;
  asks_host = args.value("--permission-prompt-tool") == "stdio" &&
              args.value("--permission-prompts") != "none";
  partial = args.has("--include-partial-messages");
  replay = args.has("--replay-user-messages");
  checkpoints = is_on("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING");
  state_events = is_on("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS") ||
                 is_on("CLAUDE_CODE_SDK_READS_SESSION_STATE");
  forward_subagent_text = args.has("--forward-subagent-text");
  const std::string mode = args.value("--permission-mode", "default");
  permissions.mode = mode == "manual" ? "default" : mode;
  bypass_allowed = args.has("--allow-dangerously-skip-permissions") ||
                   args.has("--dangerously-skip-permissions") || mode == "bypassPermissions";
  if (args.has("--dangerously-skip-permissions")) permissions.mode = "bypassPermissions";
  for (const std::string& rule : args.list("--allowedTools"))
    permissions.add_rule("allow", rule, "cliArg");
  for (const std::string& rule : args.list("--disallowedTools"))
    permissions.add_rule("deny", rule, "cliArg");
  const Json settings = Json::parse(args.value("--settings"), nullptr, false);
  for (const char* behavior : {"allow", "deny", "ask"})
    for (const Json& rule : member(member(settings, "permissions"), behavior))
      if (rule.is_string()) permissions.add_rule(behavior, rule, "flagSettings");
}

void Session::send(const Json& line) {
  output.put(dump(line) + "\n");
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

void Session::send_state(const char* state) {
  if (!state_events) return;
  Json line = system_line("session_state_changed");
  line["state"] = state;
  send_signed(line);
}

std::string Session::transcript_path() const {
  std::string folder = cwd;
  std::ranges::replace_if(folder, [](unsigned char c) { return !std::isalnum(c); }, '-');
  return home + "/.claude/projects/" + folder + "/" + id + ".jsonl";
}

std::string Session::resolved_model(const std::string& alias) const {
  if (alias.empty() || alias == "default" || alias == "opus") return "claude-opus-5-5";
  if (alias == "sonnet") return "claude-sonnet-5-5";
  if (alias == "haiku") return "claude-haiku-5-5";
  return alias;
}

std::vector<std::string> Session::tools() const {
  std::vector<std::string> list{
      "Task",           "AskUserQuestion", "Bash",         "CronCreate",
      "CronDelete",     "CronList",        "Edit",         "EnterPlanMode",
      "EnterWorktree",  "ExitPlanMode",    "ExitWorktree", "ListAgents",
      "Monitor",        "NotebookEdit",    "Read",         "ReportFindings",
      "ScheduleWakeup", "SendMessage",     "Skill",        "TaskStop",
      "ToolSearch",     "WebFetch",        "WebSearch",    "Workflow",
      "Write"};
  if (args.has("--tools") && args.value("--tools") != "default") list = args.list("--tools");
  if (!asks_host)
    for (const char* tool : {"AskUserQuestion", "EnterPlanMode", "ExitPlanMode"})
      std::erase(list, tool);
  for (const std::string& gone : args.list("--disallowedTools")) std::erase(list, gone);
  for (std::string& name : mcp.tool_names()) list.push_back(std::move(name));
  return list;
}

}  // namespace claude::sim
