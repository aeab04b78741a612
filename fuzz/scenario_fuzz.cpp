// Any text as a scenario, and as the steps that a prompt carries itself: it is taken, or refused
// with a reason. What is taken is what the prompts it waits for are answered with, step by step.
#include "fail.h"
#include "scenario.h"
#include "world.h"

namespace {

using namespace claude::sim;

constexpr const char* kVariable = "CLAUDE_SIM_SCENARIO_JSON";
constexpr const char* kPrompt = "the prompt's script";

void play(Script script) {
  while (!script.done()) {
    is_message_step(script.peek());
    const Json step = script.take();
    if (!step.is_object()) must_be_none(script.path() + " is no step");
  }
}

std::vector<std::string> prompts_for(const Scenario& scenario) {
  std::vector<std::string> prompts;
  for (const Json& turn : scenario.top("turns")) {
    const Json& when = member(turn, "when");
    prompts.push_back(text_of(when, "prompt_contains") + text_of(when, "prompt_equals"));
  }
  return prompts;
}

void play_scenario() {
  Scenario scenario = Scenario::load("");
  play(scenario.startup());
  for (const std::string& prompt : prompts_for(scenario)) {
    const TurnScript turn = scenario.turn_for(prompt);
    play(turn.steps);
    play(turn.after);
    if (turn.index.value_or(0) % 2 == 1) scenario.give_back(turn);
  }
}

void or_reason(void (*action)()) {
  try {
    action();
  } catch (const ScenarioError& error) {
    const std::string_view reason = error.what();
    if (!reason.starts_with(kVariable) && !reason.starts_with(kPrompt)) must_be_none(error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string& text = world().environment[kVariable];
  text.assign(reinterpret_cast<const char*>(data), size);
  or_reason(play_scenario);
  or_reason([] { play(built_in_script("@@" + variable(kVariable) + "@@")); });
  return 0;
}
