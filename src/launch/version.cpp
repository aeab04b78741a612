// Reading and judging version numbers. Who asks for them, and when, is the session's business.
#include "launch/version.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "launch/find_cli.h"

namespace claude::launch {
namespace {

std::optional<Version> version_at_start(std::string_view line) {
  if (line.starts_with('v')) line.remove_prefix(1);
  Version version{};
  const char* at = line.data();
  const char* const end = at + line.size();
  for (std::size_t part = 0; part < version.size(); ++part) {
    if (part > 0 && (at == end || *at++ != '.')) return std::nullopt;
    if (at == end || *at < '0' || *at > '9') return std::nullopt;
    const auto [behind, failure] = std::from_chars(at, end, version[part]);
    if (failure != std::errc()) return std::nullopt;
    at = behind;
  }
  return version;
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (const auto version = version_at_start(line)) return version;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return std::nullopt;
}

VersionVerdict judge_version(std::string_view text) {
  const auto version = parse_version(text);
  if (!version) return VersionVerdict::unknown;
  return *version < parse_version(kMinimumCliVersion) ? VersionVerdict::below : VersionVerdict::ok;
}

std::string_view shown_version(std::string_view text) {
  constexpr std::size_t kShownBytes = 80;
  const auto strange = std::ranges::find_if(text, [](char c) { return c < ' ' || c > '~'; });
  const auto plain = static_cast<std::size_t>(strange - text.begin());
  return base::trim_end(text.substr(0, std::min(plain, kShownBytes)));
}

std::optional<Error> refuse_version(std::string_view text, bool allow_old_cli) {
  if (allow_old_cli || judge_version(text) != VersionVerdict::below) return std::nullopt;
  Error error;
  error.code = Errc::unsupported_version;
  error.message = "the CLI is version " + std::string(shown_version(text)) +
                  ", older than the minimum " + std::string(kMinimumCliVersion);
  error.where = "version";
  error.advice = update_advice() + " Options::allow_old_cli lets an old one pass.";
  error.cli_text = text;
  return error;
}

bool asks_version_first(const Options& options) {
  return options.version_check == VersionCheck::before_start && !options.legacy_argv;
}

std::string update_advice() {
  return "Claude Code " + std::string(kMinimumCliVersion) +
         " or newer is needed: update it (claude update, or " + std::string(kInstallCommand) +
         "@latest).";
}

}  // namespace claude::launch
