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
  Json denied = Json::array();    // rules; a project may deny, but not allow, unasked
  Json commands = Json::array();  // {name, description, argumentHint}
  Json agents = Json::object();   // by name
  std::vector<std::pair<std::string, Json>> sources;   // what each file says that says something
  std::map<std::string, std::string> command_sources;  // by name
  // Files that may be there, by what they are: settings, and memory.
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::pair<std::string, std::string>> instructions;
};

// What --settings gives, as JSON or in a file; null: nothing that can be read.
Json flag_settings(const Args& args);

Settings read_settings(const Args& args, const std::string& cwd);

// Changes a file's values, and what the session knows of them. Source: userSettings, localSettings.
void write_settings(Settings& settings, const std::string& cwd, const std::string& source,
                    const Json& values);

// The agents of the CLI and these, as it lists them.
Json agent_rows(const Json& agents);

}  // namespace claude::sim
