// When calls begin, in which order their results come, and what an interrupt leaves of them.
#include "batch.h"

#include <algorithm>
#include <utility>

#include "programs.h"
#include "tool_lines.h"

namespace claude::sim {
namespace {

constexpr const char* kStopped =
    " Correction to the text above: this call was stopped while running.";
constexpr const char* kInterrupted =
    "Interrupted: the response that made this tool call was stopped by a safety classifier while "
    "the call was running; it may have partially or fully completed.";
constexpr const char* kNotRun =
    "Not run: the response that made this tool call was stopped by a safety classifier.";

bool changes_nothing(Session& session, const ToolCall& call) {
  const std::string name = canonical(call.name);
  if (name == "Bash") return only_looks(text_of(call.input, "command"));
  return session.mcp.only_reads(name) || name == "Read" || name == "Glob" || name == "Grep" ||
         name == "Agent";
}

}  // namespace

void ToolBatch::add(ToolCall call) {
  const bool missing = unavailable(session_, agent_, call).has_value();
  const int events = events_before(call, missing);
  runs_.push_back({std::move(call), missing, events});
}

// Hooks are asked at once, but a tool that changes a file looks at it first, which takes until the
// end of the message; one that reads it, until the end of its block. So does the permission of an
// MCP tool; that of a command takes one event more. All this as seen on CLI 2.1.325.
int ToolBatch::events_before(const ToolCall& call, bool missing) const {
  constexpr int kWholeMessage = 1'000'000;
  const std::string name = canonical(call.name);
  if (missing || !agent_.id.empty()) return 0;
  if (name == "Write" || name == "Edit") return kWholeMessage;
  if (name == "Read") return 1;
  if (session_.hooks.any("PreToolUse", name)) return 0;
  if (name == "AskUserQuestion" || name == "ExitPlanMode" || name == "WebSearch") return 0;
  return name == "Agent" || name.starts_with("mcp__") ? 1 : 2;
}

bool ToolBatch::may_begin(const Run& run) const {
  if (turn_.abort.fired() || !turn_.deferred.is_null()) return false;
  return std::ranges::all_of(runs_, [&](const Run& other) {
    const bool at_work = other.begun && !other.ended;
    return !at_work ||
           (changes_nothing(session_, run.call) && changes_nothing(session_, other.call));
  });
}

bool ToolBatch::is_hooked() const {
  return session_.hooks.any("PreToolUse", canonical(runs_.back().call.name));
}

bool ToolBatch::delegates() const {
  return canonical(runs_.back().call.name) == "Agent" && !is_hooked();
}

bool ToolBatch::note_event() {
  const bool awaited = event_.is_awaited();
  event_.open();
  event_.close();
  if (std::ranges::any_of(runs_, &Run::begun)) heard_.open();
  for (Run& run : runs_) run.events = std::max(run.events - 1, 0);
  start();
  said_.close();
  return awaited;
}

void ToolBatch::note_allowed(const ToolCall& call) {
  for (Run& run : runs_) run.allowed |= run.call.id == call.id;
}

void ToolBatch::note_pause() {
  for (Run& run : runs_) run.events = 0;
  start();
  said_.open();
  event_.open();
}

void ToolBatch::start() {
  bool waits = false;  // for a call before it
  for (Run& run : runs_) {
    if (run.begun) continue;
    waits = waits || run.events > 0 || !may_begin(run);
    if (waits && !run.missing) continue;
    run.begun = true;
    session_.loop.spawn(play(run));
  }
}

void ToolBatch::start_around(const Show& say) {
  shown_.close();
  start();
  if (say) say();
  shown_.open();
}

// The hooks of the next call are asked before the result of this one is out.
Task<void> ToolBatch::play(Run& run) {
  const auto alive = shared_from_this();
  Show show_result;
  try {
    show_result = co_await run_tool(session_, turn_, agent_, run.call, *this);
  } catch (const Interrupted&) {
  }
  run.ended = true;
  run.answered = show_result != nullptr;
  start_around(show_result);
  ended_.open();
}

Task<void> ToolBatch::settle() {
  const auto at_work = [](const Run& run) { return run.begun && !run.ended; };
  while (std::ranges::any_of(runs_, at_work)) {
    ended_.close();
    co_await Wait(session_.loop, &ended_, nullptr, std::nullopt);
  }
}

Task<void> ToolBatch::until_files_are_read(Time until) {
  const auto reads = [](const Run& run) {
    return run.begun && !run.ended && canonical(run.call.name) == "Read";
  };
  while (std::ranges::any_of(runs_, reads) && Clock::now() < until) {
    ended_.close();
    co_await Wait(session_.loop, &ended_, &turn_.abort, until);
  }
}

void ToolBatch::show(const ToolCall& call, const ToolOutcome& outcome, const Json& meta) {
  send_result(session_, turn_, agent_, call, outcome, meta);
  Json& row = rows_[call.id];
  row["tool_name"] = canonical(call.name);
  row["tool_input"] = call.said_input;
  row["tool_use_id"] = call.id;
  row["tool_response"] = outcome.content;
}

void ToolBatch::note_if_withdrawn(const Run& run) {
  if (std::ranges::find(turn_.withdrawn, run.call.id) == turn_.withdrawn.end()) return;
  ToolCall asked = run.call;
  asked.input = normalised_input(canonical(asked.name), asked.input, session_.cwd);
  note_denial(turn_, asked);
}

// A subagent that the turn waits for ends with it, and says no more: only its file has the rest.
void ToolBatch::reject_unanswered() {
  const bool silent = !agent_.id.empty() && !agent_.background;
  for (const Run& run : runs_) {
    if (run.answered) continue;
    note_if_withdrawn(run);
    if (turn_.send_now && !silent) {
      show(run.call, rejection(kCancelled, kCancelled), rejection_meta(run.call, "cancelled"));
      continue;
    }
    const bool stopped = turn_.at_work.contains(run.call.id) && !agent_.background;
    const ToolOutcome outcome =
        rejection(std::string(kRejected) + (stopped ? kStopped : ""), "User rejected tool use");
    if (silent)
      session_.transcript.add_line(tool_result_line(session_, agent_, run.call, outcome, Json()));
    else
      show(run.call, outcome,
           agent_.id.empty() ? rejection_meta(run.call, "user-rejected") : Json());
  }
  if (silent) return;
  for (const auto& tell : std::exchange(turn_.after_rejections, {})) tell();
}

Task<void> ToolBatch::tell_hooks() {
  HookCall hook{"PostToolBatch", "", Json::object(), "hook-" + session_.ids.uuid(), &turn_.abort};
  Json& calls = hook.fields["tool_calls"] = Json::array();
  for (const Run& run : runs_)
    if (const auto row = rows_.find(run.call.id); row != rows_.end()) calls.push_back(row->second);
  const std::vector<HookReply> replies = co_await session_.hooks.call(session_, agent_, hook);
  for (const HookReply& reply : replies)
    if (member(reply.output, "continue") == false)
      (agent_.id.empty() ? turn_.hook_stopped : agent_.tally->hook_stopped) = true;
}

Task<void> ToolBatch::give_up() {
  co_await settle();
  reject_unanswered();
}

Task<bool> ToolBatch::stop() {
  const auto alive = shared_from_this();
  if (!agent_.id.empty()) co_await Yield(session_.loop);  // they begin with the line that says them
  const auto is_own = [&](const std::string& id) {
    return std::ranges::any_of(runs_, [&](const Run& run) { return run.call.id == id; });
  };
  for (const AskPtr& ask : std::vector<AskPtr>(session_.asks.open())) {
    const std::string id = text_of(ask->request, "tool_use_id");
    if (!is_own(id)) continue;
    if (ask->kind == Ask::Kind::permission) turn_.withdrawn.push_back(id);
    session_.asks.withdraw(ask);
  }
  turn_.abort.fire();
  co_await settle();
  turn_.abort.rearm();
  bool stopped_some = false;
  for (const Run& run : runs_) {
    if (run.answered) continue;
    note_if_withdrawn(run);
    stopped_some |= run.allowed;
    const char* text = run.allowed ? kInterrupted : kNotRun;
    const Json meta = rejection_meta(run.call, run.allowed ? "interrupted" : "cancelled");
    show(run.call, rejection(text, text), agent_.id.empty() ? meta : Json());
  }
  co_return stopped_some;
}

Task<void> ToolBatch::finish() {
  const auto alive = shared_from_this();
  const bool main = agent_.id.empty();
  const bool leads = main || agent_.background;  // the turn is its own
  if (leads) turn_.in_tools = true;
  if (!main) agent_.tally->in_tools = true;
  note_pause();
  heard_.open();
  co_await settle();
  const bool delegated = canonical(runs_.back().call.name) == "Agent";
  if (delegated && is_hooked()) co_await Yield(session_.loop);  // its first words come before ours
  if (turn_.abort.fired()) {
    if (!turn_.budget_spent) reject_unanswered();
    throw Interrupted{};
  }
  if (!main) agent_.tally->in_tools = false;
  turn_.in_batch_hooks = leads;
  if (turn_.deferred.is_null()) co_await tell_hooks();
  turn_.in_batch_hooks = false;
  if (leads) turn_.in_tools = false;
  if (!main) co_return;
  for (const Run& run : runs_) used_.insert(canonical(run.call.name));
  session_.known_tools.merge(used_);
}

}  // namespace claude::sim
