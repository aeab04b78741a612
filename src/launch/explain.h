// Why a start failed, in the order of what explains most: a flag that the CLI does not know, a
// version that is too old, a refusal of the system, silence, an error answer, an early exit.
//
// A pure function of what was seen; running `--version` for it is the session's work.
#pragma once

#include <claude/options.h>

namespace claude::launch {

// How much of what the CLI printed goes into the message itself.
inline constexpr std::size_t kSnippetBytes = 400;

// What was seen of a start that failed. Leave out what did not happen.
struct FailedStart {
  std::optional<Error> spawn_error{};  // the system refused
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  bool exited = false;  // also set when neither code nor signal is known
  std::optional<std::chrono::milliseconds> timed_out{};  // after how long
  std::optional<std::string> init_error{};               // the text of the error answer
  std::string init_error_code{};
  std::string silence_advice{};   // what else was seen of one that did not answer in time
  std::string instead_of_exit{};  // why it was given up, when it did not end by itself
  std::string stderr_tail{};
  std::string stdout_text{};   // what came instead of the answer
  std::string version_text{};  // what `--version` printed; empty: not asked, no answer
  bool allow_old_cli = false;
};

[[gnu::cold]] Error explain(const FailedStart& start);

}  // namespace claude::launch
