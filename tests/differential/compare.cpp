// Alignment is the longest common subsequence of the lines' labels.
#include "compare.h"

#include <algorithm>

namespace claude::differential {
namespace {

constexpr std::size_t kShown = 600;  // characters of a value that a report shows

std::string shortened(const json& value) {
  std::string text = value.dump();
  if (text.size() > kShown) text = text.substr(0, kShown) + "…";
  return text;
}

void compare_values(const json& real, const json& sim, const std::string& path,
                    std::string& report) {
  if (real == sim) return;
  if (real.is_object() && sim.is_object()) {
    for (const auto& [key, value] : real.items()) {
      if (sim.contains(key))
        compare_values(value, sim[key], path + "." + key, report);
      else
        report += "    " + path + "." + key + ": missing, the CLI has " + shortened(value) + "\n";
    }
    for (const auto& [key, value] : sim.items())
      if (!real.contains(key))
        report += "    " + path + "." + key + ": too much, " + shortened(value) + "\n";
    return;
  }
  if (real.is_array() && sim.is_array() && real.size() == sim.size()) {
    for (std::size_t i = 0; i < real.size(); ++i)
      compare_values(real[i], sim[i], path + "[" + std::to_string(i) + "]", report);
    return;
  }
  report +=
      "    " + path + "\n      real " + shortened(real) + "\n      sim  " + shortened(sim) + "\n";
}

std::vector<std::string> labels(const Transcript& transcript) {
  std::vector<std::string> names;
  for (const Entry& entry : transcript.entries) names.push_back(label(entry));
  return names;
}

// lengths[i][j]: the longest common subsequence of a from i and b from j.
std::vector<std::vector<int>> common_lengths(const std::vector<std::string>& a,
                                             const std::vector<std::string>& b) {
  std::vector<std::vector<int>> lengths(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      lengths[i][j] =
          a[i] == b[j] ? lengths[i + 1][j + 1] + 1 : std::max(lengths[i + 1][j], lengths[i][j + 1]);
  return lengths;
}

}  // namespace

std::string differences(const Transcript& real, const Transcript& sim) {
  const std::vector<std::string> a = labels(real), b = labels(sim);
  const auto lengths = common_lengths(a, b);
  std::string report;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      std::string fields;
      compare_values(real.entries[i].line, sim.entries[j].line, "", fields);
      if (!fields.empty()) report += "line " + std::to_string(i) + " " + a[i] + "\n" + fields;
      ++i, ++j;
    } else if (j == b.size() || (i < a.size() && lengths[i + 1][j] >= lengths[i][j + 1])) {
      report += "line " + std::to_string(i) + " " + a[i] +
                "\n    only the CLI writes it: " + shortened(real.entries[i].line) + "\n";
      ++i;
    } else {
      report += "line " + std::to_string(i) + " " + b[j] +
                "\n    only the simulator writes it: " + shortened(sim.entries[j].line) + "\n";
      ++j;
    }
  }
  if (real.stuck != sim.stuck)
    report += "the host with the CLI: " + real.stuck + "\nwith the simulator: " + sim.stuck + "\n";
  return report;
}

}  // namespace claude::differential
