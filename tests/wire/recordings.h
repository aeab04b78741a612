// What the real CLI said and was told: tests/data/transcripts, or the directory that the
// environment variable CLAUDE_RECORDINGS names.
#pragma once

#include "json/oracle.h"

#include <string>
#include <string_view>
#include <vector>

namespace claude::test {

struct Recorded {
  std::string file;
  std::size_t number = 0;  // of the line in the file
  bool from_cli = false;
  std::string text;  // the line
  Oracle json;       // what the oracle reads in it; discarded where it is no JSON

  std::string type() const;   // empty where it has none
  std::string place() const;  // for messages of failed tests
  bool is_control() const { return type().starts_with("control_"); }
};

std::vector<Recorded> recordings();
// Whether these are the project's own, of which more is known than that they come from a CLI.
bool are_our_recordings();

// What of `line` is not in `typed` with an equal value: its path, or nothing.
std::string first_not_found(const Oracle& line, const Oracle& typed, const std::string& path = "");

}  // namespace claude::test
