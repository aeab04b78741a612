// Hooks: your code, called by the CLI at fixed points of its work.
//
//   options.hooks.pre_tool_use("Bash", [](const claude::PreToolUse& call) {
//     return claude::deny("no shell today");
//   });
//
// Each event takes only the verdicts that the CLI heeds for it: anything else does not compile.
// A hook that throws, or takes longer than its timeout, lets things go on (fail open), unless
// HookOptions::on_failure says block. Callbacks run on a pool of the runtime, several at a time;
// one marked inline runs on the reading thread: only for code that returns at once.
#pragma once

#include <claude/permission.h>

#include <chrono>
#include <concepts>
#include <type_traits>
#include <variant>

namespace claude {

// ---- What a hook is told -------------------------------------------------------------------

struct HookInput {
  std::string_view session_id;
  std::string_view transcript_path;
  std::string_view cwd;
  std::string_view hook_event_name;
  Text permission_mode;
  Text prompt_id;
  Text agent_id;
  Text agent_type;
  RawJson effort;
  std::string_view tool_use_id;   // of the tool; a made-up id for events without one
  std::vector<OtherField> other;  // fields without a member of their own
  RawJson raw;                    // the whole input
  CancelToken cancel;
  Keep keep;
};

struct PreToolUse : HookInput {
  std::string_view tool_name;
  RawJson tool_input;
  RawJson mcp_server;
};

struct PostToolUse : HookInput {
  std::string_view tool_name;
  RawJson tool_input;
  RawJson tool_response;
  RawJson mcp_server;
  Field<double> duration_ms;
};

struct UserPromptSubmit : HookInput {
  std::string_view prompt;
  Text session_title;
  Text source;
};

struct Stop : HookInput {
  bool stop_hook_active = false;
  Text last_assistant_message;
  RawJson background_tasks;
  RawJson session_crons;
};

struct SubagentStop : HookInput {
  bool stop_hook_active = false;
  Text agent_transcript_path;
  Text last_assistant_message;
  RawJson background_tasks;
  RawJson session_crons;
};

struct PreCompact : HookInput {
  std::string_view trigger;  // "manual" or "auto"
  Text custom_instructions;
};

// ---- What a hook may answer ----------------------------------------------------------------

// The answer as the wire has it. Verdicts below make one; write your own for an event that has no
// type here.
struct HookOutput {
  std::optional<bool> continue_run = {};  // "continue"
  std::optional<std::string> stop_reason = {};
  std::optional<bool> suppress_output = {};
  std::optional<std::string> decision = {};
  std::optional<std::string> reason = {};
  std::optional<std::string> system_message = {};
  std::optional<bool> async = {};
  std::optional<std::int64_t> async_timeout_ms = {};
  std::optional<Json> specific = {};  // "hookSpecificOutput", without its event name
};

struct Proceed {};
struct Block {
  std::string reason;
};
struct Ask {
  std::string reason;
};
struct ModifyInput {
  Json input;
};
struct AddContext {
  std::string text;
};
struct StopRun {
  std::string reason;
};
struct RunAsync {
  std::chrono::milliseconds timeout;
};

// Goes on as if there were no hook.
inline Proceed proceed() {
  return {};
}
// Stops what was about to happen, and tells the model why: the tool call, the prompt, or (for
// Stop) the end of the turn. For PostToolUse the tool has run: the model is told what is wrong.
inline Block block(std::string reason) {
  return {std::move(reason)};
}
// Has the permission callback asked, whatever the rules say.
inline Ask ask(std::string reason) {
  return {std::move(reason)};
}
// Runs the tool with this input instead, after the normal permission check. Must be an object.
inline ModifyInput modify_input(Json input) {
  return {std::move(input)};
}
// Tells the model something more.
inline AddContext add_context(std::string text) {
  return {std::move(text)};
}
// Ends the whole run.
inline StopRun stop_run(std::string reason) {
  return {std::move(reason)};
}
// The hook goes on working by itself; the CLI does not wait for it.
inline RunAsync run_async(std::chrono::milliseconds timeout) {
  return {timeout};
}

// Which verdict goes with which event.
template <class Event, class Answer>
inline constexpr bool takes = false;
template <class Event>
inline constexpr bool takes<Event, Proceed> = true;
template <class Event>
inline constexpr bool takes<Event, StopRun> = true;
template <class Event>
inline constexpr bool takes<Event, RunAsync> = true;
template <class Event>
inline constexpr bool takes<Event, Block> = !std::same_as<Event, PreCompact>;
template <class Event>
inline constexpr bool takes<Event, AddContext> = !std::same_as<Event, PreCompact>;
template <>
inline constexpr bool takes<PreToolUse, Allow> = true;
template <>
inline constexpr bool takes<PreToolUse, Deny> = true;
template <>
inline constexpr bool takes<PreToolUse, Ask> = true;
template <>
inline constexpr bool takes<PreToolUse, ModifyInput> = true;

template <class Event>
class Verdict {
 public:
  template <class Answer>
    requires takes<Event, Answer>
  Verdict(Answer given) : answer(std::move(given)) {}

