// Verdicts in the form that makes the CLI do what they say.
#pragma once

#include <claude/hooks.h>

#include <string>
#include <string_view>
#include <variant>

namespace claude::wire {

// A changed input that is no object cannot be sent: it is left out, and `warning` says so.
template <class Event>
HookOutput to_output(const Verdict<Event>& verdict, std::string* warning = nullptr);

// What most hooks answer to most things: to go on, and nothing else.
inline constexpr std::string_view kGoOn = R"({"continue":true})";
template <class Event>
bool only_goes_on(const Verdict<Event>& verdict) {
  return std::holds_alternative<Proceed>(verdict.answer) && !verdict.system_message &&
         !verdict.context;
}

extern template HookOutput to_output(const Verdict<PreToolUse>&, std::string*);
extern template HookOutput to_output(const Verdict<PostToolUse>&, std::string*);
extern template HookOutput to_output(const Verdict<UserPromptSubmit>&, std::string*);
extern template HookOutput to_output(const Verdict<Stop>&, std::string*);
extern template HookOutput to_output(const Verdict<SubagentStop>&, std::string*);
extern template HookOutput to_output(const Verdict<PreCompact>&, std::string*);

}  // namespace claude::wire
