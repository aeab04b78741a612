// What stands on the command line decides: a version, a complaint, a cassette, or a session.
#include "run.h"

#include "input.h"
#include "lines.h"
#include "replay.h"
#include "turn.h"

namespace claude::sim {
namespace {

// What the CLI refuses on its command line; empty when all is well.
std::string complaint(const Args& args) {
  if (!args.error.empty()) return args.error;
  const std::string mode = args.value("--permission-mode", "default");
  if (!is_permission_mode(mode) && mode != "manual")
    return "error: option '--permission-mode <mode>' argument '" + mode +
           "' is invalid. Allowed choices are acceptEdits, auto, bypassPermissions, manual, "
           "dontAsk, plan.";
  if (args.value("--output-format") == "stream-json" && !args.has("--verbose"))
    return "Error: When using --print, --output-format=stream-json requires --verbose";
  if (args.has("--session-id") && !is_uuid(args.value("--session-id")))
    return "Error: Invalid session ID. Must be a valid UUID.";
  const bool resumes = args.has("--resume") || args.has("--continue");
  if (args.has("--session-id") && resumes && !args.has("--fork-session"))
    return "Error: --session-id can only be used with --continue or --resume if --fork-session is "
           "also specified.";
  if (args.has("--resume-drops-turn") && !args.has("--resume-session-at"))
    return "Error: --resume-drops-turn requires --resume-session-at";
  const std::string agents = args.value("--agents");
  if (!agents.empty() && !Json::accept(agents))
    return "Error: Invalid --agents configuration:\ninvalid JSON";
  const std::string schema = args.value("--json-schema");
  if (!schema.empty() && !Json::accept(schema)) return "Error: Invalid --json-schema: invalid JSON";
  if (!schema.empty() && !Json::parse(schema).is_object())
    return "Error: --json-schema must be a JSON object";
  return {};
}

void queue_argv_prompt(Session& session) {
  std::string text;
  for (const std::string& word : session.args.words) text += (text.empty() ? "" : " ") + word;
  Json line = Json::object();
  line["type"] = "user";
  line["message"]["role"] = "user";
  line["message"]["content"] = text;
  queue_prompt(session, line);
  take_end_of_input(session);
}

[[noreturn]] void live_until_the_end(const std::vector<std::string>& arguments) {
  Args args = parse_args(arguments);
  Scenario scenario = Scenario::load(args.value("--sim-scenario"));
  Output output;
  if (args.has("--version")) {
    output.put(scenario.version + " (Claude Code)\n");
    output.exit_now(0);
  }
  if (const std::string problem = complaint(args); !problem.empty()) {
    complain(problem + "\n");
    output.exit_now(1);
  }
  if (!cassette_path(args).empty()) replay(args);
  Loop loop(output);
  Session session(std::move(args), std::move(scenario), output, loop);
  if (id_is_taken(session.args, session.cwd)) {
    complain("Error: Session ID " + session.id + " is already in use.\n");
    session.exit(1);
  }
  if (!session.startup_problem.empty()) fail_at_start(session, session.startup_problem);
  loop.on_line = [&](std::string_view line) { take_line(session, line); };
  loop.on_end_of_input = [&] { take_end_of_input(session); };
  loop.on_signal = [&](int number) { take_signal(session, number); };
  loop.spawn(live(session));
  if (session.args.value("--input-format") != "stream-json") {
    loop.set_reading(false);
    queue_argv_prompt(session);
  }
  loop.run();
}

}  // namespace

Ended run(const std::vector<std::string>& arguments) {
  try {
    live_until_the_end(arguments);
  } catch (const Ended& end) {
    return end;
  } catch (const ScenarioError& error) {
    complain(std::string("claude-sim: ") + error.what() + "\n");
    return {.code = 2};
  }
}

}  // namespace claude::sim