  // A line for the user, beside the verdict.
  Verdict with_system_message(std::string text) && {
    system_message = std::move(text);
    return std::move(*this);
  }
  // More for the model, beside the verdict.
  Verdict with_context(std::string text) &&
    requires takes<Event, AddContext>
  {
    context = std::move(text);
    return std::move(*this);
  }

  std::variant<Proceed, Allow, Deny, Block, Ask, ModifyInput, AddContext, StopRun, RunAsync> answer;
  std::optional<std::string> system_message;
  std::optional<std::string> context;
};

// ---- Registering ---------------------------------------------------------------------------

enum class OnFailure : std::uint8_t { proceed, block };

struct HookOptions {
  // How long the callback may take; unset: Options::timeouts.hook.
  std::optional<std::chrono::milliseconds> timeout = {};
  // What a failing callback (exception, timeout, dropped reply) means.
  OnFailure on_failure = OnFailure::proceed;
  // Runs on the reading thread instead of the pool.
  bool run_inline = false;
};

// Answers by returning, or later: one of the two is set.
template <class Event>
struct HookHandler {
  std::function<Verdict<Event>(const Event&)> now = {};
  std::function<void(Event, Reply<Verdict<Event>>)> later = {};
};
using AnyHookHandler = std::function<void(HookInput, Reply<HookOutput>)>;

class Hooks {
 public:
  struct Registration {
    std::string event;  // by its name on the wire
    std::optional<std::string> matcher;
    HookOptions options;
    std::variant<HookHandler<PreToolUse>, HookHandler<PostToolUse>, HookHandler<UserPromptSubmit>,
                 HookHandler<Stop>, HookHandler<SubagentStop>, HookHandler<PreCompact>,
                 AnyHookHandler>
        handler;
  };

  // A matcher is the CLI's: a tool name, "Write|Edit", or a regular expression; without one the
  // hook is called for every tool. `handler` is a function of the event that returns a verdict of
  // it, or takes a Reply as well and answers later.
  template <class F>
  Hooks& pre_tool_use(std::string matcher, F handler, HookOptions options = {}) {
    return add<PreToolUse>(std::move(matcher), std::move(handler), options);
  }
  template <class F>
    requires std::invocable<F, const PreToolUse&> ||
             std::invocable<F, PreToolUse, Reply<Verdict<PreToolUse>>>
  Hooks& pre_tool_use(F handler, HookOptions options = {}) {
    return add<PreToolUse>(std::nullopt, std::move(handler), options);
  }
  template <class F>
  Hooks& post_tool_use(std::string matcher, F handler, HookOptions options = {}) {
    return add<PostToolUse>(std::move(matcher), std::move(handler), options);
  }
  template <class F>
    requires std::invocable<F, const PostToolUse&> ||
             std::invocable<F, PostToolUse, Reply<Verdict<PostToolUse>>>
  Hooks& post_tool_use(F handler, HookOptions options = {}) {
    return add<PostToolUse>(std::nullopt, std::move(handler), options);
  }
  template <class F>
  Hooks& user_prompt_submit(F handler, HookOptions options = {}) {
    return add<UserPromptSubmit>(std::nullopt, std::move(handler), options);
  }
  template <class F>
  Hooks& stop(F handler, HookOptions options = {}) {
    return add<Stop>(std::nullopt, std::move(handler), options);
  }
  template <class F>
  Hooks& subagent_stop(F handler, HookOptions options = {}) {
    return add<SubagentStop>(std::nullopt, std::move(handler), options);
  }
  // The matcher is the trigger: "manual" or "auto".
  template <class F>
  Hooks& pre_compact(F handler, HookOptions options = {}) {
    return add<PreCompact>(std::nullopt, std::move(handler), options);
  }
  // An event that has no type of its own yet, by the name the CLI gives it.
  Hooks& on(std::string event, std::optional<std::string> matcher, AnyHookHandler handler,
            HookOptions options = {});

  bool empty() const { return registrations_.empty(); }
  const std::vector<Registration>& registrations() const { return registrations_; }

 private:
  template <class Event, class F>
  Hooks& add(std::optional<std::string> matcher, F handler, const HookOptions& options) {
    HookHandler<Event> given;
    if constexpr (std::invocable<F, Event, Reply<Verdict<Event>>>) {
      given.later = std::move(handler);
    } else {
      static_assert(std::convertible_to<std::invoke_result_t<F, const Event&>, Verdict<Event>>,
                    "this event does not take that verdict: the CLI would ignore it");
      given.now = std::move(handler);
    }
    registrations_.push_back({event_name<Event>(), std::move(matcher), options, std::move(given)});
    return *this;
  }
  template <class Event>
  static std::string event_name();

  std::vector<Registration> registrations_;
};

}  // namespace claude
