// Each reason for a failed start, with its words and its advice; explain() at the end has the
// order in which they are tried.
#include "launch/explain.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "launch/version.h"

namespace claude::launch {
namespace {

constexpr std::array<std::string_view, 4> kUnknownFlag = {"unknown option", "unknown flag",
                                                          "invalid option", "unrecognized option"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// The line in which the CLI refuses a flag, or nothing.
std::string_view refused_flag(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string plain = lower(line);
    for (const std::string_view sign : kUnknownFlag) {
      if (plain.contains(sign)) return base::trim_end(line);
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

// What the CLI said last, short enough for a sentence.
std::string_view snippet(std::string_view text) {
  text = base::trim_end(text);
  return text.size() <= kSnippetBytes ? text : text.substr(text.size() - kSnippetBytes);
}

std::string number(auto value) {
  std::string digits;
  base::append_number(digits, value);
  return digits;
}

std::string how_it_ended(const FailedStart& start) {
  if (start.signal) return "was killed by signal " + number(*start.signal);
  if (start.exit_code) return "exited with code " + number(*start.exit_code);
  return "ended";
}

std::string version_remark(const FailedStart& start) {
  const std::string shown(shown_version(start.version_text));
  return shown.empty() ? "Its version is not known." : "It says that its version is " + shown + ".";
}

// Nobody is sent to update what is new enough.
std::string version_advice(const FailedStart& start) {
  if (judge_version(start.version_text) != VersionVerdict::ok) {
    return version_remark(start) + " " + update_advice();
  }
  return "Its version, " + std::string(shown_version(start.version_text)) +
         ", is not the reason: " + std::string(kMinimumCliVersion) + " or newer is needed.";
}

// What every explanation carries: the error of its own kind is filled in by the caller.
[[gnu::cold]] Error with_evidence(const FailedStart& start, Errc code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.where = "initialize";
  error.exit_code = start.exit_code;
  error.signal = start.signal;
  error.stderr_tail = start.stderr_tail;
  error.cli_text = start.stdout_text;
  return error;
}

std::optional<Error> unknown_flag(const FailedStart& start) {
  if (!start.exited) return std::nullopt;
  std::string_view line = refused_flag(start.stderr_tail);
  if (line.empty()) line = refused_flag(start.stdout_text);
  if (line.empty()) return std::nullopt;
  Error error = with_evidence(start, Errc::unsupported_version,
                              "the CLI refuses a flag: " + std::string(snippet(line)));
  error.cli_text = line;
  error.advice = update_advice() + " " + version_remark(start) +
                 " A flag of your own, from Options::extra_args, may have to go.";
  return error;
}

std::optional<Error> too_old(const FailedStart& start) {
  std::optional<Error> refusal = refuse_version(start.version_text, start.allow_old_cli);
  if (!refusal) return std::nullopt;
  Error error = with_evidence(start, refusal->code, std::move(refusal->message));
  error.advice = std::move(refusal->advice);
  return error;
}

[[gnu::cold]] Error silence(const FailedStart& start) {
  Error error = with_evidence(
      start, Errc::init_timeout,
      "the CLI did not answer initialize within " + number(start.timed_out->count()) + " ms");
  error.advice = start.silence_advice + " " + version_advice(start);
  return error;
}

[[gnu::cold]] Error refused(const FailedStart& start) {
  Error error =
      with_evidence(start, Errc::init_failed,
                    "the CLI refused initialize: " + std::string(snippet(*start.init_error)));
  error.cli_text = *start.init_error;
  error.error_code = start.init_error_code;
  error.advice =
      "Look at Options::hooks, agents, mcp_servers and initialize_fields. " + version_advice(start);
  return error;
}

[[gnu::cold]] Error early_exit(const FailedStart& start) {
  std::string message = start.instead_of_exit;
  if (message.empty()) message = "the CLI " + how_it_ended(start);
  message += " before it answered initialize";
  std::string_view said = snippet(start.stderr_tail);
  if (said.empty()) said = snippet(start.stdout_text);
  if (!said.empty()) message.append(": ").append(said);
  Error error = with_evidence(start, Errc::exited_during_init, std::move(message));
  error.advice = "Run the command that claude::resolve() shows in a terminal to see more. " +
                 version_advice(start);
  return error;
}

}  // namespace

Error explain(const FailedStart& start) {
  if (auto error = unknown_flag(start)) return *error;
  if (auto error = too_old(start)) return *error;
  if (start.spawn_error) return *start.spawn_error;
  if (start.timed_out) return silence(start);
  if (start.init_error) return refused(start);
  return early_exit(start);
}

}  // namespace claude::launch
