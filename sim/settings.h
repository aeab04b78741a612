// What the files of the user and of the project change: settings, commands and agents, from the
// sources that --setting-sources names (without the flag: all of them).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "args.h"
#include "json.h"

namespace claude::sim {

struct Settings {
  std::string model;  // empty: no file says
  std::string output_style = "default";
  bool takes_project = true;      // what the project's files say counts
  std::string mode;               // of permissions; empty: no file says
  Json denied = Json::array();    // rules that deny
  Json flags = Json::object();    // of --settings, and what was applied since
  Json skills = Json::array();    // {name, description, argumentHint}
  Json commands = Json::array();  // the same
  Json plugins = Json::array();   // {name, path, source, version}
  Json plugin_commands = Json::array();
  Json plugin_skills = Json::array();                  // names
  Json output_styles = Json::array();                  // names
  std::map<std::string, std::string> skill_folders;    // by name
  Json agents = Json::object();                        // by name
  std::vector<std::pair<std::string, Json>> sources;   // what each file says that says something
  std::map<std::string, std::string> command_sources;  // by name
  // Files that may be there, by what they are: settings, and memory.
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::pair<std::string, std::string>> instructions;
};

// What --settings gives, as JSON or in a file; null: nothing that can be read.
Json flag_settings(const Args& args);

Settings read_settings(const Args& args, const std::string& cwd);

// The skills and commands of files, then the CLI's own; those of plugins stand where it has them.
Json command_rows(const Settings& settings);

// What the skill in this folder tells the model.
std::string skill_text(const std::string& folder);

// Changes a file's values, and what the session knows of them. Source: userSettings, localSettings.
void write_settings(Settings& settings, const std::string& cwd, const std::string& source,
                    const Json& values);

// Which of these tools an agent has: its own list, in its own order, or all but what it may not.
std::vector<std::string> tools_of(const Json& agent, std::vector<std::string> all);

// The agents of the CLI and these, as it lists them.
Json agent_rows(const Json& agents);

}  // namespace claude::sim
