// What passed between a host and a CLI: the lines of both directions, in the order in which the
// host saw and sent them, and how the process ended.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace claude::differential {

using json = nlohmann::json;

struct Entry {
  bool from_cli = false;
  json line;
};

struct Transcript {
  std::vector<Entry> entries;
  std::string stuck;  // why the host gave up; empty when it came to its end
};

// "< system/init", "> user": a line in a few words, for people and for alignment.
std::string label(const Entry& entry);

}  // namespace claude::differential
