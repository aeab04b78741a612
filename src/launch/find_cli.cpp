// The search for the CLI: a list of candidates, of which the first that can be run wins.
#include "launch/find_cli.h"

#include <array>
#include <optional>

namespace claude::launch {
namespace {

constexpr const char* kPathVariable = "CLAUDE_CLI_PATH";

constexpr std::array kKnownPlacesBelowHome = {
    "/.claude/local/claude", "/.local/bin/claude",        "/.npm-global/bin/claude",
    "/.bun/bin/claude",      "/node_modules/.bin/claude", "/.yarn/bin/claude",
};
constexpr std::array kKnownPlaces = {"/usr/local/bin/claude", "/opt/homebrew/bin/claude"};

std::string how_to_get_it() {
  return "Install Claude Code (" + std::string(kInstallCommand) +
         "), or set Options::cli_path or " + kPathVariable + " to its path.";
}

[[gnu::cold]] Error not_executable(const std::string& path) {
  Error error;
  error.code = Errc::not_executable;
  error.message = path + " is there, but is no program that may be executed";
  error.where = path;
  error.advice = "Give it execute permission (chmod +x), or name another path.";
  return error;
}

[[gnu::cold]] Error not_found(std::string message, std::string where) {
  Error error;
  error.code = Errc::cli_not_found;
  error.message = std::move(message);
  error.where = std::move(where);
  error.advice = how_to_get_it();
  return error;
}

std::vector<std::string> on_path(std::string_view name, const Surroundings& around) {
  std::vector<std::string> candidates;
  std::string_view rest = around.variable("PATH");
  while (!rest.empty()) {
    const std::string_view directory = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), directory.size() + 1));
    // An empty entry means the current directory: what lies there by chance is not to be run.
    if (directory.empty()) continue;
    candidates.push_back(around.absolute(std::string(directory) + "/" + std::string(name)));
  }
  return candidates;
}

// The first candidate that can be run. `source` names where the candidates come from.
Result<std::string> first_program(std::string_view name, std::string_view source,
                                  const std::vector<std::string>& candidates,
                                  const Surroundings& around) {
  std::optional<std::string> unusable;
  std::string places;
  for (const std::string& candidate : candidates) {
    const PathKind kind = around.look(candidate);
    if (kind == PathKind::program) return candidate;
    if (kind == PathKind::file && !unusable) unusable = candidate;
    places.append(places.empty() ? "" : ", ").append(candidate);
  }
  if (unusable) return std::unexpected(not_executable(*unusable));
  if (places.empty()) places = "nowhere: PATH is empty";
  return std::unexpected(not_found(
      "found no program `" + std::string(name) + "`; looked at: " + places, std::string(source)));
}

Result<std::string> named(std::string_view given, std::string_view source,
                          const Surroundings& around) {
  if (!given.contains('/')) {
    return first_program(given, source, on_path(given, around), around);
  }
  const std::string path = around.absolute(given);
  switch (around.look(path)) {
    case PathKind::program:
      return path;
    case PathKind::directory: {
      Error error = not_executable(path);
      error.message = path + " is a directory";
      error.advice = "Name the program itself: " + path + "/claude, if that is where it is.";
      return std::unexpected(std::move(error));
    }
    case PathKind::file:
      return std::unexpected(not_executable(path));
    case PathKind::nothing:
      break;
  }
  return std::unexpected(
      not_found("there is no program " + path + " (from " + std::string(source) + ")", path));
}

}  // namespace

Result<std::string> find_cli(const Options& options, const Surroundings& around) {
  if (!options.cli_path.empty()) return named(options.cli_path, "Options::cli_path", around);
  if (const auto path = around.variable(kPathVariable); !path.empty()) {
    return named(path, kPathVariable, around);
  }
  std::vector<std::string> candidates = on_path(kProgram, around);
  if (!around.home.empty()) {
    for (const char* place : kKnownPlacesBelowHome) candidates.push_back(around.home + place);
  }
  candidates.insert(candidates.end(), kKnownPlaces.begin(), kKnownPlaces.end());
  return first_program(kProgram, "PATH and the known places", candidates, around);
}

}  // namespace claude::launch
