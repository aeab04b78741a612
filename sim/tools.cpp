// A tool call from PreToolUse to its result: hooks, permission, the run, hooks again.
#include <algorithm>
#include <set>
#include <utility>

#include "batch.h"
#include "deferred.h"
#include "offers.h"
#include "prompts.h"
#include "shell.h"
#include "tool_hooks.h"
#include "tool_input.h"
#include "tool_lines.h"

namespace claude::sim {
namespace {

// Hooks and hosts see whole paths. The tool gets the model's own, unless somebody changed it.
ToolCall in_own_words(ToolCall call) {
  if (!call.said_path.empty() && text_of(call.input, "file_path") == call.whole_path)
    call.input["file_path"] = call.said_path;
  return call;
}

Decision decision_of(const Session& session, const Agent& agent, const ToolCall& call) {
  return permissions_of(session, agent).decide(canonical(call.name), call.input, session.cwd);
}

void refuse_by_hook(Decision& decision, const Permit& said) {
  decision = denied(said.message, "hook");
  decision.source = said.source;
  decision.ask_fields["decision_reason"] = said.message;
}

// The question that nobody hears is the reason, unless the session was to ask nothing.
void refuse_unasked(Decision& decision, bool in_own_words) {
  decision.verdict = Decision::Verdict::deny;
  if (in_own_words) return;
  decision.reason_type = "asyncAgent";
  decision.ask_fields = Json::object();
  decision.message =
      "Permission for this tool use was denied. It requires approval, and this session has no "
      "approval surface, so it was denied automatically. What required approval: " +
      decision.message;
}

// The permission check: what rules and modes say, else the host.
Task<Permit> permission_for(Session& session, Turn& turn, const Agent& agent, const ToolCall& call,
                            const PreVerdict& hooks) {
  Permit permit;
  permit.input = call.input;
  Decision decision = decision_of(session, agent, call);
  if (hooks.decision == "allow" && !decision.firm) {
    permit.allowed = true;
    permit.source = "hook";
    permit.reason_type = "hook";
    co_return permit;
  }
  const bool ruled_out =
      decision.verdict == Decision::Verdict::deny &&
      (decision.reason_type == "rule" || decision.reason_type == "subcommandResults");
  if (hooks.decision == "ask" && !ruled_out) {
    decision.verdict = Decision::Verdict::ask;
    decision.message = hooks.reason;
    Json fields = Json::object();
    const std::string what = subject_of(canonical(call.name), call.input, session.cwd);
    if (!what.empty()) fields["description"] = what;
    fields["decision_reason"] = hooks.reason;
    fields["decision_reason_type"] = "hook";
    fields["decision_reason_hook_event"] = "PreToolUse";
    fields["decision_reason_hook_source"] = "settings";
    decision.ask_fields = fields;
  }
  const bool nobody = decision.verdict == Decision::Verdict::ask && !session.asks_host;
  if (nobody) {
    std::optional<Permit> said;
    if (hooks.decision != "ask" && session.hooks.any("PermissionRequest"))
      said = co_await ask_hooks(session, turn, agent, call, decision.ask_fields);
    if (said && (said->allowed || said->bad_input)) co_return *said;
    permit.nobody_to_ask = !said && session.args.value("--permission-prompts") != "none";
    if (said)
      refuse_by_hook(decision, *said);
    else
      refuse_unasked(decision, permit.nobody_to_ask);
  }
  permit.source = decision.source;
  permit.reason_type = decision.reason_type;
  if (canonical(call.name) == "Agent" && decision.reason_type != "mode") permit.reason_type = "";
  if (decision.verdict == Decision::Verdict::allow) {
    permit.allowed = true;
  } else if (decision.by_tool) {
    permit.message = decision.message;
    permit.bad_input = true;
  } else if (decision.verdict == Decision::Verdict::deny) {
    permit.message = decision.message;
    const bool overrules_hook = ruled_out && !hooks.decision.empty();
    permit.announced = !overrules_hook;
    if (permit.announced) announce_denial(session, agent, call, decision);
    if (decision.reason_type == "classifier") co_await tell_of_denial(session, agent, call);
    if (nobody && turn.abort.fired()) {
      note_denial(turn, call);
      throw Interrupted{};
    }
  } else {
    session.send_state("requires_action");
    permit = co_await ask_host(session, turn, agent, call, decision.ask_fields);
    session.send_state("running");
  }
  co_return permit;
}

// A prompt that could not wait stopped the tool, which says so itself.
ToolOutcome cut_short(const ToolCall& call) {
  if (call.name == "Bash") {
    ToolOutcome outcome = tool_failure("<error>Command was aborted before completion</error>");
    outcome.result = Json::object();
    outcome.result["stdout"] = outcome.result["stderr"] = "";
    outcome.result["interrupted"] = true;
    outcome.result["isImage"] = false;
    outcome.result["returnCodeInterpretation"] = "Command failed with exit code 145";
    outcome.result["noOutputExpected"] = prints_nothing(text_of(call.input, "command"));
    return outcome;
  }
  ToolOutcome outcome = tool_failure(
      call.name.starts_with("mcp__")
          ? "The tool call was interrupted before a result was received. It may or may not have "
            "completed on the server — verify before assuming it succeeded, and retry if needed."
          : "[Request interrupted by user for tool use]");
  outcome.non_execution_kind = "interrupted";
  return outcome;
}

// Why the tool cannot be called with this input.
std::optional<ToolOutcome> unusable(const Session& session, const ToolCall& call) {
  const std::string name = canonical(call.name);
  if (name == "ExitPlanMode" && session.permissions.mode != "plan") {
    const char* text =
        "You are not in plan mode. To enter plan mode, call the EnterPlanMode tool first. If your "
        "plan was already approved, continue with implementation.";
    return tool_refusal(text, text);
  }
  if (const auto problem = input_problem(name, call.input)) return problem;
  if (name == "ExitWorktree") return exit_worktree_problem(session, call.input);
  if (name == "Edit" && !has(call.step, "output"))
    return session.files.edit_problem(call.input, session.cwd);
  return std::nullopt;
}

}  // namespace

std::optional<ToolOutcome> unavailable(const Session& session, const Agent& agent,
                                       const ToolCall& call) {
  static const std::set<std::string, std::less<>> kOff{"TodoWrite", "TaskCreate", "TaskGet",
                                                       "TaskList", "TaskUpdate"};
  const std::string name = canonical(call.name);
  std::string missing = "No such tool available: " + name;
  const std::vector<std::string> tools = session.tools();
  const auto is_in = [&](const std::vector<std::string>& list) {
    return std::ranges::find(list, call.name == "Agent" ? "Task" : call.name) != list.end();
  };
  const bool unknown = !is_in(tools);
  if (name == "AskUserQuestion" && !agent.id.empty()) {
    agent.tally->missing.insert(name);
    missing += ". " + name +
               " is not available inside subagents. Complete the task with the tools provided and "
               "return findings to the orchestrator.";
    return tool_refusal(missing, "Error: " + missing);
  }
  if (!unknown && !is_in(tools_of(member(session.agents, agent.type.c_str()), tools))) {
    agent.tally->missing.insert(name);
    missing +=
        ". " + name + " is not among the tools available here. Continue with the tools you have.";
    return tool_refusal(missing, "Error: " + missing);
  }
  if (unknown && (name == "Glob" || name == "Grep"))
    missing += ". " + name + " is not available in this session — " +
               (name == "Glob" ? "find files with `find`" : "search file contents with `grep`") +
               " via the Bash tool instead.";
  else if (unknown && (session.has_built_in(name) || kOff.contains(name)))
    missing += ". " + name + " is disabled for this session, in subagents as well as here.";
  if (!unknown) return std::nullopt;
  agent.tally->missing.insert(name);
  return tool_refusal(missing, "Error: " + missing);
}

Task<Show> run_tool(Session& session, Turn& turn, Agent agent, ToolCall call, ToolBatch& batch) {
  const auto shows = [&batch, &call](const ToolOutcome& outcome, const Json& meta) -> Show {
    return [&batch, call, outcome, meta] { batch.show(call, outcome, meta); };
  };
  if (const auto refusal = unavailable(session, agent, call)) {
    co_await batch.until_shown();
    co_return shows(*refusal, nullptr);
  }
  if (const auto refusal = unusable(session, call)) {
    co_await batch.until_said();
    co_await batch.until_shown();
    co_return shows(*refusal, nullptr);
  }
  call.said_path = text_of(call.input, "file_path");
  call.input = normalised_input(canonical(call.name), call.input, session.cwd);
  call.whole_path = text_of(call.input, "file_path");
  const Json said_input = call.input;
  PreVerdict verdict;
  try {
    if (!decision_of(session, agent, call).by_tool)
      verdict = co_await before_tool(session, turn, agent, call);
    co_await batch.until_shown();
  } catch (const Interrupted&) {
    if (!turn.send_now) throw;
    verdict.cancelled = true;
  }
  if (verdict.cancelled)
    co_return shows(rejection(kCancelled, kCancelled), rejection_meta(call, "cancelled"));
  if (!verdict.refusal.empty()) co_return shows(tool_failure(verdict.refusal), nullptr);
  if (verdict.decision == "defer") {
    turn.deferred["id"] = call.id;
    turn.deferred["name"] = call.name;
    turn.deferred["input"] = call.input;
    session.transcript.add_deferred(turn.deferred);
    co_return nullptr;
  }
  Permit permit;
  if (verdict.decision == "deny") {
    call.input = said_input;  // what another hook made of it does not count
    permit.source = permit.reason_type = "hook";
    // Tools of files say the reason alone.
    const std::string name = canonical(call.name);
    const bool of_files = name == "Read" || name == "Write" || name == "Edit";
    permit.message = (of_files ? "" : "PreToolUse:" + name + " hook error: ") +
                     (verdict.reason.empty() ? "Blocked by hook" : verdict.reason);
  } else {
    try {
      permit = co_await permission_for(session, turn, agent, call, verdict);
    } catch (const Interrupted&) {
      if (!turn.send_now) throw;
      permit.message = "Tool permission request aborted";
      permit.source = "user_abort";
    }
  }
  if (permit.ends_agent) {
    agent.tally->interrupted = true;
    note_denial(turn, call);
    co_return shows(rejection(kRejected, "User rejected tool use"), nullptr);
  }
  const Json meta = meta_of(call, permit);
  const bool delegates = canonical(call.name) == "Agent" && permit.allowed;
  const bool reads = permit.allowed && session.mcp.only_reads(call.name);
  const bool hands_in = call.name == StructuredOutput::kTool;
  const bool aborted = permit.source == "user_abort";
  if (permit.allowed) batch.note_allowed(call);
  if (permit.announced)
    co_await batch.until_next_event();
  else if (!delegates && !reads && !hands_in && !aborted)
    co_await batch.until_said();
  if (!permit.allowed) {
    const bool by_tool = permit.bad_input && permit.reason_type == "rule";
    ToolOutcome outcome =
        by_tool ? tool_refusal(permit.message, permit.message) : tool_failure(permit.message);
    if (permit.bad_input && !by_tool)
      outcome.result = "InputValidationError: permission handler updatedInput failed schema for " +
                       canonical(call.name);
    else
      note_denial(turn, call);
    co_return [&session, show = shows(outcome, meta), call, verdict] {
      for (const Json& output : verdict.messages)
        say(session, "PreToolUse:" + canonical(call.name), output);
      show();
    };
  }
  call.input = permit.input;
  const Time began = Clock::now();
  turn.at_work.insert(call.id);
  const ToolCall said = in_own_words(call);
  ToolOutcome outcome;
  std::vector<Json> after;
  try {
    outcome = co_await perform(session, turn, said, batch);
    count_lines(*agent.tally, outcome.result);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
    after = co_await after_tool(session, turn, agent, call, outcome, took.count());
  } catch (const Interrupted&) {
    if (!turn.send_now) throw;
    if (outcome.content.is_null()) outcome = cut_short(call);
    for (const auto& tell : std::exchange(turn.after_rejections, {})) tell();
  }
  turn.at_work.erase(call.id);
  if (reads && !turn.abort.fired()) co_await batch.until_said();  // the model may still speak
  Json told = meta;
  if (!outcome.non_execution_kind.empty()) told["non_execution_kind"] = outcome.non_execution_kind;
  co_return [&session, &turn, &batch, call, outcome, meta = told, verdict, after] {
    for (const Json& output : verdict.messages)
      say(session, "PreToolUse:" + canonical(call.name), output);
    if (turn.takes_up) show_hook_success(session, "PreToolUse", call.id);
    batch.show(call, outcome, meta);
    if (turn.takes_up) show_hook_success(session, "PostToolUse", call.id);
    if (outcome.afterwards) outcome.afterwards();
    for (const Json& output : after)
      if (flag_of(output, "continue", true))
        say(session, "PostToolUse:" + canonical(call.name), output);
  };
}

}  // namespace claude::sim
