// What the hooks around a tool are told, and what their answers come to.
#include "tool_hooks.h"

#include "tool_input.h"
#include "tool_lines.h"

namespace claude::sim {
namespace {

Json hook_fields(const ToolCall& call) {
  Json fields = Json::object();
  fields["tool_name"] = canonical(call.name);
  fields["tool_input"] = call.input;
  return fields;
}

int rank(const std::string& decision) {
  return decision == "deny"    ? 4
         : decision == "defer" ? 3
         : decision == "ask"   ? 2
         : decision == "allow" ? 1
                               : 0;
}

// A hook ends the conversation that it was asked in: the turn's, or a subagent's.
void stop_by_hook(Turn& turn, const Agent& agent) {
  (agent.id.empty() ? turn.hook_stopped : agent.tally->hook_stopped) = true;
}

void add_output(PreVerdict& verdict, Turn& turn, const Agent& agent, ToolCall& call,
                const Json& output, const std::string& cwd) {
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
  if (member(specific, "updatedInput").is_object())
    call.input = normalised_input(canonical(call.name), specific["updatedInput"], cwd);
  if (member(output, "continue") == false) stop_by_hook(turn, agent);
  verdict.messages.push_back(output);
}

// Hooks hear why a tool failed, and not what only the model is told beside.
Json failure_of(const ToolOutcome& outcome) {
  constexpr std::string_view kError = "Error: ";
  const std::string text = outcome.result.is_string() ? outcome.result.get<std::string>() : "";
  return text.starts_with(kError) ? Json(text.substr(kError.size())) : outcome.content;
}

}  // namespace

Task<PreVerdict> before_tool(Session& session, Turn& turn, const Agent& agent, ToolCall& call) {
  PreVerdict verdict;
  HookCall hook{"PreToolUse", canonical(call.name), hook_fields(call), call.id, &turn.abort};
  hook.fields["tool_use_id"] = call.id;
  const std::vector<HookReply> replies = co_await session.hooks.call(session, agent, hook);
  for (const HookReply& reply : replies) {
    switch (reply.kind) {
      case HookReply::Kind::output:
        add_output(verdict, turn, agent, call, reply.output, session.cwd);
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

Task<void> tell_of_denial(Session& session, const Agent& agent, const ToolCall& call) {
  HookCall hook{"PermissionDenied", canonical(call.name), hook_fields(call), call.id, nullptr};
  hook.fields["tool_use_id"] = call.id;
  hook.fields["reason"] = "Classifier unavailable";
  [[maybe_unused]] const std::vector<HookReply> replies =
      co_await session.hooks.call(session, agent, hook);
}

Task<std::vector<Json>> after_tool(Session& session, Turn& turn, const Agent& agent,
                                   const ToolCall& call, ToolOutcome& outcome, long long took_ms) {
  const char* event = outcome.is_error ? "PostToolUseFailure" : "PostToolUse";
  std::vector<Json> outputs;
  HookCall hook{event, canonical(call.name), hook_fields(call), call.id, &turn.abort};
  if (!outcome.is_error) hook.fields["tool_response"] = outcome.result;
  hook.fields["tool_use_id"] = call.id;
  if (outcome.is_error) {
    hook.fields["error"] = failure_of(outcome);
    hook.fields["is_interrupt"] = false;
  }
  hook.fields["duration_ms"] = took_ms;
  const std::vector<HookReply> replies = co_await session.hooks.call(session, agent, hook);
  for (const HookReply& reply : replies) {
    outputs.push_back(reply.output);
    if (member(reply.output, "continue") == false) stop_by_hook(turn, agent);
    const Json& specific = member(reply.output, "hookSpecificOutput");
    const Json& changed = member(specific, "updatedToolOutput");
    if (call.name.starts_with("mcp__")) {
      for (const char* key : {"updatedMCPToolOutput", "updatedToolOutput"})
        if (has(specific, key)) outcome.content = outcome.result = specific[key];
      continue;
    }
    if (!changed.is_object() || !outcome.result.is_object()) continue;
    outcome.result = changed;
    if (has(changed, "stdout")) outcome.content = changed["stdout"];
    if (const Json& file = member(changed, "file"); member(file, "content").is_string())
      outcome.content = numbered(file["content"], number_of(file, "startLine", 1));
  }
  co_return outputs;
}

}  // namespace claude::sim
