// Joins the parts: check, find, build. Whatever is wrong is said before anything is started.
#include "launch/command.h"

#include "base/text.h"
#include "launch/arguments.h"
#include "launch/check.h"
#include "launch/environment.h"
#include "launch/find_cli.h"
#include "launch/initialize.h"
#include "wire/encode.h"
#include "wire/names.h"

namespace claude {
namespace launch {
namespace {

std::optional<Error> check_cwd(const std::string& cwd, const Surroundings& around) {
  const PathKind kind = around.look(cwd);
  if (kind == PathKind::directory) return std::nullopt;
  Error error;
  error.code = Errc::cwd_missing;
  error.message = "the working directory " + cwd +
                  (kind == PathKind::nothing ? " does not exist" : " is not a directory");
  error.where = cwd;
  error.advice = "Create it, or set Options::cwd to a directory that exists.";
  return error;
}

// What somewhere else may find.
std::string unfound(const Options& options) {
  return options.cli_path.empty() ? std::string(kProgram) : options.cli_path;
}

Result<Command> complete(Command command, const Options& options, const Surroundings& around) {
  if (auto fault = check_words(command.arguments)) return std::unexpected(*fault);
  // A transport of the user's own may lead to another machine, or to none.
  const bool is_here = !options.transport;
  if (!options.cwd.empty()) {
    command.cwd = around.absolute(options.cwd);
    auto fault = check_cwd(command.cwd, around);
    if (fault && is_here) return std::unexpected(*fault);
  }
  Result<std::string> program = find_cli(options, around);
  if (!program && is_here) return std::unexpected(program.error());
  command.program = program ? std::move(*program) : unfound(options);
  command.environment = environment(options, around);
  return command;
}

}  // namespace

Result<Command> session_command(const Options& options, std::string_view session_id,
                                const Surroundings& around) {
  if (auto fault = check(options)) return std::unexpected(*fault);
  Command command;
  command.arguments = arguments(options, session_id);
  wire::append_request(command.initialize, kInitializeId,
                       wire::request(wire::kInitialize, initialize_fields(options)));
  command.initialize.pop_back();  // the newline
  return complete(std::move(command), options, around);
}

Result<Command> legacy_command(const Options& options, std::string_view prompt,
                               const Surroundings& around) {
  if (auto fault = check(options)) return std::unexpected(*fault);
  if (auto fault = check_legacy_prompt(prompt)) return std::unexpected(*fault);
  Command command;
  command.arguments = legacy_arguments(options, prompt);
  return complete(std::move(command), options, around);
}

}  // namespace launch

Result<Command> resolve(const Options& options) {
  const launch::Surroundings around = launch::real_surroundings();
  if (options.legacy_argv) return launch::legacy_command(options, launch::kAnyPrompt, around);
  return launch::session_command(
      options, options.session_id ? *options.session_id : launch::kFreshSessionId, around);
}

}  // namespace claude
