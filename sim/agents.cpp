// Subagents: from the call of the tool to the report.
#include <algorithm>
#include <map>

#include "agent_report.h"
#include "batch.h"
#include "catalog.h"
#include "endings.h"
#include "tasks.h"
#include "tool_lines.h"
#include "turn.h"
#include "world.h"

namespace claude::sim {
namespace {

Script agent_script(const ToolCall& call) {
  if (has(call.step, "agent")) return Script(call.step["agent"], "agent");
  return built_in_script(text_of(call.input, "prompt"));
}

Json& stats_of(Session& session) {
  if (session.subagent_stats.is_null()) session.subagent_stats = catalog().at("subagent_stats");
  return session.subagent_stats;
}

void add_one(Json& count) {
  count = count.is_number() ? count.get<int>() + 1 : 1;
}

void count_start(Session& session, const ToolCall& call, const BackgroundTask& task, bool aside,
                 const Agent& parent) {
  Json& stats = stats_of(session);
  const Json& said = member(call.input, "run_in_background");
  add_one(stats["spawned"]);
  add_one(stats["requested"][said == true ? "background" : said == false ? "foreground" : "unset"]);
  if (aside) add_one(stats["started_in_background"]);
  stats["max_depth"] = std::max(stats["max_depth"].get<int>(), parent.depth + 1);
  if (!parent.id.empty()) add_one(stats["spawned_by_subagents"]);
  add_one(stats["by_type"][task.agent_type]);
}

Agent agent_of(const Session& session, const ToolCall& call, const BackgroundTask& task,
               const Agent& parent) {
  Agent agent;
  agent.depth = parent.depth + 1;
  agent.id = task.id;
  agent.run_id = task.run_id;
  agent.type = task.agent_type;
  agent.description = task.description;
  agent.parent_tool_use_id = call.id;
  agent.message_id = call.message_id;
  const std::string model = text_of(member(session.agents, task.agent_type.c_str()), "model");
  agent.model = model.empty() || model == "inherit" ? "" : session.resolved_model(model);
  return agent;
}

// The SubagentStart hooks, which think while the prompt is shown. They must not outlive the turn.
struct StartHooks {
  Gate answered;
  Abort over;
};

struct StartEnd {
  StartHooks& hooks;
  ~StartEnd() { hooks.over.fire(); }
};

Task<void> call_start_hooks(Session& session, Agent agent, std::shared_ptr<StartHooks> hooks) {
  HookCall start{"SubagentStart", agent.type, Json::object(), "", &hooks->over};
  try {
    co_await session.hooks.call(session, agent, start);
  } catch (const Interrupted&) {
  }
  hooks->answered.open();
}

HookCall stop_hook(const Session& session, const Agent& agent, const std::string& report,
                   bool active, Abort* abort) {
  HookCall hook{"SubagentStop", agent.type, Json::object(), "", abort};
  hook.fields["stop_hook_active"] = active;
  hook.fields["agent_transcript_path"] = session.transcript.path_of_agent(agent.id);
  hook.fields["last_assistant_message"] = report;
  hook.fields["background_tasks"] = running_tasks(session);
  hook.fields["session_crons"] = Json::array();
  return hook;
}

// The host sees the prompt as a message of blocks; the transcript has it as it is.
void show_prompt(Session& session, const Agent& agent, const std::string& prompt,
                 const std::string& uuid) {
  Json line = user_line(session, agent, Json::array({text_block(prompt)}));
  line["uuid"] = uuid;
  session.output.put(dump(line) + "\n");
}

bool blocks(const HookReply& reply) {
  return member(reply.output, "decision") == "block";
}

bool ended_well(const AgentTally& tally) {
  return !tally.interrupted && !tally.hook_stopped && tally.failure.empty();
}

// In its own conversation. What the turn waits for says no more to the host.
void note_interrupt(Session& session, const Agent& agent) {
  const bool in_tools = agent.tally->in_tools || agent.tally->interrupted;
  const char* text =
      in_tools ? "[Request interrupted by user for tool use]" : "[Request interrupted by user]";
  const Json line = user_line(session, agent, Json::array({text_block(text)}));
  if (agent.background)
    session.send(line);
  else
    session.transcript.add_line(line);
}

// What it says up to its report. Hooks around that are no part of its conversation.
Task<std::string> report_of(Session& session, Turn& turn, const Agent& agent, Script& script) {
  try {
    std::string report = co_await converse(session, turn, agent, script);
    if (agent.tally->interrupted) note_interrupt(session, agent);
    co_return report;
  } catch (const Interrupted&) {
    if (!turn.budget_spent) note_interrupt(session, agent);
    throw;
  }
}

// A subagent from its start to its report. Where the turn waits for it, it waits itself for the end
// of the message that called it.
Task<std::string> work(Session& session, Turn& turn, const ToolCall& call, const Agent& agent,
                       BackgroundTask& task, ToolBatch* batch) {
  const auto start = std::make_shared<StartHooks>();
  const StartEnd end{*start};
  session.loop.spawn(call_start_hooks(session, agent, start));
  const std::string prompt = text_of(call.input, "prompt"), uuid = session.ids.uuid();
  if (batch) {
    co_await batch->until_heard();
    if (agent.depth == 1) show_prompt(session, agent, prompt, uuid);
    co_await batch->until_said();
  }
  co_await Wait(session.loop, &start->answered, &turn.abort, std::nullopt);
  if (agent.background) {  // the result of its tool comes first, and hooks hear of that
    co_await Yield(session.loop);
    if (session.hooks.any("PostToolBatch")) co_await Yield(session.loop);
  }
  session.transcript.add_prompt_of_agent(agent.id, prompt, uuid);
  Script script = agent_script(call);
  std::string report = co_await report_of(session, turn, agent, script);
  constexpr int kMostBlocks = 8;
  for (int blocked = 0; ended_well(*agent.tally); ++blocked) {
    HookCall stop = stop_hook(session, agent, report, blocked > 0, &turn.abort);
    const std::vector<HookReply> replies = co_await session.hooks.call(session, agent, stop);
    if (blocked == kMostBlocks || std::ranges::none_of(replies, blocks)) break;
    for (const HookReply& reply : replies)
      if (blocks(reply))
        urge(session, turn, agent, "Stop hook feedback:\n" + text_of(reply.output, "reason"));
    report = co_await report_of(session, turn, agent, script);
  }
  task.tokens = agent.tally->tokens();
  task.tool_uses = static_cast<int>(agent.tally->tools.size());
  if (agent.tally->interrupted) co_return report;
  add_one(stats_of(session)[agent.tally->failure.empty() ? "completed" : "failed"]);
  co_return report;
}

Task<void> background_agent(Session& session, std::shared_ptr<BackgroundTask> task, ToolCall call,
                            Agent parent) {
  Turn turn;
  turn.prompts.emplace_back();
  task->turn = &turn;
  Agent agent = agent_of(session, call, *task, parent);
  agent.background = true;
  bool stopped = false;
  std::string report;
  try {
    report = co_await work(session, turn, call, agent, *task, nullptr);
  } catch (const Interrupted&) {
    stopped = true;
  }
  task->turn = nullptr;
  const std::string news = note_of_news(session, *agent.tally);
  session.known_tools.insert(agent.tally->tools.begin(), agent.tally->tools.end());
  const std::string& failure = agent.tally->failure;
  const char* state = failure.empty() ? "completed" : "failed";
  if (!stopped) finish(session, task, state, state, failure.empty() ? report : failure);
  const std::string reminder =
      news.empty() ? "" : "<system-reminder>\n" + news + "</system-reminder>";
  if (!task->untold) queue_follow_up(session, *task, member(call.step, "then"), reminder);
}

// A rule may deny a kind of subagent.
std::optional<ToolOutcome> denied_type(const Session& session, const std::string& type) {
  for (const Json& row : session.permissions.rules()) {
    const std::string rule = text_of(row, "rule");
    if (row["behavior"] != "deny" || rule != "Agent(" + type + ")") continue;
    return tool_failure("Agent type '" + type + "' has been denied by permission rule '" + rule +
                        "' from " + text_of(row, "source") + ".");
  }
  return std::nullopt;
}

std::optional<ToolOutcome> unknown_type(const Session& session, const ToolCall& call) {
  const std::string type = text_of(call.input, "subagent_type", "general-purpose");
  std::string names;
  for (const Json& row : agent_rows(session.agents)) {
    if (row["name"] == type) return denied_type(session, type);
    names += (names.empty() ? "" : ", ") + text_of(row, "name");
  }
  return tool_failure("Agent type '" + type + "' not found. Available agents: " + names);
}

bool wants_background(const ToolCall& call) {
  if (const Json& said = member(call.input, "run_in_background"); said.is_boolean())
    return said.get<bool>();
  return !variable("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS").starts_with('1');
}

// What a subagent is at, in a few words.
std::string activity(const Agent& agent, const ToolCall& call) {
  static const std::map<std::string, std::pair<const char*, const char*>, std::less<>> kVerbs{
      {"Read", {"Reading", "file_path"}},       {"Write", {"Writing", "file_path"}},
      {"Edit", {"Editing", "file_path"}},       {"WebFetch", {"Fetching", "url"}},
      {"Grep", {"Searching for", "pattern"}},   {"Glob", {"Finding", "pattern"}},
      {"WebSearch", {"Searching for", "query"}}};
  if (call.name == "Bash")
    return "Running " + text_of(call.input, "description", text_of(call.input, "command"));
  if (call.name == "Agent" || call.name == "Task") return text_of(call.input, "description");
  const auto verb = kVerbs.find(call.name);
  if (verb == kVerbs.end()) return agent.description;
  return std::string(verb->second.first) + " " + text_of(call.input, verb->second.second);
}

bool is_of(const Ask& ask, const BackgroundTask& task) {
  return text_of(ask.request, "agent_id") == task.id ||
         text_of(member(ask.request, "input"), "agent_id") == task.id;
}

// The host is told; the turn is yet to be aborted.
Turn* kill_agent(Session& session, std::shared_ptr<BackgroundTask> task, const char* by) {
  for (const AskPtr& ask : std::vector(session.asks.open())) {
    if (!is_of(*ask, *task)) continue;
    session.asks.withdraw(ask);
    const Json& asked = ask->request;
    if (ask->kind == Ask::Kind::permission && session.turn)
      note_denial(
          *session.turn,
          {text_of(asked, "tool_use_id"), text_of(asked, "tool_name"), asked["input"], {}, {}});
  }
  add_one(stats_of(session)["killed"][by]);
  finish(session, task, "killed", "stopped", task->description);
  return task->turn;
}

}  // namespace

bool is_of_background(const Session& session, const Ask& ask) {
  return std::ranges::any_of(session.tasks, [&](const auto& task) { return is_of(ask, *task); });
}

std::vector<Turn*> stop_agents(Session& session) {
  std::vector<Turn*> turns;
  for (const auto& task : std::vector(session.tasks)) {
    if (!task->turn) continue;
    task->untold = true;
    turns.push_back(kill_agent(session, task, "system"));
  }
  return turns;
}

void stop_if_budget_is_spent(Session& session) {
  if (!over_budget(session)) return;
  const std::vector<Turn*> turns = stop_agents(session);
  if (turns.empty()) return;
  char spent[32];
  std::snprintf(spent, sizeof spent, "%.2f", session.ledger.total_cost());
  complain("Budget limit reached ($" + std::string(spent) + " of $" +
           session.args.value("--max-budget-usd") + "); stopping background agents.\n");
  for (Turn* turn : turns) turn->abort.fire();
}

Turn* stop_agent(Session& session, const std::string& task_id) {
  for (const auto& task : session.tasks)
    if (task->id == task_id && task->turn) return kill_agent(session, task, "user");
  return nullptr;
}

void send_progress(Session& session, const Agent& agent, const ToolCall& call) {
  Json line = system_line("task_progress");
  line["task_id"] = agent.id;
  line["run_id"] = agent.run_id;
  line["tool_use_id"] = agent.parent_tool_use_id;
  line["description"] = activity(agent, call);
  line["subagent_type"] = agent.type;
  line["usage"]["total_tokens"] = agent.tally->tokens();
  agent.tally->tools.push_back(call.name);
  line["usage"]["tool_uses"] = agent.tally->tools.size();
  line["usage"]["duration_ms"] = 0;
  line["last_tool_name"] = call.name;
  session.send_signed(line);
}

Task<ToolOutcome> run_agent(Session& session, Turn& turn, ToolCall call, ToolBatch& batch) {
  if (const auto unknown = unknown_type(session, call)) co_return *unknown;
  auto task = make_task(session, call, true);
  const std::string prompt = text_of(call.input, "prompt");
  const bool aside = wants_background(call);
  const Agent& parent = batch.agent();
  count_start(session, call, *task, aside, parent);
  if (aside) {
    session.tasks.push_back(task);
    send_task_list(session);
    send_started(session, *task, true, prompt, parent);
    session.loop.spawn(background_agent(session, task, call, parent));
    co_return launched(session, agent_of(session, call, *task, parent), *task, prompt);
  }
  send_started(session, *task, false, prompt, parent);
  const Agent agent = agent_of(session, call, *task, parent);
  std::string report;
  try {
    report = co_await work(session, turn, call, agent, *task, &batch);
  } catch (const Interrupted&) {
    if (!turn.budget_spent) add_one(stats_of(session)["killed"]["user"]);
    const auto tell = [&session, task] {
      send_ended(session, *task, "killed", "stopped", task->description);
    };
    if (agent.tally->in_tools)
      turn.after_rejections.push_back(tell);
    else
      tell();
    throw;
  }
  const AgentTally& tally = *agent.tally;
  batch.note_used(tally.tools);
  if (tally.interrupted) {
    add_one(stats_of(session)["killed"]["user"]);
    send_ended(session, *task, "killed", "stopped", task->description);
    ToolOutcome outcome = tool_failure("[Request interrupted by user for tool use]");
    outcome.non_execution_kind = "interrupted";
    co_return outcome;
  }
  if (!tally.failure.empty()) {
    send_ended(session, *task, "failed", "failed", tally.failure);
    const char* advice =
        "\n\nSafeguards stopped this agent. Pass the message above on to the user. Don't do the "
        "agent's work yourself: safeguards cover this conversation too.";
    co_return tool_failure(tally.failure + (tally.refused ? advice : ""));
  }
  co_return hand_back(session, agent, *task, prompt, report);
}

}  // namespace claude::sim
