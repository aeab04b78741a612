// The variables of the CLI, laid over each other in order: inherited, ours, the user's.
#include "launch/environment.h"

#include <claude/version.h>

#include <array>

namespace claude::launch {
namespace {

using Variables = std::map<std::string, std::string>;

// What a CLI gives to the processes it starts, what an SDK gives to its CLI, and options of node
// that were meant for another program. Inherited, they would make the new CLI a child session, or
// have it ask for services that its host does not offer.
constexpr std::array kNestingMarkers = {
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_PID",
    "CLAUDE_EFFORT",
    "AI_AGENT",
    "CLAUDE_AGENT_SDK_VERSION",
    "CLAUDE_CODE_SDK_READS_SESSION_STATE",
    "CLAUDE_CODE_SDK_READS_STARTUP_MARKS",
    "CLAUDE_CODE_SDK_HAS_OAUTH_REFRESH",
    "CLAUDE_CODE_SDK_HAS_HOST_AUTH_REFRESH",
    "CLAUDE_CODE_AGENT_PROGRESS_SUMMARIES",
    kCheckpointVariable,
    "NODE_OPTIONS",
};

Variables inherited(const Environment& wish, const Surroundings& around) {
  if (wish.mode == Environment::Mode::overlay) {
    Variables all = around.environment;
    if (!wish.strip_nesting_markers) return all;
    for (const char* name : kNestingMarkers) all.erase(name);
    return all;
  }
  Variables passed;
  for (const std::string& name : wish.pass) {
    if (const auto found = around.environment.find(name); found != around.environment.end()) {
      passed.insert(*found);
    }
  }
  return passed;
}

}  // namespace

Variables environment(const Options& options, const Surroundings& around) {
  const Environment& wish = options.environment;
  if (wish.mode == Environment::Mode::exact) return wish.set;

  Variables variables = inherited(wish, around);
  variables["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cpp";
  variables["CLAUDE_AGENT_SDK_VERSION"] = version();
  if (options.file_checkpointing) variables[kCheckpointVariable] = "true";
  if (!options.cwd.empty()) variables["PWD"] = around.absolute(options.cwd);

  for (const std::string& name : wish.unset) variables.erase(name);
  for (const auto& [name, value] : wish.set) variables[name] = value;
  return variables;
}

}  // namespace claude::launch
