// The calls of one message of the model, from the first that is said to the last result.
//
// A call begins as soon as it has been said, unless one is at work that it must not disturb: only
// calls that change nothing run side by side.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "turn.h"

namespace claude::sim {

using Show = std::function<void()>;

class ToolBatch : public std::enable_shared_from_this<ToolBatch> {
 public:
  ToolBatch(Session& session, Turn& turn, Agent agent)
      : session_(session), turn_(turn), agent_(std::move(agent)) {
    shown_.open();
  }

  void add(ToolCall call);
  // Begins what may begin.
  void start();
  // The same around `say`: hooks are asked before it, the host after it.
  void start_around(const Show& say);
  // The message is complete: waits for all results, and for the PostToolBatch hooks.
  Task<void> finish();
  // The message was cut: waits until no call is at work, and rejects those without a result.
  Task<void> give_up();
  // The model refused in the midst of the message: no call goes on. Gives whether one had begun.
  Task<bool> stop();

  // The stream has shown one thing more: a subagent that has just begun hears its prompt, and the
  // next call may be due. Gives whether a call waited for just this.
  bool note_event();
  // The stream pauses: every call goes on.
  void note_pause();
  // Of the call that was said last:
  bool is_missing() const { return runs_.back().missing; }
  bool is_hooked() const;  // PreToolUse hooks hold it up
  bool delegates() const;  // at once
  const Agent& agent() const { return agent_; }

  // For a call: until the stream's next event, until its message goes on, until that is complete,
  // and until earlier results are out. An interrupt ends each.
  Wait until_next_event() { return Wait(session_.loop, &event_, &turn_.abort, std::nullopt); }
  Wait until_heard() { return Wait(session_.loop, &heard_, &turn_.abort, std::nullopt); }
  Wait until_said() { return Wait(session_.loop, &said_, &turn_.abort, std::nullopt); }
  Wait until_shown() { return Wait(session_.loop, &shown_, &turn_.abort, std::nullopt); }
  void note_allowed(const ToolCall& call);
  // For a command: until no other call of the message reads a file, or the time has come.
  Task<void> until_files_are_read(Time until);
  // A subagent among the calls used these tools.
  void note_used(const std::vector<std::string>& tools) {
    used_.insert(tools.begin(), tools.end());
  }
  // The line of a result.
  void show(const ToolCall& call, const ToolOutcome& outcome, const Json& meta);

 private:
  struct Run {
    ToolCall call;
    bool missing;  // there is no such tool
    int events;    // of the stream, until the CLI has looked at the call and begins it
    bool begun = false;
    bool allowed = false;  // nothing keeps it from running but the message, which goes on
    bool ended = false;
    bool answered = false;  // its result is out
  };
  Task<void> play(Run& run);
  int events_before(const ToolCall& call, bool missing) const;
  bool may_begin(const Run& run) const;
  Task<void> settle();
  void reject_unanswered();
  void note_if_withdrawn(const Run& run);
  Task<void> tell_hooks();

  Session& session_;
  Turn& turn_;
  Agent agent_;
  std::deque<Run> runs_;
  std::map<std::string, Json> rows_;  // for PostToolBatch, by the call
  std::set<std::string> used_;
  Gate event_;
  Gate heard_;
  Gate said_;
  Gate shown_;
  Gate ended_;  // some call has
};

// tools.cpp
// Why the tool cannot be called at all. The CLI says so at once, whatever else is at work.
std::optional<ToolOutcome> unavailable(const Session& session, const Agent& agent,
                                       const ToolCall& call);
// One call, up to its result. Gives what shows the result; nothing, when there is none.
Task<Show> run_tool(Session& session, Turn& turn, Agent agent, ToolCall call, ToolBatch& batch);

}  // namespace claude::sim
