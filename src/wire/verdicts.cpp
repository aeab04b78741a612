// See verdicts.h. What the CLI does with each output was seen on 2.1.325.
#include "wire/verdicts.h"

#include <concepts>

namespace claude::wire {
namespace {

// Builds the output of one verdict.
class Maker {
 public:
  Maker(bool before_tool, std::string* warning) : before_tool_(before_tool), warning_(warning) {}

  HookOutput output;

  void make(const Proceed&) { output.continue_run = true; }
  void make(const Allow& allow) {
    decide("allow");
    if (allow.updated_input) change_input(*allow.updated_input);
  }
  void make(const Deny& deny) { decide("deny", deny.message); }
  void make(const Ask& ask) { decide("ask", ask.reason); }
  void make(const claude::Block& block) {
    if (before_tool_) return decide("deny", block.reason);
    output.decision = "block";
    output.reason = block.reason;
  }
  void make(const ModifyInput& modify) { change_input(modify.input); }
  void make(const AddContext& context) { add_context(context.text); }
  void make(const StopRun& stop) {
    output.continue_run = false;
    output.stop_reason = stop.reason;
    // The run ends, but the tool that the hook was asked about would still run.
    if (before_tool_) decide("deny", stop.reason);
  }
  void make(const RunAsync& later) {
    output.async = true;
    output.async_timeout_ms = later.timeout.count();
  }

  void add_context(const std::string& text) { specific("additionalContext", text); }

 private:
  void decide(const char* decision) { specific("permissionDecision", decision); }
  void decide(const char* decision, const std::string& reason) {
    decide(decision);
    specific("permissionDecisionReason", reason);
  }
  void change_input(const Json& input) {
    if (input.is_object()) return specific("updatedInput", input);
    if (warning_ != nullptr) *warning_ = "a hook changed the input to something that is no object";
    if (!output.specific) output.continue_run = true;
  }
  void specific(const char* name, Json value) {
    if (!output.specific) output.specific = Json::object();
    output.specific->set(name, std::move(value));
  }

  bool before_tool_;
  std::string* warning_;
};

}  // namespace

template <class Event>
HookOutput to_output(const Verdict<Event>& verdict, std::string* warning) {
  Maker maker(std::same_as<Event, PreToolUse>, warning);
  std::visit([&](const auto& answer) { maker.make(answer); }, verdict.answer);
  if (verdict.context) maker.add_context(*verdict.context);
  maker.output.system_message = verdict.system_message;
  const bool ends = std::holds_alternative<claude::Block>(verdict.answer) ||
                    std::holds_alternative<StopRun>(verdict.answer);
  if (std::same_as<Event, UserPromptSubmit> && ends && verdict.system_message && warning) {
    *warning = "the CLI shows no message of a hook that blocks the prompt: say it in the reason";
  }
  return std::move(maker.output);
}

template HookOutput to_output(const Verdict<PreToolUse>&, std::string*);
template HookOutput to_output(const Verdict<PostToolUse>&, std::string*);
template HookOutput to_output(const Verdict<UserPromptSubmit>&, std::string*);
template HookOutput to_output(const Verdict<Stop>&, std::string*);
template HookOutput to_output(const Verdict<SubagentStop>&, std::string*);
template HookOutput to_output(const Verdict<PreCompact>&, std::string*);

}  // namespace claude::wire
