// Each ending in the CLI's words.
#include "endings.h"

#include <cstdlib>

#include "prompts.h"

namespace claude::sim {
namespace {

Ending failed(const char* reason, const char* subtype, const std::string& text) {
  Ending ending = ended(reason, "");
  ending.subtype = subtype;
  ending.is_error = true;
  ending.errors = Json::array();
  ending.errors.push_back(text);
  return ending;
}

void notify_of_block(Session& session) {
  Json line = system_line("notification");
  line["key"] = "stop-hook-error";
  line["text"] = "Stop hook error occurred · ctrl+o to see";
  line["priority"] = "immediate";
  session.send_signed_late(line);
}

}  // namespace

Ending ended(const char* reason, const std::string& result) {
  Ending ending;
  ending.terminal_reason = reason;
  ending.result = result;
  return ending;
}

std::optional<Ending> structured_ending(Turn& turn) {
  if (turn.structured.exhausted()) {
    Ending ending = failed("structured_output_retry_exhausted",
                           "error_max_structured_output_retries", turn.structured.failure());
    ending.cut_short = true;
    return ending;
  }
  if (!turn.structured.given()) return std::nullopt;
  turn.last_text.clear();  // the last message of the model was a call
  Ending ending = ended("completed", dump(turn.structured.value()));
  ending.structured = turn.structured.value();
  return ending;
}

Ending deferred_ending(Turn& turn) {
  turn.stop_reason = "tool_deferred";
  return ended("tool_deferred", "");
}

bool over_budget(const Session& session) {
  const std::string budget = session.args.value("--max-budget-usd");
  return !budget.empty() && session.ledger.total_cost() >= std::atof(budget.c_str());
}

Ending budget_spent(const Session& session) {
  return failed("budget_exhausted", "error_max_budget_usd",
                "Reached maximum budget ($" + session.args.value("--max-budget-usd") + ")");
}

bool reached(const std::string& limit, int rounds) {
  return !limit.empty() && rounds >= std::atoi(limit.c_str());
}

Ending out_of_turns(const std::string& limit) {
  Ending ending =
      failed("max_turns", "error_max_turns", "Reached maximum number of turns (" + limit + ")");
  ending.most_turns = std::atoi(limit.c_str());
  return ending;
}

Ending interrupted(Session& session, Turn& turn) {
  if (turn.budget_spent) return budget_spent(session);
  const char* reason = turn.in_tools ? "aborted_tools" : "aborted_streaming";
  if (turn.send_now) return ended(reason, turn.in_tools ? "" : turn.last_text);
  if (!turn.interrupt_noted)
    send_note(session, turn,
              turn.in_tools && !turn.in_batch_hooks ? "[Request interrupted by user for tool use]"
                                                    : "[Request interrupted by user]");
  return failed(reason, "error_during_execution",
                "[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=" +
                    (turn.stop_reason.is_string() ? turn.stop_reason.get<std::string>()
                                                  : std::string("null")));
}

Ending too_long(Session& session, Turn& turn) {
  Json line = synthetic_assistant(session, "Prompt is too long");
  line["error"] = "invalid_request";
  line["is_api_error_message"] = true;
  session.send(line);
  turn.stop_reason = "stop_sequence";
  Ending ending = ended("blocking_limit", "Prompt is too long");
  ending.is_error = true;
  return ending;
}

Ending unchecked(Session& session, Turn& turn) {
  session.send(init_line(session, turn));
  send_note(session, turn, "[Request interrupted by user]");
  Ending ending = failed("aborted_streaming", "error_during_execution",
                         "prompt_check: the turn was stopped before its prompt was checked");
  ending.without_model = true;
  return ending;
}

Task<Stop> stop_hooks(Session& session, Turn& turn, bool active) {
  HookCall hook{"Stop", "", Json::object(), "", &turn.abort};
  hook.fields["stop_hook_active"] = active;
  if (!turn.last_text.empty()) hook.fields["last_assistant_message"] = turn.last_text;
  hook.fields["background_tasks"] = running_tasks(session);
  hook.fields["session_crons"] = Json::array();
  std::vector<HookReply> replies;
  try {
    replies = co_await session.hooks.call(session, kMain, hook);
  } catch (const Interrupted&) {
    co_return Stop::ends;  // all was said already
  }
  Stop stop = Stop::ends;
  bool blocked = false;
  for (const HookReply& reply : replies) {
    const Json& output = reply.output;
    const bool blocks = member(output, "decision") == "block" && !turn.structured.given();
    const bool prevents = member(output, "continue") == false;
    if (blocks && !prevents)
      urge(session, turn, kMain, "Stop hook feedback:\n" + text_of(output, "reason"));
    say(session, "Stop", output);
    if (turn.structured.given()) continue;  // the answer is in, and they come too late
    if (prevents) co_return Stop::prevented;
    blocked |= blocks;
    if (blocks || has(member(output, "hookSpecificOutput"), "additionalContext"))
      stop = Stop::goes_on;
  }
  if (blocked && !active) notify_of_block(session);
  co_return stop;
}

}  // namespace claude::sim
