// The state of one simulated CLI, and the few things that everybody does with it.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "args.h"
#include "asks.h"
#include "files.h"
#include "hooks.h"
#include "ids.h"
#include "json.h"
#include "ledger.h"
#include "loop.h"
#include "mcp.h"
#include "output.h"
#include "permissions.h"
#include "scenario.h"
#include "settings.h"
#include "structured.h"
#include "transcript.h"

namespace claude::sim {

// What a subagent has used so far, and why it ends before its time.
struct AgentTally {
  Usage usage;  // its last call of the model
  std::vector<std::string> tools;
  std::set<std::string> missing;  // tools that it called and does not have
  int lines_added = 0;
  int lines_removed = 0;
  bool hook_stopped = false;
  bool interrupted = false;  // by the host, as the answer to a permission
  bool out_of_turns = false;
  bool refused = false;   // its model was, once
  bool in_tools = false;  // its last message has calls without a result
  std::string failure;    // of the API
  std::string last_text;  // that it said, with or without calls

  long long tokens() const { return usage.input + usage.output; }
};

// Who speaks: the main conversation, or a subagent of it.
struct Agent {
  std::string id;
  std::string type;
  std::string description;
  std::string parent_tool_use_id;
  std::string message_id;  // that calls it
  std::string model;
  std::string run_id;
  int depth = 0;  // 1: the main conversation started it
  bool background = false;
  std::shared_ptr<AgentTally> tally = std::make_shared<AgentTally>();
};

struct Prompt {
  Json message;  // {role, content}
  std::string text;
  std::string uuid;
  bool named = false;  // the SDK gave the uuid, and is told what becomes of it
  bool query = true;
  bool composed = false;  // word for word the host's: it has no commands and names no files
  bool now = false;       // it cannot wait
  bool later = false;     // it waits until everything else is done
  bool goes_on = false;   // the CLI's own, after a call that an earlier process put off
  Json origin;            // of a turn that a background task started
  std::string reminder;   // that the model gets before it
  std::optional<Script> script;
  std::size_t seen = 0;        // how many lines had come in with it
  std::vector<Prompt> joined;  // that waited before it, and are said with it as one
};

// A turn that is being played.
struct Turn {
  std::vector<Prompt> prompts;  // the first, and those folded into it
  Script script;
  Abort abort;
  Time started = Clock::now();
  Json denials = Json::array();
  Json stop_reason;
  std::string last_text;
  int user_lines = 0;  // num_turns is one more
  int model_calls = 0;
  bool refused = false;             // the model was, once
  bool retries = false;             // the model's call that the API refused at first
  bool named_in_stream = false;     // has a stream event carried the prompts' uuids,
  bool named_in_assistant = false;  // and has an assistant line?
  bool in_tools = false;
  bool in_batch_hooks = false;    // at the end of that: all results are out
  std::set<std::string> at_work;  // calls whose tools are
  bool interrupt_noted = false;   // the conversation says that it was interrupted
  bool hook_stopped = false;
  bool budget_spent = false;           // by a subagent
  bool send_now = false;               // aborted by a prompt that could not wait
  Json deferred;                       // a tool call that a hook put off
  bool takes_up = false;               // plays one that an earlier process put off
  std::vector<std::string> withdrawn;  // tool calls whose permission was open at an interrupt
  std::vector<std::function<void()>> after_rejections;  // what an interrupt leaves to be told
  StructuredOutput structured;
  long long ttft_ms = 0;
  std::string display_id;  // as MessageDisplay hooks know the turn
};

struct BackgroundTask {
  std::string id;
  std::string run_id;
  std::string kind;  // local_bash, local_agent
  std::string tool_use_id;
  std::string description;
  std::string agent_type;
  std::string output;
  long long tokens = 0;
  int tool_uses = 0;
  Gate stop;             // a command's end
  Turn* turn = nullptr;  // a subagent's
  bool untold = false;   // an interrupt ended it, and the model hears nothing of it
};

struct Session {
  Args args;
  Scenario scenario;
  Output& output;
  Loop& loop;
  Ids ids;

  std::string id;
  std::string startup_problem;  // why the session to resume is not there
  std::string cwd;
  std::string home;
  std::string model;
  std::string default_model;
  std::string title;
  std::string prompt_id;
  bool asks_host = false;  // --permission-prompt-tool stdio
  bool partial = false;    // --include-partial-messages
  bool replay = false;
  bool checkpoints = false;
  bool state_events = false;
  bool state_for_host = false;  // the SDK itself reads them, and shows them to nobody
  std::string state;            // the last that was told
  bool forward_subagent_text = false;
  Json deferred;              // a call that an earlier process put off
  std::string unknown_model;  // that stderr has heard of
  Settings settings;
  Json agents = Json::object();  // of files, the command line and initialize
  Json schema;                   // of structured output; null: none is wanted
  bool schema_late = false;      // it came with initialize

  Asks asks{*this};
  Hooks hooks;
  Permissions permissions;
  McpServers mcp{*this};
  Files files;
  Ledger ledger;
  Transcript transcript{*this};

  std::deque<Prompt> queue;
  std::set<std::string> named_prompts;  // by their uuids, each of which counts once
  std::set<std::string> past_prompts;   // the same, of earlier processes
  std::vector<std::shared_ptr<BackgroundTask>> tasks;
  Turn* turn = nullptr;
  Gate work;  // a prompt, or the end
  bool input_began = false;
  bool input_ended = false;
  bool holds_lines = false;  // startup is being played
  std::vector<Json> held;
  bool last_failed = false;
  int results = 0;
  int safety_stops = 0;
  bool judge_missed = false;          // the host knows that nobody judges for the auto mode
  Json subagent_stats;                // null until one is started
  std::set<std::string> known_tools;  // that the conversation has seen at work
  bool initialized = false;
  bool instructions_told = false;
  std::string worktree;      // that the session is in; empty: none
  std::string original_cwd;  // where it was before
  std::vector<Json> seen;    // lines of the SDK, when the scenario watches them
  std::size_t watched = 0;   // how many of them expect and wait_for have passed
  Gate line_came;

  Session(Args the_args, Scenario the_scenario, Output& the_output, Loop& the_loop);
  ~Session() { loop.drop_tasks(); }  // what they have refers to what is here

  // One line on stdout.
  void send(const Json& line);
  // The same with uuid and session_id at its end.
  void send_signed(Json line);
  // The same, the other way round: some lines have it so.
  void send_signed_late(Json line);
  void send_state(const char* new_state);
  // Gives the session a title, and tells the host.
  void rename(const std::string& new_title);
  // On stderr, with --debug-to-stderr.
  void debug(const std::string& text) const;
  [[noreturn]] void exit(int code);
  std::string resolved_model(const std::string& alias) const;
  std::vector<std::string> tools() const;
  // --agent: the conversation itself is led by one of the agents.
  void take_role();
  // A tool of the CLI, be it in this session's list or not.
  bool has_built_in(const std::string& tool) const;
};

}  // namespace claude::sim
