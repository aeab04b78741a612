// What the CLI sees in a shell command before it runs: its parts, which of them are harmless, and
// which file a part would change. No shell: a look at words, as far as permissions need it.
#pragma once

#include <string>
#include <vector>

namespace claude::sim {

// The parts between ; && || and |.
std::vector<std::string> subcommands(const std::string& command);
std::vector<std::string> words(const std::string& command);

bool is_read_only(const std::string& command);
bool redirects(const std::string& command);

// The file that a part would change; empty when it changes none.
std::string changed_file(const std::string& command);

// The rule that the CLI offers for "do not ask again": `npm test *`, or the command itself.
std::string offered_rule(const std::string& command);

// How long its sleeps take, and what its echoes print: time and text without a shell.
long long slept_ms(const std::string& command);
std::string echoed(const std::string& command);
// A command that the CLI knows to print nothing.
bool prints_nothing(const std::string& command);

}  // namespace claude::sim
