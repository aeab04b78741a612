// May a shell command run? Each of its parts may raise a concern; what the host is asked, and what
// it is offered, follows from the concerns and from how the parts hang together.
#include <algorithm>
#include <functional>

#include "concerns.h"
#include "offers.h"
#include "programs.h"

namespace claude::sim {
namespace {

constexpr const char* kOffers = "permission_suggestions";

Decision ask_because(const std::string& reason, const char* type = "other") {
  Decision decision;
  decision.message = reason;
  decision.ask_fields["decision_reason"] = reason;
  decision.ask_fields["decision_reason_type"] = type;
  return decision;
}

// Nobody may be offered a rule for this.
Decision ask_always(const std::string& reason, const std::string& message) {
  Decision decision = ask_because(reason, "safetyCheck");
  decision.message = message;
  decision.ask_fields["classifier_approvable"] = false;
  decision.ask_fields["suppress_always_allow_rule"] = true;
  return decision;
}

Decision ask_about_danger(const Concern& concern) {
  const std::string operation = "Dangerous " + concern.program + " operation ";
  const bool critical = concern.danger == "critical path";
  Decision decision = ask_always(
      operation + "on " + concern.danger + ": " + concern.path,
      operation + "detected: '" + concern.path + "'\n\nThis command would remove a " +
          (critical ? "critical system directory"
                    : "workspace directory (the working directory, an additional working "
                      "directory, or one of their parent directories)") +
          ". This requires explicit approval and cannot be auto-allowed by permission rules.");
  decision.ask_fields[kOffers] = Json::array();
  return decision;
}

// As a message names them: '/a', '/b'.
std::string folders_of(const Permissions& permissions) {
  std::string list = "'" + permissions.root + "'";
  for (const Permissions::Folder& folder : permissions.added) list += ", '" + folder.path + "'";
  return list;
}

std::string message_about(const Concern& concern, const Permissions& permissions) {
  if (concern.kind == Concern::Kind::look)
    return concern.program + " '" + concern.path +
           "' was blocked. For security, Claude Code may "
           "only " +
           concern.looks +
           " the allowed working directories for this session: " + folders_of(permissions) + ".";
  const bool inside = permissions.covers(concern.path);
  const bool redirects = concern.kind == Concern::Kind::redirection;
  return (redirects ? "Output redirection to" : concern.program + " in") + " '" + concern.path +
         "' needs approval. The path is " + (inside ? "inside" : "outside") +
         " the working directories for this session (" + folders_of(permissions) + ")" +
         (inside ? ", and Claude Code asks before a shell command creates, changes or removes "
                   "files there."
                 : ". Allowing runs the command as written.");
}

std::string message_about(const std::vector<Concern>& concerns) {
  std::string list;
  for (const Concern& concern : concerns) list += (list.empty() ? "" : ", ") + concern.part;
  return "This Bash command contains multiple operations. The following " +
         std::string(concerns.size() == 1 ? "part requires" : "parts require") +
         " approval: " + list;
}

// What would make the question needless, when one path is all that it is about.
Json offers_about(const Concern& concern, const std::string& command,
                  const Permissions& permissions) {
  Json offers = Json::array();
  const std::string folder = folder_of(concern.path);
  if (folder.empty()) return offers;
  if (permissions.asks_host)
    offers.push_back(rule_offer("Bash", offered_rule(command), "localSettings"));
  if (concern.kind == Concern::Kind::look) {
    Json update = rule_offer("Read", "", "session");
    update["rules"] = Json::array({reading_rule(folder)});
    offers.push_back(update);
    return offers;
  }
  offers.push_back(directory_offer(folder));
  if (concern.kind == Concern::Kind::change && permissions.mode != "acceptEdits")
    offers.push_back(mode_offer("acceptEdits"));
  return offers;
}

bool calls(const Command& command, const char* program) {
  return std::ranges::any_of(command.parts, [&](const Part& part) {
    return !part.words.empty() && part.words[0] == program;
  });
}

// Who changes the directory first, writes nobody knows where.
Decision ask_about_a_moved_change(const Concern& concern, const std::string& command) {
  const bool redirects = concern.kind == Concern::Kind::redirection;
  Decision decision =
      ask_because("Compound command contains cd with " +
                  std::string(redirects ? "output redirection" : "write operation") +
                  " - manual approval required to prevent path resolution bypass");
  decision.message =
      "Commands that change directories and " +
      std::string(redirects ? "write via output redirection" : "perform write operations") +
      " require explicit approval to ensure paths are evaluated correctly. For security, Claude "
      "Code cannot automatically determine the final working directory when 'cd' is used in "
      "compound commands.";
  if (!redirects)
    decision.ask_fields[kOffers] = Json::array(
        {rule_offer("Bash", offered_rule(command), "localSettings"), mode_offer("acceptEdits")});
  return decision;
}

Decision ask_about_path(const Concern& concern, const Command& command, const std::string& text,
                        const Permissions& permissions) {
  const bool changes = concern.kind == Concern::Kind::change;
  if (!concern.danger.empty()) return ask_about_danger(concern);
  if (concern.kind != Concern::Kind::look && calls(command, "cd"))
    return ask_about_a_moved_change(concern, text);
  Decision decision;
  if (!concern.two_folders && !command.background)
    decision.ask_fields[kOffers] = offers_about(concern, text, permissions);
  if (command.is_piped() && concern.kind != Concern::Kind::redirection) {
    decision.message = message_about(std::vector{concern});
    decision.ask_fields["decision_reason_type"] = "subcommandResults";
    return decision;
  }
  decision.message = message_about(concern, permissions);
  decision.ask_fields["blocked_path"] = concern.path;
  if (changes && concern.said_path.find('*') != concern.said_path.npos) {
    decision.message =
        "Glob patterns are not allowed in write operations. Please specify an exact file path.";
    decision.ask_fields["blocked_path"] = concern.said_path;
    decision.ask_fields["decision_reason"] = decision.message;
    decision.ask_fields["decision_reason_type"] = "other";
  }
  return decision;
}

// Each part has a rule of its own, unless one of them can have none.
Decision ask_about_parts(const std::vector<Concern>& concerns, const Command& command,
                         const Permissions& permissions) {
  Json update = rule_offer("Bash", "", "localSettings");
  Json& rules = update["rules"] = Json::array();
  // Of what stands between pipes in a loop or a condition nobody can tell where it ends.
  bool offered = !command.background && !(command.is_piped() && command.controls);
  for (const Concern& concern : concerns) {
    const bool looks = concern.kind == Concern::Kind::look;
    const bool changes = concern.kind == Concern::Kind::change;
    const Json rule = looks ? reading_rule(folder_of(concern.path))
                            : permission_rule("Bash", offered_rule(concern.part));
    if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
    offered = offered && concern.kind != Concern::Kind::redirection &&
              !(changes && (calls(command, "cd") ||
                            !(command.is_piped() || permissions.covers(concern.path))));
  }
  Decision decision;
  decision.message = message_about(concerns);
  if (offered) decision.ask_fields[kOffers] = Json::array({update});
  decision.ask_fields["decision_reason_type"] = "subcommandResults";
  return decision;
}

// How the parts hang together may be reason enough to ask; empty: it is not.
std::string why_ask_about_whole(const Command& command) {
  if (command.nested) return "This command uses shell operators that require approval for safety";
  const auto moves = std::ranges::count_if(
      command.parts, [](const Part& part) { return !part.words.empty() && part.words[0] == "cd"; });
  if (moves > 1) return "Multiple directory changes in one command require approval for clarity";
  if (moves == 1 && calls(command, "git"))
    return "This command changes directory before running a version-control command, which can "
           "pick up untrusted hooks or repository configuration from the target directory. "
           "Approve only if you trust it.";
  return {};
}

std::string why_unreadable(const Command& command) {
  if (!command.unreadable.empty()) return command.unreadable;
  for (const Part& part : command.parts)
    if (!part.words.empty())
      if (const std::string why = uncoverable(part); !why.empty()) return why;
  return {};
}

// An empty part can have no rule.
Decision ask_about_command(const Command& command, const std::string& part) {
  Decision decision = ask_because("This command requires approval");
  if (!command.background && !command.loops && !part.empty())
    decision.ask_fields[kOffers] =
        Json::array({rule_offer("Bash", offered_rule(part), "localSettings")});
  return decision;
}

bool only_sets(const Part& part) {
  return part.words.empty() && part.writes.empty();
}

// Until a shell has run, a variable may mean anything to it: no part is free of doubt, and none can
// have a rule.
Decision ask_about_unknown_variables(const Command& command) {
  std::vector<Concern> all;
  for (const Part& part : command.parts)
    if (!only_sets(part)) all.push_back({.part = part.text});
  Decision decision;
  decision.message = message_about(all);
  if (command.is_piped()) decision.ask_fields[kOffers] = Json::array();
  decision.ask_fields["decision_reason_type"] = "subcommandResults";
  return decision;
}

}  // namespace

Json Permissions::offers_of_pieces(const std::vector<std::string>& pieces,
                                   const std::string& cwd) const {
  Json all = Json::array();
  Permissions alone = *this;
  alone.asks_host = false;  // a piece that is about a path has no rule of its own
  for (const std::string& piece : pieces) {
    const Decision decision = alone.decide_parts(piece, cwd);
    for (const Json& offer : member(decision.ask_fields, kOffers))
      if (!has(offer, "rules") || std::ranges::find(all, offer) == all.end()) all.push_back(offer);
  }
  return all;
}

Decision Permissions::decide_parts(const std::string& text, const std::string& cwd) const {
  const Command command = read_command(text);
  if (const std::string why = why_unreadable(command); !why.empty()) {
    Decision decision = ask_because(why);
    decision.ask_fields[kOffers] = Json::array();
    return decision;
  }
  if (const std::string why = why_ask_about_whole(command); !why.empty()) return ask_because(why);
  std::vector<Concern> concerns;
  for (const Part& part : command.parts) {
    Json one = Json::object();
    one["command"] = without_harmless_variables(part.text);
    const auto concern = concern_of(part, cwd, *this);
    if (!concern) continue;
    const bool covered = find("allow", "Bash", one, cwd) != nullptr;
    if (!covered || concern->kind == Concern::Kind::redirection) concerns.push_back(*concern);
  }
  constexpr const char* kBackground =
      "This command uses the `&` background operator, which defers execution past approval-time "
      "safety checks. Approve only if you trust it.";
  if (concerns.empty() && command.background) return ask_always(kBackground, kBackground);
  const auto programs = std::ranges::count_if(command.parts, std::not_fn(only_sets));
  const bool sets = std::ranges::any_of(command.parts, [&](const Part& part) {
    return only_sets(part) && (shell_ran ? sets_a_place(part) : !sets_nothing_odd(part));
  });
  if (concerns.empty() && programs > 0 && !sets && !command.substitutes)
    return allowed("subcommandResults");
  Decision decision;
  const bool one = concerns.size() == 1;
  if (sets && programs > 1)
    decision = ask_about_unknown_variables(command);
  else if (concerns.empty() && sets && programs > 0)
    decision = ask_about_command(command, "");
  else if (concerns.empty())
    decision = ask_because("A variable set in this command can't be checked before it runs");
  else if (one && concerns[0].kind != Concern::Kind::command)
    decision = ask_about_path(concerns[0], command, text, *this);
  else if (one && (programs == 1 || command.loops))
    decision = ask_about_command(command, sets ? "" : concerns[0].part);
  else
    decision = ask_about_parts(concerns, command, *this);
  if (concerns.size() > 1 && command.is_piped() && has(decision.ask_fields, kOffers) && !sets) {
    Json offers = offers_of_pieces(command.pieces, cwd);
    const bool about_paths = std::ranges::none_of(
        concerns, [](const Concern& each) { return each.kind == Concern::Kind::command; });
    if (about_paths)
      offers.insert(offers.begin(), rule_offer("Bash", offered_rule(text), "localSettings"));
    decision.ask_fields[kOffers] = offers;
  }
  if (command.substitutes || programs == 0) decision.ask_fields[kOffers] = Json::array();
  return decision;
}

Decision Permissions::decide_bash(const Json& input, const std::string& cwd) const {
  const std::string command = text_of(input, "command");
  Decision decision = decide_parts(command, cwd);
  Json fields = Json::object();
  fields["description"] = subject_of("Bash", input, cwd);
  fields.update(decision.ask_fields);
  decision.ask_fields = fields;
  return decision;
}

bool Permissions::denies_file(const char* tool, const std::string& file,
                              const std::string& cwd) const {
  Json one = Json::object();
  one["file_path"] = file;
  const Rule* rule = find("deny", tool, one, cwd);
  return rule && !rule->content.empty();
}

// A rule that denies Bash as a whole is another matter.
std::string Permissions::denied_command(const std::string& text, const std::string& cwd) const {
  const Command command = read_command(text);
  for (const Part& part : command.parts) {
    Json one = Json::object();
    one["command"] = without_variables(part.text);
    const Rule* rule = find("deny", "Bash", one, cwd);
    const auto denied = [&](const char* tool) {
      return [&, tool](const std::string& file) { return denies_file(tool, file, cwd); };
    };
    if ((rule && !rule->content.empty()) ||
        std::ranges::any_of(files_read_by(part), denied("Read")) ||
        std::ranges::any_of(files_changed_by(part), denied("Edit")))
      return command.is_piped() ? part.text : text;
  }
  return {};
}

}  // namespace claude::sim
