// A shell command, read as far as permissions need it: its parts, their words, the files behind
// redirections. Nothing is run, and nothing is expanded but ~, $HOME and what the command sets.
#pragma once

#include <string>
#include <vector>

namespace claude::sim {

// What stands between ; && || | & and the ends of lines.
struct Part {
  std::string text;                    // as it was said
  std::vector<std::string> variables;  // NAME=value before the words
  std::vector<std::string> words;      // without quotes and redirections
  std::vector<std::string> writes;     // files behind > and >>; /dev/null is none
  std::vector<std::string> reads;      // files behind <
};

struct Command {
  std::vector<Part> parts;
  std::vector<std::string> pieces;  // what stands between pipes
  bool background = false;          // an & that is no &&
  bool loops = false;
  bool controls = false;     // loops or conditions
  bool nested = false;       // parentheses
  bool substitutes = false;  // a variable that it sets itself
  std::string unreadable;    // why nobody can tell beforehand what it does; empty: one can

  bool is_piped() const { return pieces.size() > 1; }
};

Command read_command(const std::string& text);
// NAME=value
bool is_assignment(const std::string& word);

// How long its sleeps take, and what its echoes print: time and text without a shell.
long long slept_ms(const std::string& command);
std::string echoed(const std::string& command);
// A command that the CLI knows to print nothing.
bool prints_nothing(const std::string& command);

}  // namespace claude::sim
