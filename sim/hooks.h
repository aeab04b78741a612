// Hooks that the SDK registered: which of them an event calls, and what comes back.
//
// What an output means for the turn is decided where the event happens; here it is only called and
// checked for shape, as section 10 of the CLI's behaviour has it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json.h"
#include "loop.h"

namespace claude::sim {

struct Session;
struct Agent;

struct HookReply {
  enum class Kind { output, failed, timed_out, closed, misplaced };
  Kind kind = Kind::output;
  std::string callback_id;
  bool blocks_on_failure = false;
  Json output = Json::object();  // empty unless kind is output
};

struct HookCall {
  std::string event;
  std::string subject;      // what matchers look at: the tool's name, the trigger, ...
  Json fields;              // the event's own input fields
  std::string tool_use_id;  // empty: a random one is made up
  Abort* abort = nullptr;
};

class Hooks {
 public:
  // Takes the `hooks` of an initialize request. False: the CLI refuses that shape.
  bool replace(const Json& hooks);
  bool any(const std::string& event) const;
  // One that this subject calls.
  bool any(const std::string& event, const std::string& subject) const;

  // Sends every matching callback at once and waits for all.
  Task<std::vector<HookReply>> call(Session& session, Agent agent, HookCall call) const;

 private:
  struct Entry {
    std::string event;
    std::optional<std::string> matcher;
    std::string callback_id;
    double timeout_s;
    bool blocks_on_failure;
  };
  std::vector<Entry> entries_;
};

// The host is told that its answer could not be used.
void report_failure(Session& session, const std::string& event, const HookReply& reply);

bool matches(const std::optional<std::string>& matcher, const std::string& subject);

}  // namespace claude::sim
