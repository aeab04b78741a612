// Continuations only: nobody blocks in next() or get().
#include "soak/together.h"

#include <atomic>
#include <latch>

#include "soak/visits.h"

namespace claude::soak {

Held together(std::size_t count, Options options) {
  std::atomic<std::size_t> hooked = 0;
  std::atomic<std::size_t> well = 0;
  std::latch ended(static_cast<std::ptrdiff_t>(count));
  options.environment.set["CLAUDE_SIM_SCENARIO_JSON"] = R"({"turns": [{"model": [
      {"tool": "Bash", "input": {"command": "make"}, "output": "made"}, {"text": "Made."}]}]})";
  options.can_use_tool = [](const ToolRequest&) -> Permission { return allow(); };
  options.hooks.pre_tool_use([&](const PreToolUse&) {
    ++hooked;
    return proceed();
  });

  std::vector<Session> sessions;
  for (std::size_t i = 0; i < count; ++i) {
    sessions.push_back(must(Session::start(options), "start"));
  }
  std::vector<Turn> turns;
  for (Session& session : sessions) {
    turns.push_back(session.send("Make it"));
    turns.back().then([&](const Result<TurnResult>& result) {
      if (result && result->message.result.value_or("") == "Made.") ++well;
      ended.count_down();
    });
  }
  ended.wait();
  must(hooked == count, "every session ran its hook");
  must(well == count, "every session got its result");
  Held held = look();
  must(held.children == count, "every session has its CLI");
  return held;
}

}  // namespace claude::soak
