// Tasks beside the turn, as the host hears of them, and commands that run there.
#include "tasks.h"

#include <unistd.h>

#include <string_view>

#include "shell.h"

namespace claude::sim {
namespace {

Json task_line(const char* subtype, const BackgroundTask& task) {
  Json line = system_line(subtype);
  line["task_id"] = task.id;
  line["run_id"] = task.run_id;
  return line;
}

}  // namespace

std::string output_file(const Session& session, const BackgroundTask& task) {
  const std::string transcript = session.transcript.path();
  const std::size_t name = transcript.rfind('/', transcript.rfind('/') - 1);
  const std::string project = transcript.substr(name, transcript.rfind('/') - name);
  return "/tmp/claude-" + std::to_string(getuid()) + project + "/" + session.id + "/tasks/" +
         task.id + ".output";
}

void send_task_list(Session& session) {
  Json line = system_line("background_tasks_changed");
  line["tasks"] = Json::array();
  for (const auto& task : session.tasks) {
    Json row = Json::object();
    row["task_id"] = task->id;
    row["run_id"] = task->run_id;
    row["task_type"] = task->kind;
    if (!task->agent_type.empty()) row["subagent_type"] = task->agent_type;
    row["description"] = task->description;
    line["tasks"].push_back(row);
  }
  session.send_signed(line);
}

void send_started(Session& session, const BackgroundTask& task, bool background,
                  const std::string& prompt, const Agent& parent) {
  Json line = task_line("task_started", task);
  line["tool_use_id"] = task.tool_use_id;
  line["description"] = task.description;
  if (!task.agent_type.empty()) line["subagent_type"] = task.agent_type;
  line["is_backgrounded"] = background;
  if (!task.agent_type.empty()) line["spawn_depth"] = parent.depth + 1;
  if (!parent.id.empty()) line["parent_task_id"] = parent.id;
  line["task_type"] = task.kind;
  if (!prompt.empty()) line["prompt"] = prompt;
  session.send_signed(line);
}

void send_ended(Session& session, const BackgroundTask& task, const char* state, const char* status,
                const std::string& summary) {
  Json updated = task_line("task_updated", task);
  updated["patch"]["status"] = state;
  updated["patch"]["end_time"] = wall_ms();
  if (std::string_view(state) == "failed") updated["patch"]["error"] = summary;
  session.send_signed(updated);
  Json line = task_line("task_notification", task);
  line["tool_use_id"] = task.tool_use_id;
  line["status"] = status;
  line["output_file"] = output_file(session, task);
  line["summary"] = summary;
  if (!task.agent_type.empty() && std::string_view(status) == "completed") {
    line["usage"]["total_tokens"] = task.tokens;
    line["usage"]["tool_uses"] = task.tool_uses;
    line["usage"]["duration_ms"] = 0;
  }
  session.send_signed(line);
}

std::shared_ptr<BackgroundTask> make_task(Session& session, const ToolCall& call, bool agent) {
  auto task = std::make_shared<BackgroundTask>();
  task->id = session.ids.task(agent ? 'a' : 'b');
  task->run_id = "0" + session.ids.task('r').substr(1, 8);
  task->kind = agent ? "local_agent" : "local_bash";
  task->tool_use_id = call.id;
  task->description = text_of(call.input, "description", text_of(call.input, "command"));
  if (agent) task->agent_type = text_of(call.input, "subagent_type", "general-purpose");
  return task;
}

void queue_follow_up(Session& session, const BackgroundTask& task, const Json& steps,
                     const std::string& reminder) {
  Prompt prompt;
  prompt.reminder = reminder;
  prompt.uuid = session.ids.uuid();
  prompt.text = "<task-notification>" + task.description + "</task-notification>";
  prompt.message["role"] = "user";
  prompt.message["content"] = prompt.text;
  prompt.origin["kind"] = "task-notification";
  prompt.origin["producer"] = "session-task";
  prompt.origin["runId"] = task.run_id;
  prompt.seen = session.seen.size();
  prompt.script = Script(steps.is_array() ? steps : Json::array(), "then");
  session.queue.push_back(std::move(prompt));
  session.work.open();
}

void finish(Session& session, const std::shared_ptr<BackgroundTask>& task, const char* state,
            const char* status, const std::string& summary) {
  std::erase(session.tasks, task);
  send_ended(session, *task, state, status, summary);
  send_task_list(session);
  session.work.open();
}

Json running_tasks(const Session& session) {
  Json rows = Json::array();
  for (const auto& task : session.tasks) {
    Json row = Json::object();
    row["id"] = task->id;
    row["type"] = task->agent_type.empty() ? "shell" : "subagent";
    row["status"] = "running";
    row["description"] = task->description;
    if (!task->agent_type.empty()) row["agent_type"] = task->agent_type;
    rows.push_back(row);
  }
  return rows;
}

namespace {

Task<void> background_bash(Session& session, std::shared_ptr<BackgroundTask> task, Json step,
                           long long takes_ms) {
  const auto until = Clock::now() + std::chrono::milliseconds(takes_ms);
  const Woke woke = co_await Wait(session.loop, &task->stop, nullptr, until);
  if (woke == Woke::opened) co_return;
  finish(session, task, "completed", "completed",
         "Background command \"" + task->description + "\" completed (exit code 0)");
  queue_follow_up(session, *task, member(step, "then"));
}

}  // namespace

ToolOutcome start_background_bash(Session& session, const ToolCall& call) {
  auto task = make_task(session, call, false);
  task->output = text_of(call.step, "output", echoed(text_of(call.input, "command")));
  session.tasks.push_back(task);
  send_task_list(session);
  send_started(session, *task, true, "", {});
  const long long sleeps = slept_ms(text_of(call.input, "command"));
  const long long takes_ms = number_of(call.step, "finishes_ms", sleeps);
  session.loop.spawn(background_bash(session, task, call.step, takes_ms));
  ToolOutcome outcome;
  outcome.says_ok = true;
  outcome.content = "Command running in background with ID: " + task->id +
                    ". Output is being written to: " + output_file(session, *task) +
                    ". You will be notified when it completes. To check interim output, use Read "
                    "on that file path.";
  outcome.result["stdout"] = "";
  outcome.result["stderr"] = "";
  outcome.result["interrupted"] = false;
  outcome.result["isImage"] = false;
  outcome.result["noOutputExpected"] = false;
  outcome.result["backgroundTaskId"] = task->id;
  return outcome;
}

void stop_background_task(Session& session, const std::string& task_id) {
  for (const auto& task : std::vector(session.tasks)) {
    if (task->id != task_id) continue;
    finish(session, task, "killed", "stopped", task->description);
    task->stop.open();
  }
}

void stop_commands(Session& session) {
  for (const auto& task : std::vector(session.tasks))
    if (task->agent_type.empty()) stop_background_task(session, task->id);
}

}  // namespace claude::sim
