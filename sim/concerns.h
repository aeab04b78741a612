// Why a part of a shell command cannot simply run: a program that is not known to be harmless, or
// a file that it would change, or look at outside the working directory.
#pragma once

#include <optional>
#include <string>

#include "permissions.h"
#include "shell.h"

namespace claude::sim {

struct Concern {
  enum class Kind { command, redirection, change, look };
  Kind kind = Kind::command;
  std::string part;
  std::string program = {};
  std::string path = {};       // whole
  std::string said_path = {};  // as the command has it
  std::string looks = {};      // what is done with the files, in words
  bool two_folders = false;    // no rule covers both
  std::string danger = {};     // a place that must not be removed
};

// Nullopt: the part may run.
std::optional<Concern> concern_of(const Part& part, const std::string& cwd,
                                  const Permissions& permissions);

// The folder that the host is offered to open; empty: none can be.
std::string folder_of(const std::string& path);

}  // namespace claude::sim
