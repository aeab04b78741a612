// What the CLI knows of the programs that commands call: which of them only look, which change
// files, and which rule would cover a command.
#pragma once

#include <string>
#include <vector>

#include "shell.h"

namespace claude::sim {

// Neither the program nor its arguments change anything.
bool only_looks(const Part& part);
// None of its parts does.
bool only_looks(const std::string& command);
bool changes_files(const std::string& program);
// "list files in": what the program does with files, in the CLI's words; empty: it is not watched.
std::string looks_at_files(const Part& part);
// The arguments that are files.
std::vector<std::string> files_of(const Part& part);

// The files that it reads, and those that it changes, be it by its arguments or by redirections.
std::vector<std::string> files_read_by(const Part& part);
std::vector<std::string> files_changed_by(const Part& part);

// Only variables are set that no program takes harm from.
bool sets_nothing_odd(const Part& part);
// A variable is set that tells programs where to look for files.
bool sets_a_place(const Part& part);
// The command without such variables before it, or without any.
std::string without_harmless_variables(std::string command);
std::string without_variables(std::string command);

// Why no rule could ever cover the part; empty: one could.
std::string uncoverable(const Part& part);
// The rule that the CLI offers for "do not ask again": `npm test *`, or the command itself.
std::string offered_rule(const std::string& command);

}  // namespace claude::sim
