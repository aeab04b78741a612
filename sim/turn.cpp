// Turns, one after the other, until the input ends and nothing is left to do.
#include "turn.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "batch.h"
#include "deferred.h"
#include "endings.h"
#include "input.h"
#include "mentions.h"
#include "prompts.h"
#include "refusals.h"
#include "world.h"

namespace claude::sim {
namespace {

void end_turn(Session& session, Turn& turn, const Ending& ending) {
  const bool out_of_turns = ending.subtype == "error_max_turns";
  const bool done = (!ending.is_error || out_of_turns) && !turn.send_now;
  const char* state = done ? "completed" : "cancelled";
  for (std::size_t i = 1; i < turn.prompts.size(); ++i)
    send_lifecycle(session, turn.prompts[i], state);
  session.transcript.end_turn();
  session.send(result_line(session, turn, ending));
  session.last_failed = ending.is_error;
  session.ledger.end_turn();
  send_lifecycle(session, turn.prompts[0], state);
  if (session.queue.empty()) session.send_state("idle");
}

Json next_message(Script& script) {
  if (!script.done()) return script.take();
  Json step = Json::object();
  step["text"] = "ok";  // the scenario did not foresee this call
  return step;
}

Task<void> play_actions(Session& session, Abort* abort, Script& script) {
  while (!script.done() && !is_message_step(script.peek())) {
    Json step = script.take();
    std::string path = script.path();
    co_await act(session, abort, std::move(step), std::move(path));
  }
}

// The CLI itself makes the model go on after a message that was cut off.
void go_on_after_cut(Session& session, Turn& turn, const Agent& agent) {
  urge(session, turn, agent,
       agent.id.empty()
           ? "Output token limit hit. Resume directly — no apology, no recap of what you were "
             "doing. Pick up mid-thought if that is where the cut happened. Break remaining work "
             "into smaller pieces."
           : "Output token limit hit. Your caller does not receive an answer in pieces. If you "
             "were giving your final answer, give the whole answer again, more briefly — no "
             "apology, no mention of the cut-off. Otherwise continue the work in smaller pieces.");
}

// Nobody waits for what these hooks answer.
Task<void> tell_of_failure(Session& session, Ending failure) {
  HookCall hook{"StopFailure", "", Json::object(), "", nullptr};
  hook.fields["error"] = failure.api_error;
  hook.fields["last_assistant_message"] = failure.result;
  co_await session.hooks.call(session, kMain, hook);
}

Task<Ending> conversation(Session& session, Turn& turn) {
  const std::string limit = session.args.value("--max-turns");
  const int most_blocks = std::atoi(variable("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "8").c_str());
  int rounds = 0;
  int blocks = 0;
  bool stop_active = false;
  bool sent_on = false;
  co_await play_actions(session, &turn.abort, turn.script);
  for (;;) {
    Json step = next_message(turn.script);
    Spoken spoken = co_await speak(session, turn, kMain, std::move(step));
    if (spoken.retried) continue;
    if (spoken.failed && !spoken.calls) {
      session.loop.spawn(tell_of_failure(session, *spoken.failed));
      co_return *spoken.failed;
    }
    turn.stop_reason = spoken.stop_reason;
    turn.last_text = spoken.text;
    ++rounds;
    if (over_budget(session)) {
      // As the CLI does with the one that went over.
      if (!spoken.spent_by_others) session.ledger.forget_last_call();
      co_return budget_spent(session);
    }
    if (spoken.refused) {
      co_await go_on_after_refusal(session, turn, kMain, spoken);
      co_await play_actions(session, &turn.abort, turn.script);
      continue;
    }
    if (spoken.calls) {
      co_await spoken.calls->finish();
      if (!turn.deferred.is_null()) co_return deferred_ending(turn);
      if (turn.hook_stopped) co_return ended("hook_stopped", "");
      co_await play_actions(session, &turn.abort, turn.script);
      if (const std::optional<Ending> ending = structured_ending(turn)) {
        if (ending->is_error)
          session.ledger.forget_last_call();  // the CLI stops in the midst of the message
        else
          co_await stop_hooks(session, turn, stop_active);
        co_return *ending;
      }
      if (reached(limit, rounds)) co_return out_of_turns(limit);
      blocks = 0;
      co_await fold_queued(session, turn);
      continue;
    }
    co_await play_actions(session, &turn.abort, turn.script);
    if (spoken.stop_reason == "max_tokens" && !std::exchange(sent_on, true)) {
      go_on_after_cut(session, turn, kMain);
      continue;
    }
    const std::string reminder =
        session.schema.is_object() ? turn.structured.reminder() : std::string();
    if (!reminder.empty()) urge(session, turn, kMain, reminder);
    const Stop stop = co_await stop_hooks(session, turn, std::exchange(stop_active, true));
    if (stop == Stop::goes_on && ++blocks > most_blocks) {
      overrule_hooks(session, blocks);
      co_return ended("completed", "");
    }
    if (stop == Stop::goes_on || !reminder.empty()) {
      if (reached(limit, rounds)) co_return out_of_turns(limit);
      continue;
    }
    const char* reason = stop == Stop::prevented ? "stop_hook_prevented" : "completed";
    co_return ended(reason, turn.last_text);
  }
}

void begin(Session& session, Turn& turn) {
  Prompt& prompt = turn.prompts[0];
  session.ledger.begin_turn();
  session.debug("a turn begins");
  session.prompt_id = session.ids.uuid();
  turn.display_id = session.ids.uuid();
  session.watched = std::max(session.watched, prompt.seen);
  session.files.begin_prompt(prompt.uuid);
  session.send_state("running");
}

Task<void> play_raw(Session& session, Turn& turn) {
  while (!turn.script.done()) {
    co_await play_actions(session, &turn.abort, turn.script);
    if (turn.script.done()) break;
    Json step = turn.script.take();
    Spoken spoken = co_await speak(session, turn, kMain, std::move(step));
    if (spoken.calls) co_await spoken.calls->finish();
  }
}

// Nothing: a prompt that could not wait came before this one was checked, which is now to wait.
Task<std::optional<Ending>> play_whole(Session& session, Turn& turn) {
  constexpr std::size_t kLongestPrompt = 4'000'000;
  if (turn.prompts[0].goes_on) {
    co_await take_up(session, turn);
    if (!turn.deferred.is_null()) co_return deferred_ending(turn);
  }
  std::optional<Ending> local = co_await run_local_command(session, turn);
  if (local) co_return *local;
  std::optional<Ending> refused;
  bool checked = true;
  try {
    refused = co_await submit_prompt(session, turn);
  } catch (const Interrupted&) {
    checked = false;
  }
  if (!checked && turn.send_now) {
    session.send(init_line(session, turn));
    co_return std::nullopt;
  }
  if (!checked) co_return unchecked(session, turn);
  if (refused) co_return *refused;
  session.transcript.add_prompt(turn.prompts[0]);
  for (const Json& file : mentioned_files(session, turn.prompts[0]))
    session.transcript.add_attachment(file);
  const bool too_much = turn.prompts[0].text.size() > kLongestPrompt;
  if (turn.prompts[0].query && over_budget(session)) announce_request(session, turn);
  if (!turn.prompts[0].query || over_budget(session) || too_much)
    send_replay(session, turn.prompts[0]);  // else the first request to the model brings it
  if (!turn.prompts[0].query) {
    Ending ending;
    ending.without_model = true;
    ending.result = "";
    co_return ending;
  }
  if (over_budget(session)) co_return budget_spent(session);
  if (too_much) co_return too_long(session, turn);
  Ending ending = co_await conversation(session, turn);
  co_return ending;
}

Task<void> play_turn(Session& session, Prompt prompt) {
  Turn turn;
  TurnScript script;
  if (prompt.script)
    script.steps = *prompt.script;
  else if (prompt.query)
    script = session.scenario.turn_for(prompt.text);
  turn.prompts.push_back(std::move(prompt));
  turn.script = script.steps;
  co_await tell_of_instructions(session);
  session.turn = &turn;
  begin(session, turn);
  std::optional<Ending> ending;
  try {
    if (!script.raw) co_await session.mcp.wait_for_all(turn.abort);
    send_lifecycle(session, turn.prompts[0], "started");
    co_await Yield(session.loop);  // what was sent with the prompt is heard before it goes on
    if (script.raw)
      co_await play_raw(session, turn);
    else
      ending = co_await play_whole(session, turn);
  } catch (const Interrupted&) {
    ending = interrupted(session, turn);
  }
  session.turn = nullptr;
  const bool put_off = !ending && !script.raw;
  if (put_off || (ending && ending->without_model)) session.scenario.give_back(script);
  if (ending) end_turn(session, turn, *ending);
  stop_if_budget_is_spent(session);
  if (put_off) put_back(session, std::move(turn.prompts[0]));
  co_await play_actions(session, nullptr, script.after);
}

bool is_of_done_tool(const Ask& ask) {
  return text_of(member(ask.request, "input"), "hook_event_name") == "PostToolUse";
}

Task<void> play_startup(Session& session) {
  Script script = session.scenario.startup();
  session.holds_lines = true;
  co_await play_actions(session, nullptr, script);
  session.holds_lines = false;
}

}  // namespace

Task<std::string> converse(Session& session, Turn& turn, Agent agent, Script& script) {
  AgentTally& tally = *agent.tally;
  const long long limit = number_of(member(session.agents, agent.type.c_str()), "maxTurns");
  bool sent_on = false;
  for (long long rounds = 1;;) {
    co_await play_actions(session, &turn.abort, script);
    Json step = next_message(script);
    Spoken spoken = co_await speak(session, turn, agent, std::move(step));
    if (spoken.retried) continue;
    if (spoken.refused) {
      co_await go_on_after_refusal(session, turn, agent, spoken);
      continue;
    }
    if (spoken.failed && !spoken.calls) tally.failure = spoken.failed->result;
    if (!spoken.calls && spoken.stop_reason == "max_tokens" && !std::exchange(sent_on, true)) {
      go_on_after_cut(session, turn, agent);
      continue;
    }
    if (!spoken.calls) co_return spoken.text;
    if (!spoken.text.empty()) tally.last_text = spoken.text;
    turn.budget_spent = !agent.background && over_budget(session);
    if (turn.budget_spent) turn.abort.fire();
    if (agent.background && !session.turn) stop_if_budget_is_spent(session);
    co_await spoken.calls->finish();
    if (tally.hook_stopped || tally.interrupted) co_return "";
    tally.out_of_turns = limit > 0 && rounds++ >= limit;
    if (tally.out_of_turns) co_return tally.last_text;
  }
}

void send_note(Session& session, Turn& turn, const std::string& text) {
  session.send(user_line(session, kMain, Json::array({text_block(text)})));
  ++turn.user_lines;
}

// The host sees it as a message of blocks, unless it is said to a subagent that the turn waits for;
// the file has it as it is.
void urge(Session& session, Turn& turn, const Agent& agent, const std::string& text,
          const std::string& refused_message) {
  const bool main = agent.id.empty();
  Json line = user_line(session, agent, Json::array({text_block(text)}));
  line["isSynthetic"] = true;
  if (main && !refused_message.empty()) line["refused_message_id"] = refused_message;
  if (main || agent.background) session.output.put(dump(line) + "\n");
  if (main) ++turn.user_lines;
  line["message"]["content"] = text;
  session.transcript.add_line(line);
}

void withdraw_hooks_of_done_tools(Session& session) {
  for (const AskPtr& ask : std::vector<AskPtr>(session.asks.open()))
    if (is_of_done_tool(*ask) && !is_of_background(session, *ask)) session.asks.withdraw(ask);
}

// The order is the CLI's: what is open is withdrawn before the receipt is written.
bool interrupt(Session& session) {
  if (!session.turn) return false;
  const char* reason =
      session.turn->send_now ? "AbortError: interrupt" : "AbortError: remote-cancel";
  for (const AskPtr& ask : std::vector<AskPtr>(session.asks.open())) {
    if (is_of_background(session, *ask)) continue;
    if (ask->kind == Ask::Kind::permission) {
      session.turn->withdrawn.push_back(text_of(ask->request, "tool_use_id"));
      session.asks.withdraw(ask);
    } else if (ask->kind == Ask::Kind::hook) {
      if (!session.turn->send_now || !is_of_done_tool(*ask)) session.asks.withdraw(ask);
    } else if (text_of(member(ask->request, "message"), "method") == "tools/call") {
      session.mcp.cancel(ask, reason);
    } else if (ask->kind == Ask::Kind::elicitation) {
      session.asks.give_up(ask);  // it is withdrawn after the receipt
    }
  }
  session.mcp.cancel_calls_of_programs(reason);
  return true;
}

Task<void> live(Session& session) {
  const std::string name = session.args.value("--name");
  const std::string title = name.empty() ? session.title : name;  // of an earlier process
  if (!title.empty()) session.rename(title);
  co_await play_startup(session);
  queue_deferred(session);
  release_held_lines(session);
  for (;;) {
    const bool waited = !session.queue.empty();
    while (session.queue.empty()) {
      const bool done =
          session.input_ended && session.tasks.empty() && !session.scenario.ignores_eof;
      if (done) session.exit(session.last_failed ? 1 : 0);
      session.work.close();
      co_await Wait(session.loop, &session.work, nullptr, std::nullopt);
    }
    Prompt prompt = next_prompt(session, waited);
    co_await play_turn(session, std::move(prompt));
  }
}

}  // namespace claude::sim
