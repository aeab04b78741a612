// May a tool run? Modes, rules, and what the CLI suggests when it has to ask.
//
// Pure: it decides and remembers, and writes nothing.
#pragma once

#include <string>
#include <vector>

#include "json.h"

namespace claude::sim {

struct Decision {
  enum class Verdict { allow, deny, ask };
  Verdict verdict = Verdict::ask;
  std::string source = "config";  // who decided, as tool_result_meta says it
  std::string reason_type;
  std::string message;               // of a deny, also when there is nobody to ask
  bool firm = false;                 // a hook that allows the call does not change it
  bool by_tool = false;              // the tool itself refuses: nobody is asked or told of it
  Json ask_fields = Json::object();  // what can_use_tool says beyond tool, input and ids
};

class Permissions {
 public:
  struct Folder {
    std::string path;
    std::string source;
  };
  std::string mode = "default";
  bool asks_in_plan = false;  // about commands, where plan mode refuses them otherwise
  bool bypass_allowed = false;
  bool asks_host = false;     // who could take the offer of a rule
  bool shell_ran = false;     // before, any variable may mean something to the shell
  std::string root;           // the folder that the session works in,
  std::vector<Folder> added;  // and those beside it

  // Plan mode that the answer to a question sets is a milder one.
  void set_mode(const std::string& new_mode, bool by_answer = false);

  // Is the file in one of them?
  bool covers(const std::string& path) const;

  void add_rule(const std::string& behavior, const std::string& rule, const std::string& source);
  // All rules of `permissions` in settings; those that the source had before are gone.
  void replace_rules(const Json& permissions, const std::string& source);
  Decision decide(const std::string& tool, const Json& input, const std::string& cwd) const;

  // `updatedPermissions` of an allow. Entries of another shape are dropped silently.
  // Gives the new mode when one was set.
  std::string apply(const Json& updates);

  // As the host may list them.
  Json rules() const;

 private:
  struct Rule {
    std::string behavior;
    std::string tool;
    std::string content;
    std::string source;
    std::string text;  // as it was given
  };
  const Rule* find(const std::string& behavior, const std::string& tool, const Json& input,
                   const std::string& cwd) const;
  bool names_files() const;
  bool denies_file(const char* tool, const std::string& file, const std::string& cwd) const;
  // What of the command a rule denies; empty: nothing.
  std::string denied_command(const std::string& command, const std::string& cwd) const;
  Decision decide_parts(const std::string& command, const std::string& cwd) const;
  // What stands between pipes is offered as if each were a command of its own.
  Json offers_of_pieces(const std::vector<std::string>& pieces, const std::string& cwd) const;
  Decision decide_bash(const Json& input, const std::string& cwd) const;
  Decision decide_file(const std::string& tool, const Json& input, const std::string& cwd) const;
  Decision ask_by(const Rule& rule, const std::string& tool, const Json& input,
                  const std::string& cwd) const;

  std::vector<Rule> rules_;
};

bool is_permission_mode(const std::string& mode);
// What a call is about, in the words of the question: a file is seen from the working directory.
std::string subject_of(const std::string& tool, const Json& input, const std::string& cwd);
// Inside the working directory, as the file system's names go.
bool is_inside(const std::string& path, const std::string& cwd);
std::string absolute(const std::string& path, const std::string& cwd);

}  // namespace claude::sim
