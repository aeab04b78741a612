// A tool call from PreToolUse to its result: hooks, permission, the run, hooks again.
#include <algorithm>
#include <utility>

#include "turn.h"

namespace claude::sim {
namespace {

constexpr const char* kRejected =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was "
    "a file edit, the new_string was NOT written to the file). STOP what you are doing and wait "
    "for the user to tell you how to proceed.";
constexpr const char* kStopped =
    " Correction to the text above: this call was stopped while running.";
constexpr const char* kCancelled =
    "The user doesn't want to take this action right now. STOP what you are doing and wait for the "
    "user to tell you how to proceed.";

// Hooks and permissions know the subagent tool by one name.
std::string canonical(const std::string& name) {
  return name == "Task" ? "Agent" : name;
}

// Hooks and hosts see whole paths. The tool gets the model's own, unless somebody changed it.
ToolCall in_own_words(ToolCall call) {
  if (!call.said_path.empty() && text_of(call.input, "file_path") == call.whole_path)
    call.input["file_path"] = call.said_path;
  return call;
}

Json meta_of(const ToolCall& call, const Permit& permit) {
  Json meta = Json::object();
  meta["id"] = call.id;
  if (!permit.allowed && !permit.bad_input)
    meta["non_execution_kind"] = permit.nobody_to_ask ? "user-rejected" : "permission-rule";
  if (permit.reason_type == "classifier") meta["non_execution_kind"] = "automode-unavailable";
  Json& decision = meta["permission_decision"];
  decision["decision"] = permit.allowed ? "accept" : "reject";
  decision["source"] = permit.source;
  if (!permit.reason_type.empty()) decision["reason_type"] = permit.reason_type;
  return meta;
}

Json block_of(const ToolCall& call, const ToolOutcome& outcome) {
  Json block = Json::object();
  const bool id_last = outcome.is_error || outcome.id_at_end;
  if (!id_last) block["tool_use_id"] = call.id;
  block["type"] = "tool_result";
  block["content"] = outcome.content;
  if (outcome.is_error)
    block["is_error"] = true;
  else if (outcome.says_ok)
    block["is_error"] = false;
  if (id_last) block["tool_use_id"] = call.id;
  return block;
}

void send_result(Session& session, Turn& turn, const Agent& agent, const ToolCall& call,
                 const ToolOutcome& outcome, const Json& meta) {
  Json line = user_line(session, agent, Json::array({block_of(call, outcome)}));
  Json tail = Json::object();
  if (!agent.id.empty()) {
    // A subagent's results say less, and who it is comes last.
    line.erase("subagent_type");
    line.erase("task_description");
    tail["subagent_type"] = agent.type;
    tail["task_description"] = agent.description;
  } else {
    line["tool_use_result"] = outcome.result;
  }
  if (!meta.is_null()) line["tool_result_meta"] = Json::array({meta});
  line.update(tail);
  session.send(line);
  if (!agent.id.empty()) return;
  ++turn.user_lines;
  Json row = Json::object();
  row["tool_name"] = canonical(call.name);
  row["tool_input"] = in_own_words(call).input;
  row["tool_use_id"] = call.id;
  row["tool_response"] = outcome.content;
  turn.batch.push_back(row);
}

void send_rejection(Session& session, Turn& turn, const Agent& agent, const ToolCall& call,
                    const char* text, const char* result, const char* kind) {
  ToolOutcome outcome = tool_failure(text);
  outcome.result = result;
  Json meta = Json::object();
  meta["id"] = call.id;
  meta["non_execution_kind"] = kind;
  send_result(session, turn, agent, call, outcome, meta);
}

void note_denial(Turn& turn, const ToolCall& call) {
  Json row = Json::object();
  row["tool_name"] = canonical(call.name);
  row["tool_use_id"] = call.id;
  row["tool_input"] = call.input;
  turn.denials.push_back(row);
}

void say(Session& session, const std::string& who, const Json& output) {
  if (!member(output, "systemMessage").is_string()) return;
  Json line = system_line("informational");
  line["content"] = who + " says: " + text_of(output, "systemMessage");
  line["level"] = "notice";
  session.send_signed(line);
}

Json hook_fields(const ToolCall& call) {
  Json fields = Json::object();
  fields["tool_name"] = canonical(call.name);
  fields["tool_input"] = call.input;
  return fields;
}

// What the PreToolUse hooks want, taken together: deny before ask before allow.
struct PreVerdict {
  std::string decision;  // allow, ask, deny, defer, or nothing
  std::string reason;
  std::vector<Json> messages;
  std::string refusal;     // the tool is refused without a verdict
  bool cancelled = false;  // stdin ended
};

int rank(const std::string& decision) {
  return decision == "deny"    ? 4
         : decision == "defer" ? 3
         : decision == "ask"   ? 2
         : decision == "allow" ? 1
                               : 0;
}

void add_output(PreVerdict& verdict, Turn& turn, ToolCall& call, const Json& output) {
  const Json& specific = member(output, "hookSpecificOutput");
  std::string decision = text_of(specific, "permissionDecision");
  std::string reason = text_of(specific, "permissionDecisionReason");
  if (member(output, "decision") == "block") {
    decision = "deny";
    reason = text_of(output, "reason");
  } else if (member(output, "decision") == "approve") {
    decision = "allow";
  }
  if (rank(decision) > rank(verdict.decision)) {
    verdict.decision = decision;
    verdict.reason = reason;
  }
  if (member(specific, "updatedInput").is_object()) call.input = specific["updatedInput"];
  if (member(output, "continue") == false) turn.hook_stopped = true;
  verdict.messages.push_back(output);
}

Task<PreVerdict> before_tool(Session& session, Turn& turn, const Agent& agent, ToolCall& call) {
  PreVerdict verdict;
  HookCall hook{"PreToolUse", canonical(call.name), hook_fields(call), call.id, &turn.abort};
  hook.fields["tool_use_id"] = call.id;
  const std::vector<HookReply> replies = co_await session.hooks.call(session, agent, hook);
  for (const HookReply& reply : replies) {
    switch (reply.kind) {
      case HookReply::Kind::output:
        add_output(verdict, turn, call, reply.output);
        break;
      case HookReply::Kind::failed:
        if (!reply.blocks_on_failure) break;
        verdict.decision = "deny";
        verdict.reason =
            "[callback]: failed; blocking because onFailure is \"block\"\nHook callback " +
            reply.callback_id + " failed: the SDK host replied with an error or an invalid answer.";
        break;
      case HookReply::Kind::timed_out:
        verdict.refusal =
            "PreToolUse hook did not respond before its timeout (host client may be unreachable). "
            "The tool call was not executed; other configured hooks may not have completed.";
        break;
      case HookReply::Kind::misplaced:
        verdict.refusal =
            "PreToolUse hook failed with an unexpected error. The tool call was not executed; "
            "other configured hooks may not have completed.";
        break;
      case HookReply::Kind::closed:
        verdict.cancelled = true;
        break;
    }
  }
  co_return verdict;
}

void announce_denial(Session& session, const ToolCall& call, const Decision& decision) {
  if (decision.reason_type == "classifier") {
    Json note = system_line("informational");
    note["content"] = "Auto mode can't check actions in this session.";
    note["isMeta"] = false;
    note["timestamp"] = timestamp();
    note["uuid"] = session.ids.uuid();
    note["level"] = "warning";
    note["tag"] = "auto_mode_no_server_check";
    note["session_id"] = session.id;
    session.send(note);
  }
  Json line = system_line("permission_denied");
  line["tool_name"] = canonical(call.name);
  line["tool_use_id"] = call.id;
  if (!decision.reason_type.empty()) line["decision_reason_type"] = decision.reason_type;
  if (decision.reason_type == "other") line["decision_reason"] = decision.message;
  if (decision.reason_type == "classifier") {
    line["decision_reason_code"] = "auto_mode_no_check_in_session";
    line["decision_reason"] = "Classifier unavailable";
  }
  line["message"] = decision.message;
  session.send_signed(line);
}

// PermissionDenied hooks hear of what the auto mode's judge refuses.
Task<void> tell_of_denial(Session& session, const Agent& agent, const ToolCall& call) {
  HookCall hook{"PermissionDenied", canonical(call.name), hook_fields(call), call.id, nullptr};
  hook.fields["tool_use_id"] = call.id;
  hook.fields["reason"] = "Classifier unavailable";
  [[maybe_unused]] const std::vector<HookReply> replies =
      co_await session.hooks.call(session, agent, hook);
}

// The permission check: what rules and modes say, else the host.
Task<Permit> permission_for(Session& session, Turn& turn, const Agent& agent, const ToolCall& call,
                            const PreVerdict& hooks) {
  Permit permit;
  permit.input = call.input;
  Decision decision = session.permissions.decide(canonical(call.name), call.input, session.cwd);
  const bool must_ask = flag_of(decision.ask_fields, "requires_user_interaction");
  if (hooks.decision == "allow" && decision.verdict != Decision::Verdict::deny && !must_ask) {
    permit.allowed = true;
    permit.source = "hook";
    permit.reason_type = "hook";
    co_return permit;
  }
  if (hooks.decision == "ask" && decision.verdict != Decision::Verdict::deny) {
    decision.verdict = Decision::Verdict::ask;
    Json fields = Json::object();
    const std::string what = text_of(call.input, "command", text_of(call.input, "file_path"));
    if (!what.empty()) fields["description"] = what;
    fields["decision_reason"] = hooks.reason;
    fields["decision_reason_type"] = "hook";
    fields["decision_reason_hook_event"] = "PreToolUse";
    fields["decision_reason_hook_source"] = "settings";
    decision.ask_fields = fields;
  }
  const bool nobody = !session.asks_host && !session.hooks.any("PermissionRequest");
  if (decision.verdict == Decision::Verdict::ask && nobody) {
    decision.verdict = Decision::Verdict::deny;
    permit.nobody_to_ask = true;
  }
  permit.source = decision.source;
  permit.reason_type = canonical(call.name) == "Agent" ? "" : decision.reason_type;
  if (decision.verdict == Decision::Verdict::allow) {
    permit.allowed = true;
  } else if (decision.verdict == Decision::Verdict::deny) {
    permit.message = decision.message;
    announce_denial(session, call, decision);
    if (decision.reason_type == "classifier") co_await tell_of_denial(session, agent, call);
  } else {
    session.send_state("requires_action");
    permit = co_await ask_host(session, turn, agent, call, decision.ask_fields);
    session.send_state("running");
  }
  co_return permit;
}

// PostToolUse or PostToolUseFailure. Gives what is to be said after the result.
Task<std::vector<Json>> after_tool(Session& session, Turn& turn, const Agent& agent,
                                   const ToolCall& call, ToolOutcome& outcome, long long took_ms) {
  const char* event = outcome.is_error ? "PostToolUseFailure" : "PostToolUse";
  std::vector<Json> outputs;
  HookCall hook{event, canonical(call.name), hook_fields(call), call.id, &turn.abort};
  if (!outcome.is_error) hook.fields["tool_response"] = outcome.result;
  hook.fields["tool_use_id"] = call.id;
  if (outcome.is_error) {
    hook.fields["error"] = outcome.content;
    hook.fields["is_interrupt"] = false;
  }
  hook.fields["duration_ms"] = took_ms;
  const std::vector<HookReply> replies = co_await session.hooks.call(session, agent, hook);
  for (const HookReply& reply : replies) {
    outputs.push_back(reply.output);
    if (member(reply.output, "continue") == false) turn.hook_stopped = true;
    const Json& changed = member(member(reply.output, "hookSpecificOutput"), "updatedToolOutput");
    if (!changed.is_object() || !outcome.result.is_object()) continue;
    outcome.result = changed;
    if (has(changed, "stdout")) outcome.content = changed["stdout"];
  }
  co_return outputs;
}

// Why the tool cannot be called at all, or nothing.
std::optional<ToolOutcome> unavailable(Session& session, const ToolCall& call) {
  std::string bare;
  const std::string name = canonical(call.name);
  std::string missing = "No such tool available: " + name;
  if (name == "AskUserQuestion" && !session.asks_host) {
    missing += ". AskUserQuestion is disabled for this session, in subagents as well as here.";
    return tool_refusal(missing, "Error: " + missing);
  }
  const bool unknown = (name.starts_with("mcp__") && !session.mcp.find_tool(name, bare)) ||
                       (name == StructuredOutput::kTool && !session.schema.is_object());
  if (unknown) return tool_refusal(missing, "Error: " + missing);
  if (name == "ExitPlanMode" && session.permissions.mode != "plan") {
    const char* text =
        "You are not in plan mode. To enter plan mode, call the EnterPlanMode tool first. If your "
        "plan was already approved, continue with implementation.";
    return tool_refusal(text, text);
  }
  return std::nullopt;
}

Task<void> run_tool(Session& session, Turn& turn, const Agent& agent, ToolCall call) {
  const std::shared_ptr<EarlyTool> early = turn.early;
  if (const auto refusal = unavailable(session, call)) {
    if (early) co_await Wait(session.loop, &early->message_said, nullptr, std::nullopt);
    send_result(session, turn, agent, call, *refusal, nullptr);
    co_return;
  }
  call.said_path = text_of(call.input, "file_path");
  call.input = normalised_input(canonical(call.name), call.input, session.cwd);
  call.whole_path = text_of(call.input, "file_path");
  const PreVerdict verdict = co_await before_tool(session, turn, agent, call);
  if (verdict.cancelled) {
    send_rejection(session, turn, agent, call, kCancelled, kCancelled, "cancelled");
    co_return;
  }
  if (!verdict.refusal.empty()) {
    send_result(session, turn, agent, call, tool_failure(verdict.refusal), nullptr);
    co_return;
  }
  if (verdict.decision == "defer") {
    turn.deferred["id"] = call.id;
    turn.deferred["name"] = call.name;
    turn.deferred["input"] = call.input;
    co_return;
  }
  Permit permit;
  if (verdict.decision == "deny") {
    permit.source = permit.reason_type = "hook";
    permit.message = "PreToolUse:" + canonical(call.name) + " hook error: " +
                     (verdict.reason.empty() ? "Blocked by hook" : verdict.reason);
  } else {
    permit = co_await permission_for(session, turn, agent, call, verdict);
  }
  if (early) co_await Wait(session.loop, &early->message_said, nullptr, std::nullopt);
  const Json meta = meta_of(call, permit);
  if (!permit.allowed) {
    ToolOutcome outcome = tool_failure(permit.message);
    if (permit.bad_input)
      outcome.result = "InputValidationError: permission handler updatedInput failed schema for " +
                       canonical(call.name);
    else
      note_denial(turn, call);
    send_result(session, turn, agent, call, outcome, meta);
    co_return;
  }
  call.input = permit.input;
  const Time began = Clock::now();
  turn.performing = call.id;
  const ToolCall said = in_own_words(call);
  ToolOutcome outcome = co_await perform(session, turn, said);
  turn.performing.clear();
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
  const std::vector<Json> after =
      co_await after_tool(session, turn, agent, call, outcome, took.count());
  for (const Json& output : verdict.messages)
    say(session, "PreToolUse:" + canonical(call.name), output);
  send_result(session, turn, agent, call, outcome, meta);
  if (outcome.afterwards) outcome.afterwards();
  for (const Json& output : after) say(session, "PostToolUse:" + canonical(call.name), output);
}

Task<void> after_batch(Session& session, Turn& turn, const Agent& agent) {
  HookCall hook{"PostToolBatch", "", Json::object(), "hook-" + session.ids.uuid(), &turn.abort};
  hook.fields["tool_calls"] = std::exchange(turn.batch, Json::array());
  const std::vector<HookReply> replies = co_await session.hooks.call(session, agent, hook);
  for (const HookReply& reply : replies)
    if (member(reply.output, "continue") == false) turn.hook_stopped = true;
}

bool was_being_asked(const Turn& turn, const ToolCall& call) {
  return std::ranges::find(turn.withdrawn, call.id) != turn.withdrawn.end();
}

// One of several that run side by side; an interrupt is noticed by whoever waits for all.
Task<void> run_beside(Session& session, Turn& turn, Agent agent, ToolCall call, int& left,
                      Gate& all_done) {
  try {
    co_await run_tool(session, turn, agent, call);
  } catch (const Interrupted&) {
    send_rejection(session, turn, agent, call, kRejected, "User rejected tool use",
                   "user-rejected");
  }
  if (--left == 0) all_done.open();
}

Task<void> run_early(Session& session, Turn& turn, Agent agent, ToolCall call,
                     std::shared_ptr<EarlyTool> early) {
  try {
    co_await run_tool(session, turn, agent, call);
  } catch (...) {
    early->failure = std::current_exception();
  }
  early->done.open();
}

// Its message is complete now: it may show its result.
Task<void> finish_early(Session& session, Turn& turn) {
  const std::shared_ptr<EarlyTool> early = std::exchange(turn.early, nullptr);
  early->message_said.open();
  co_await Wait(session.loop, &early->done, nullptr, std::nullopt);
  if (early->failure) std::rethrow_exception(early->failure);
}

}  // namespace

bool runs_beside_others(const ToolCall& call) {
  return call.name == "Read" || call.name == "Glob" || call.name == "Grep";
}

void start_early(Session& session, Turn& turn, const Agent& agent, const ToolCall& call) {
  turn.early = std::make_shared<EarlyTool>();
  session.loop.spawn(run_early(session, turn, agent, call, turn.early));
}

Task<void> run_tools(Session& session, Turn& turn, Agent agent, std::vector<ToolCall> calls) {
  turn.in_tools = true;
  if (calls.size() > 1 && std::ranges::all_of(calls, runs_beside_others)) {
    int left = static_cast<int>(calls.size());
    Gate all_done;
    for (const ToolCall& call : calls)
      session.loop.spawn(run_beside(session, turn, agent, call, left, all_done));
    co_await Wait(session.loop, &all_done, nullptr, std::nullopt);
    if (turn.abort.fired()) throw Interrupted{};
    calls.clear();
  }
  std::size_t next = 0;
  try {
    if (turn.early) {
      co_await finish_early(session, turn);
      ++next;
    }
    for (; next < calls.size() && turn.deferred.is_null(); ++next)
      co_await run_tool(session, turn, agent, calls[next]);
  } catch (const Interrupted&) {
    for (; next < calls.size(); ++next) {
      if (was_being_asked(turn, calls[next])) note_denial(turn, calls[next]);
      const bool ran = turn.performing == calls[next].id;
      const std::string text = std::string(kRejected) + (ran ? kStopped : "");
      send_rejection(session, turn, agent, calls[next], text.c_str(), "User rejected tool use",
                     "user-rejected");
    }
    throw;
  }
  if (turn.deferred.is_null()) co_await after_batch(session, turn, agent);
  turn.in_tools = false;
}

}  // namespace claude::sim
