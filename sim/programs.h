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

// Why no rule could ever cover the part; empty: one could.
std::string uncoverable(const Part& part);
// The rule that the CLI offers for "do not ask again": `npm test *`, or the command itself.
std::string offered_rule(const std::string& command);

}  // namespace claude::sim
