// The simulation of the whole, see docs/simulation.md.
//
//   simulate                        the default seeds on two processes; exit 1: a law was broken
//   simulate --seeds=1..5000000     others; with --quick a failure is not made small
//   simulate --seed=17              one, with all that happens in it
//   simulate --choices=0a00ff       one by its decisions, as a failure prints them when it is small
#include <stdlib.h>

#include <charconv>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "run.h"

namespace {

using namespace claude::simulation;

// More than any schedule decides before it breaks a law.
constexpr std::size_t kDecisions = 16'384;
constexpr unsigned kProcesses = 2;

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string to_hex(const Decisions::Recording& bytes) {
  std::string text;
  for (std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

Decisions::Recording from_hex(std::string_view text) {
  Decisions::Recording bytes;
  for (; text.size() >= 2; text.remove_prefix(2)) {
    std::uint8_t byte = 0;
    std::from_chars(text.data(), text.data() + 2, byte, 16);
    bytes.push_back(byte);
  }
  return bytes;
}

int show(Decisions decisions) {
  Coverage coverage;
  count_in(&coverage);
  Played played = play(std::move(decisions), true);
  std::printf("%zu events; %s\n", played.events,
              played.problem.empty() ? "no law was broken" : played.problem.c_str());
  return played.problem.empty() ? 0 : 1;
}

void explain(const Report& report, const char* program, bool quick) {
  std::printf("\nA law was broken: %s\n", report.problem.c_str());
  std::printf("  seed %llu; play it again with\n    %s --seed=%llu\n",
              static_cast<unsigned long long>(report.failed_seed), program,
              static_cast<unsigned long long>(report.failed_seed));
  if (quick) return;
  auto small = shrink(Decisions::recording_of(report.failed_seed, kDecisions));
  std::printf("  made small (%s):\n    %s --choices=%s\n", problem_of(small).c_str(), program,
              to_hex(small).c_str());
}

int play_seeds(Seeds seeds, const char* program, bool quick) {
  Report report = play_all(seeds, kProcesses);
  std::printf("%llu schedules, in the median of %zu events\n",
              static_cast<unsigned long long>(report.schedules), report.median_events);
  if (report.failed_seed != 0) {
    explain(report, program, quick);
    return 1;
  }
  if (print(report.coverage)) return 0;
  std::printf("something was never reached\n");
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  // A world is a function of its seed, not of where it is played.
  clearenv();
  Seeds seeds;
  bool quick = false;
  for (std::string_view argument :
       std::span(arguments, static_cast<std::size_t>(count)).subspan(1)) {
    if (argument.starts_with("--seed=")) return show(Decisions(number_in(argument.substr(7))));
    if (argument.starts_with("--choices=")) return show(Decisions(from_hex(argument.substr(10))));
    if (argument == "--quick") quick = true;
    if (!argument.starts_with("--seeds=")) continue;
    seeds.first = number_in(argument.substr(8));
    seeds.last = number_in(argument.substr(argument.find("..") + 2));
  }
  return play_seeds(seeds, arguments[0], quick);
}
