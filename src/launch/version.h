// Which versions of the CLI we work with.
//
// Asking costs nothing in the normal case: the answer to initialize names the version. `--version`
// is run only to explain a failed start, or before each start when the options say so.
#pragma once

#include <claude/options.h>

#include <array>

namespace claude::launch {

inline constexpr std::string_view kVersionFlag = "--version";
inline constexpr std::chrono::milliseconds kVersionTimeout{2'000};
// What is read of the answer: a program that is no CLI may print without end.
inline constexpr std::size_t kVersionBytes = 64 << 10;

using Version = std::array<int, 3>;  // compares as versions do

// The version in what `--version` prints, "2.1.325 (Claude Code)", or in the answer to initialize,
// "2.1.325". A line of warnings before it does no harm; what follows the third number is ignored.
std::optional<Version> parse_version(std::string_view text);

enum class VersionVerdict : std::uint8_t {
  ok,
  below,    // of kMinimumCliVersion
  unknown,  // the text names none: warn and go on
};
VersionVerdict judge_version(std::string_view text);

// For people: up to the first byte that is not printable. A program that is no CLI may print
// anything.
std::string_view shown_version(std::string_view text);

// The refusal of a CLI that is too old; nothing when it is new enough, when nobody knows, or when
// an old one is allowed (Options::allow_old_cli).
std::optional<Error> refuse_version(std::string_view text, bool allow_old_cli);

// Whether `--version` is to be asked before the start: the legacy form needs no protocol, so any
// version will do.
bool asks_version_first(const Options& options);

// "Claude Code 2.0.0 or newer is needed: ..." for advice.
std::string update_advice();

}  // namespace claude::launch
