// The initialize request: what the CLI is told before the first prompt.
//
// These functions take options that passed launch/check.h and cannot fail.
#pragma once

#include <claude/options.h>

#include "launch/surroundings.h"

namespace claude::launch {

// How much longer than we do the CLI waits for a hook. A hook that the CLI gives up on refuses
// the tool, so ours has to give up first and answer.
inline constexpr std::chrono::milliseconds kHookTimeoutMargin{5'000};

// How long we wait for the callback of a hook.
std::chrono::milliseconds hook_timeout(const Hooks::Registration& hook, const Options& options);

// The name under which the CLI calls a hook back: its index in Options::hooks.registrations().
std::string hook_id(std::size_t index);

// What the request has beside its subtype.
Json initialize_fields(const Options& options);

// Whether the library itself writes a member of this name into the request.
bool is_initialize_field(std::string_view name);

// Options::agents as the CLI takes them.
Json agents_json(const Options& options);
bool is_agent_field(std::string_view name);

// How long to wait for the answer: the option, or CLAUDE_CODE_STREAM_CLOSE_TIMEOUT (milliseconds)
// if that is longer.
std::chrono::milliseconds initialize_timeout(const Options& options, const Surroundings& around);

}  // namespace claude::launch
