// Options that contradict each other, that the CLI would silently ignore, or that it would read
// as something else than was meant. Everything else in this room relies on these having passed.
#pragma once

#include <claude/options.h>

#include "launch/arguments.h"

namespace claude::launch {

// Linux takes no word of a command line or environment longer than this (MAX_ARG_STRLEN).
inline constexpr std::size_t kLongestWordBytes = 128 * 1024 - 1;

// Timers of node fire at once when they are set to more than 2^31 ms, some 24.8 days.
inline constexpr std::chrono::hours kLongestHookTimeout{24 * 24};

// The first fault found, as invalid_option: `where` names the member of Options, `advice` says
// what to write instead.
std::optional<Error> check(const Options& options);

// The same for the words made of them: `arguments(...)` or `legacy_arguments(...)`.
std::optional<Error> check_words(const Words& words);

// What only matters for the form with the prompt on the command line.
std::optional<Error> check_legacy_prompt(std::string_view prompt);

}  // namespace claude::launch
