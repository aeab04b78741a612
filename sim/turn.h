// The life of a turn, in the CLI's order: prompt, hooks, init, model and tools, stop, result.
#pragma once

#include <string>
#include <vector>

#include "files.h"
#include "lines.h"
#include "session.h"
#include "task.h"

namespace claude::sim {

class ToolBatch;

struct ToolCall {
  std::string id;
  std::string name;  // as the model says it
  Json input;
  Json said_input;              // the same, whatever hooks and hosts make of it
  Json step;                    // what the scenario says of it
  std::string message_id = {};  // of the message that it is in
  std::string said_path = {};   // of a file, as the model says it,
  std::string whole_path = {};  // and from the root
};

// What a message of the model left to do.
struct Spoken {
  std::shared_ptr<ToolBatch> calls;  // null: none
  std::string message_id;
  std::string text;
  std::string stop_reason;
  std::optional<Ending> failed;  // the API refused, or the model did so twice
  bool retried = false;          // the API refused for a while: the next step answers the call
  bool refused = false;          // by the model, for the first time
  bool spent_by_others = false;  // the budget was spent before this message was paid for
};

// model.cpp
// A host that sees the stream is told of each request to the model.
void announce_request(Session& session, const Turn& turn);
// One message of the model, streamed.
Task<Spoken> speak(Session& session, Turn& turn, Agent agent, Json step);

// permit.cpp: asks the host, and the PermissionRequest hooks beside it.
struct Permit {
  bool allowed = false;
  Json input;
  std::string message;  // why not
  std::string source = "config";
  std::string reason_type;
  bool bad_input = false;  // the host's updatedInput does not fit the tool
  bool nobody_to_ask = false;
  bool ends_agent = false;  // the subagent that asked is to stop
  bool announced = false;   // a denial that the host has heard of
};
Task<Permit> ask_host(Session& session, Turn& turn, Agent agent, ToolCall call, Json fields);
// The hooks alone. Nullopt: they leave it open, or an interrupt came first.
Task<std::optional<Permit>> ask_hooks(Session& session, Turn& turn, Agent agent, ToolCall call,
                                      Json fields);

// effects.cpp: what a tool does once it may run.
Task<ToolOutcome> perform(Session& session, Turn& turn, ToolCall call, ToolBatch& batch);
bool fits_schema(const std::string& tool, const Json& input);
Json normalised_input(const std::string& tool, Json input, const std::string& cwd);

// worktree.cpp
Task<ToolOutcome> enter_worktree(Session& session, Turn& turn, Json input);
Task<ToolOutcome> exit_worktree(Session& session, Turn& turn, Json input);
// Why the session cannot leave its worktree so.
std::optional<ToolOutcome> exit_worktree_problem(const Session& session, const Json& input);

// agents.cpp and tasks.cpp: subagents and background work.
Task<ToolOutcome> run_agent(Session& session, Turn& turn, ToolCall call, ToolBatch& batch);
ToolOutcome start_background_bash(Session& session, const ToolCall& call);
// A budget that is spent stops subagents as soon as no turn runs.
void stop_if_budget_is_spent(Session& session);
void stop_background_task(Session& session, const std::string& task_id);
// Commands in the background end with the session.
void stop_commands(Session& session);
bool is_of_background(const Session& session, const Ask& ask);
// Subagents in the background end with an interrupt: their turns, which are yet to be aborted.
std::vector<Turn*> stop_agents(Session& session);
// The same with one that the host names. Null: there is no such subagent.
Turn* stop_agent(Session& session, const std::string& task_id);
void send_progress(Session& session, const Agent& agent, const ToolCall& call);
void send_task_list(Session& session);
Json running_tasks(const Session& session);

// actions.cpp: a step that is no message of the model.
Task<void> act(Session& session, Abort* abort, Json step, std::string path);

// local.cpp: slash commands that the CLI answers itself. Nullopt: the prompt is none.
Task<std::optional<Ending>> run_local_command(Session& session, Turn& turn);

// turn.cpp
// What is said in the user's name.
void send_note(Session& session, Turn& turn, const std::string& text);
// What the CLI itself says, to make the model go on.
void urge(Session& session, Turn& turn, const Agent& agent, const std::string& text,
          const std::string& refused_message = {});
Task<std::string> converse(Session& session, Turn& turn, Agent agent, Script& script);
Task<void> live(Session& session);
// Interrupts the running turn. False: there is none.
bool interrupt(Session& session);
// What that leaves open when a prompt cannot wait, until it has been told as queued.
void withdraw_hooks_of_done_tools(Session& session);

}  // namespace claude::sim
