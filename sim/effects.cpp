// What a tool does once it may run. Files are really touched; commands are never run.
#include <filesystem>
#include <fstream>
#include <utility>

#include "batch.h"
#include "dialogs.h"
#include "shell.h"
#include "turn.h"

namespace claude::sim {
namespace {

std::string joined_answers(const Json& input, bool& free_text) {
  const Json& answers = member(input, "answers");
  const Json& annotations = member(input, "annotations");
  std::string text;
  for (const Json& question : member(input, "questions")) {
    const std::string asked = text_of(question, "question");
    const Json& answer = member(answers, asked.c_str());
    if (answer.is_null()) continue;
    std::string said = answer.is_string() ? answer.get<std::string>() : "";
    if (answer.is_array())
      for (const Json& one : answer)
        said += (said.empty() ? "" : ",") + (one.is_string() ? one.get<std::string>() : dump(one));
    std::string rest = said;
    for (const Json& option : member(question, "options")) {
      const std::string label = text_of(option, "label");
      if (const std::size_t at = rest.find(label); !label.empty() && at != rest.npos)
        rest.erase(at, label.size());
    }
    free_text |= rest.find_first_not_of(", ") != rest.npos;
    text += (text.empty() ? "\"" : ", \"") + asked + "\"=\"" + said + "\"";
    const std::string notes = text_of(member(annotations, asked.c_str()), "notes");
    if (!notes.empty()) text += " notes: " + notes;
    free_text |= !notes.empty();
  }
  return text;
}

ToolOutcome answer_questions(const Json& input) {
  ToolOutcome outcome;
  outcome.id_at_end = true;
  bool free_text = false;
  const std::string answers = joined_answers(input, free_text);
  if (answers.empty())
    outcome.content = "The user did not answer the questions.";
  else if (free_text)
    outcome.content = "The user answered: " + answers +
                      ". Read the answers carefully — they may request clarification, changes, or "
                      "that you not proceed — and follow what they actually say.";
  else
    outcome.content = "Your questions have been answered: " + answers +
                      ". You can now continue with these answers in mind.";
  outcome.result["questions"] = member(input, "questions");
  outcome.result["answers"] = has(input, "answers") ? input["answers"] : Json::object();
  if (has(input, "annotations")) outcome.result["annotations"] = input["annotations"];
  return outcome;
}

// The shell stays where a command leaves it, unless that is outside of the session's folders. Gives
// what is said of that.
std::string follow_cd(Session& session, const std::string& command) {
  for (const Part& part : read_command(command).parts) {
    if (part.words.size() != 2 || part.words[0] != "cd") continue;
    const std::string path = absolute(part.words[1], session.cwd);
    if (std::error_code none; !std::filesystem::is_directory(path, none)) continue;
    session.cwd = session.permissions.covers(path) ? path : session.permissions.root;
    if (session.cwd != path) return "Shell cwd was reset to " + session.cwd;
  }
  return {};
}

ToolOutcome bash(Session& session, const ToolCall& call, bool of_agent) {
  const std::string command = text_of(call.input, "command");
  const std::string said =
      has(call.step, "output") ? text_of(call.step, "output") : echoed(command);
  ToolOutcome outcome;
  outcome.says_ok = true;
  const std::string note = of_agent ? "" : follow_cd(session, command);
  const std::string told = said.empty() || note.empty() ? said + note : said + "\n" + note;
  outcome.content = told.empty() ? "(Bash completed with no output)" : told;
  outcome.result["stdout"] = said;
  outcome.result["stderr"] = note.empty() ? "" : "\n" + note;
  outcome.result["interrupted"] = false;
  outcome.result["isImage"] = false;
  outcome.result["noOutputExpected"] = prints_nothing(command);
  return outcome;
}

ToolOutcome scripted(const ToolCall& call) {
  ToolOutcome outcome;
  outcome.content = has(call.step, "output") ? call.step["output"] : Json("ok");
  outcome.result = outcome.content;
  return outcome;
}

void set_mode(Session& session, const char* mode) {
  if (session.permissions.mode == mode) return;
  session.permissions.set_mode(mode);
  Json line = system_line("status");
  line["status"] = nullptr;
  line["permissionMode"] = mode;
  session.send_signed(line);
}

ToolOutcome enter_plan_mode(Session& session) {
  set_mode(session, "plan");
  const std::string message =
      "Entered plan mode. You should now focus on exploring the codebase and designing an "
      "implementation approach.";
  ToolOutcome outcome;
  outcome.id_at_end = true;
  outcome.content = message + "\n\nIn plan mode, you should: explore, then present a plan.";
  outcome.result["message"] = message;
  return outcome;
}

// A host that wrote the plan anew sees it kept; one that set a mode has ended this one already.
ToolOutcome exit_plan_mode(Session& session, const Json& input) {
  if (session.permissions.mode == "plan") set_mode(session, "default");
  const std::string file = plan_file(session);
  const Json& plan = member(input, "plan");
  ToolOutcome outcome;
  outcome.id_at_end = true;
  outcome.content = "User has approved exiting plan mode. You can now proceed.";
  outcome.result["plan"] = plan;
  outcome.result["isAgent"] = false;
  outcome.result["filePath"] = file;
  if (!plan.is_string()) return outcome;
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
  std::ofstream(file) << plan.get<std::string>();
  outcome.content =
      "User has approved your plan. You can now start coding. Start with updating your todo list "
      "if applicable\n\nYour plan has been saved to: " +
      file +
      "\nYou can refer back to it if needed during implementation.\n\n## Approved Plan (edited by "
      "user):\n" +
      plan.get<std::string>();
  outcome.result["planWasEdited"] = true;
  return outcome;
}

// The model is given the skill's text.
ToolOutcome launch_skill(Session& session, Turn& turn, const Json& input) {
  const std::string name = text_of(input, "skill");
  ToolOutcome outcome;
  outcome.content = "Launching skill: " + name;
  outcome.result["success"] = true;
  outcome.result["commandName"] = name;
  const auto folder = session.settings.skill_folders.find(name);
  if (folder == session.settings.skill_folders.end()) return outcome;
  std::string text = skill_text(folder->second);
  constexpr std::string_view kArguments = "$ARGUMENTS";
  if (const std::size_t at = text.find(kArguments); at != text.npos)
    text.replace(at, kArguments.size(), text_of(input, "args"));
  const Json block = text_block("Base directory for this skill: " + folder->second + "\n\n" + text);
  outcome.afterwards = [&session, &turn, block] {
    const Agent nobody;
    Json line = user_line(session, nobody, Json::array({block}));
    line["isSynthetic"] = true;
    session.send(line);
    ++turn.user_lines;
  };
  return outcome;
}

// On the CLI a command is a process: a file that is read beside it is done before, and so is the
// greeting of a server, unless the host takes very long.
Task<void> take_a_process_time(Session& session, Turn& turn, ToolBatch& batch) {
  const Time until = Clock::now() + std::chrono::milliseconds(100);
  co_await session.mcp.wait_until(until, turn.abort);
  co_await batch.until_files_are_read(until);
}

}  // namespace

bool fits_schema(const std::string& tool, const Json& input) {
  const auto text = [&](const char* key) { return member(input, key).is_string(); };
  if (!input.is_object()) return false;
  if (tool == "Bash") return text("command");
  if (tool == "Read") return text("file_path");
  if (tool == "Write") return text("file_path") && text("content");
  if (tool == "Edit") return text("file_path") && text("old_string") && text("new_string");
  if (tool == "AskUserQuestion") return member(input, "questions").is_array();
  return true;
}

Json normalised_input(const std::string& tool, Json input, const std::string& cwd) {
  if (tool == "ExitPlanMode") return Json::object();
  if (member(input, "file_path").is_string() && !tool.starts_with("mcp__"))
    input["file_path"] = absolute(text_of(input, "file_path"), cwd);
  if (tool == "Edit" && !has(input, "replace_all")) input["replace_all"] = false;
  if (tool != "AskUserQuestion" || !member(input, "questions").is_array()) return input;
  for (Json& question : input["questions"]) {
    Json ordered = Json::object();
    for (const char* key : {"question", "header", "options"})
      if (has(question, key)) ordered[key] = question[key];
    ordered["multiSelect"] = flag_of(question, "multiSelect");
    question = ordered;
  }
  return input;
}

Task<ToolOutcome> perform(Session& session, Turn& turn, ToolCall call, ToolBatch& batch) {
  const std::string& tool = call.name;
  if (tool == "Agent" || tool == "Task") {
    ToolOutcome report = co_await run_agent(session, turn, call, batch);
    co_return report;
  }
  if (tool == "Bash" && flag_of(call.input, "run_in_background"))
    co_return start_background_bash(session, call);
  session.permissions.shell_ran |= tool == "Bash";
  const long long sleeps = tool == "Bash" ? slept_ms(text_of(call.input, "command")) : 0;
  if (const long long takes = number_of(call.step, "takes_ms", sleeps); takes > 0)
    co_await Wait(session.loop, nullptr, &turn.abort,
                  Clock::now() + std::chrono::milliseconds(takes));
  if (tool == "Bash") co_await take_a_process_time(session, turn, batch);
  std::string bare;
  if (McpServer* server = session.mcp.find_tool(tool, bare)) {
    ToolOutcome answer = co_await session.mcp.call(*server, bare, call.input, call.id, turn.abort);
    co_return answer;
  }
  if (tool == "EnterWorktree") {
    ToolOutcome entered = co_await enter_worktree(session, turn, call.input);
    co_return entered;
  }
  if (tool == "ExitWorktree") {
    ToolOutcome left = co_await exit_worktree(session, turn, call.input);
    co_return left;
  }
  ToolOutcome outcome;
  if (has(call.step, "error"))
    outcome = tool_failure(text_of(call.step, "error", "the tool failed"));
  else if (tool == "Bash")
    outcome = bash(session, call, !batch.agent().id.empty());
  else if (tool == "AskUserQuestion")
    outcome = answer_questions(call.input);
  else if (tool == StructuredOutput::kTool)
    outcome = turn.structured.take(session.schema, call.input);
  else if (tool == "Skill" && !has(call.step, "output"))
    outcome = launch_skill(session, turn, call.input);
  else if (tool == "EnterPlanMode")
    outcome = enter_plan_mode(session);
  else if (tool == "ExitPlanMode")
    outcome = exit_plan_mode(session, call.input);
  else if (has(call.step, "output"))
    outcome = scripted(call);
  else if (tool == "Read")
    outcome = session.files.read(call.input, session.cwd);
  else if (tool == "Write")
    outcome = session.files.write(call.input, session.cwd);
  else if (tool == "Edit")
    outcome = session.files.edit(call.input, session.cwd);
  else
    outcome = scripted(call);
  if (has(call.step, "result")) outcome.result = call.step["result"];
  co_return outcome;
}

}  // namespace claude::sim
