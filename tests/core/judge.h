// Watches an engine at work, and says which of its laws was broken.
//
// It knows only what goes in and what comes out: the events, and the lines that were written. The
// laws are those of engine.h.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine.h"

namespace claude::core {

class Judge {
 public:
  Judge(const Engine& engine, const Limits& limits) : engine_(engine), limits_(limits) {}

  // The first law that was broken, in words; "": none.
  const std::string& problem() const { return problem_; }
  bool session_ended() const { return ended_; }

  void call_accepted(CallId call) { open_calls_.insert(call); }
  void turn_accepted(TurnId turn) { open_turns_.insert(turn); }
  bool is_open(AskId ask) const { return open_asks_.contains(ask); }

  // A line of the CLI, as the engine takes it in. What it asks is answered for within the step, or
  // becomes an open ask, unless it asks twice or asks for a dialog, which nobody declared. This
  // holds also where the line is broken or too long; the latter only whoever fed it can tell.
  void heard(std::string_view line);
  // Pieces of lines have become one: it may be anything, and be answered for.
  void heard_pieces() { ++unclear_; }
  // What one step of a schedule has brought, in its order: before an event the lines that were
  // written up to it. `expected`: so many lines, where the step itself tells.
  void wrote(const std::vector<std::string>& lines,
             std::optional<std::size_t> expected = std::nullopt);
  void saw(const Event& event);
  void step_over(TimePoint now);
  // The session is over: nothing may be left.
  void all_over();

 private:
  void broken(const std::string& law) {
    if (problem_.empty()) problem_ = law;
  }
  bool has_open_ask(const std::string& id) const;
  void wrote_answer(const nlohmann::json& response);
  void wrote_other(const nlohmann::json& line);

  const Engine& engine_;
  const Limits& limits_;
  std::string problem_;
  std::set<CallId> open_calls_;
  std::set<TurnId> open_turns_;
  std::map<AskId, std::string> open_asks_;  // to their ids on the wire
  std::set<AskId> answered_for_;            // within this step: by their timeout
  std::set<std::string> asked_;             // within this step, by their ids on the wire
  std::size_t unclear_ = 0;                 // lines within this step that may have asked
  std::set<std::string> sent_ids_;
  AskId last_ask_ = 0;
  std::size_t lines_ = 0;
  bool running_ = false;
  bool ended_ = false;
};

}  // namespace claude::core
