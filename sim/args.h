// The command line, as the CLI takes it: which flags exist, what each eats, and what it complains
// about. Values are kept as text; who needs one looks it up.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace claude::sim {

struct Args {
  std::map<std::string, std::vector<std::string>, std::less<>> flags;
  std::vector<std::string> words;  // what is no flag: the prompt
  std::string error;               // one line for stderr; then the program ends with 1

  bool has(std::string_view flag) const { return flags.contains(flag); }
  // The last value of a flag.
  std::string value(std::string_view flag, std::string_view otherwise = {}) const;
  // All values of a flag that takes a list, split at commas and blanks outside of parentheses.
  std::vector<std::string> list(std::string_view flag) const;
};

// Without the name of the program.
Args parse_args(const std::vector<std::string>& words);

std::vector<std::string> split_list(std::string_view text);

}  // namespace claude::sim
