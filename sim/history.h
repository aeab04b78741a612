// Sessions of the past, on disk as the CLI keeps them: where they lie, and which one a command line
// asks for. Only reads.
#pragma once

#include <string>
#include <vector>

#include "args.h"
#include "json.h"
#include "scenario.h"

namespace claude::sim {

// CLAUDE_CONFIG_DIR, else .claude in the home folder.
std::string config_folder();
// Where the sessions of this working directory lie.
std::string project_folder(const std::string& cwd);

// The session that --resume or --continue names.
struct Past {
  std::string id;          // empty: none, or none was found to continue
  std::string folder;      // where its file lies
  std::vector<Json> rows;  // of its file, to the message that --resume-session-at names
  std::string leaf;        // uuid of the last message in it
  Json deferred;           // a call that a hook put off, and that has no result yet
  std::vector<std::string> unanswered;  // other calls without a result: its process was killed
  bool breaks_off = false;              // nobody answered what was said last
  std::size_t length = 0;               // rows in its file, whatever became of them
  std::string problem;                  // why there is nothing to resume; then the program ends
};

Past find_past(const Args& args, const Scenario& scenario, const std::string& cwd);

// Was this id chosen by --session-id though it has a session already?
bool id_is_taken(const Args& args, const std::string& cwd);

}  // namespace claude::sim
