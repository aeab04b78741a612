// The simulation of the whole, see docs/simulation.md.
#include <stdlib.h>

#include <charconv>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "run.h"

namespace {

using namespace claude::simulation;

constexpr const char* kUsage =
    "usage: simulate [--quick] [--seeds=1..1000000 | --seed=17 | --choices=0a00ff]\n"
    "  --seeds    plays these, on two processes; exit 1: a law was broken\n"
    "  --quick    a failure is not made small\n"
    "  --seed     plays one, and tells all that happens in it\n"
    "  --choices  the same by its decisions, as a failure prints them when it is small\n";
constexpr int kWrongUsage = 2;

// More than any schedule decides before it breaks a law.
constexpr std::size_t kDecisions = 16'384;
constexpr unsigned kProcesses = 2;
// In shorter schedules too little happens together.
constexpr std::size_t kMedianEvents = 50;

struct Wish {
  Seeds seeds;
  bool quick = false;
  std::optional<Decisions> only;
};

bool read_number(std::string_view text, auto& number, int base = 10) {
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc() && stop == end;
}

bool read_seeds(std::string_view text, Seeds& seeds) {
  std::size_t dots = text.find("..");
  return dots != text.npos && read_number(text.substr(0, dots), seeds.first) &&
         read_number(text.substr(dots + 2), seeds.last) && 0 < seeds.first &&
         seeds.first <= seeds.last;
}

bool read_choices(std::string_view text, Decisions::Recording& bytes) {
  if (text.size() % 2 != 0) return false;
  for (; !text.empty(); text.remove_prefix(2)) {
    if (!read_number(text.substr(0, 2), bytes.emplace_back(), 16)) return false;
  }
  return true;
}

std::string to_hex(const Decisions::Recording& bytes) {
  std::string text;
  for (std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

bool read_argument(std::string_view argument, Wish& wish) {
  std::size_t value_at = argument.find('=') + 1;
  std::string_view value = argument.substr(value_at);
  if (argument.starts_with("--seeds=")) return read_seeds(value, wish.seeds);
  if (argument.starts_with("--seed=")) {
    std::uint64_t seed = 0;
    if (!read_number(value, seed)) return false;
    wish.only.emplace(seed);
    return true;
  }
  if (argument.starts_with("--choices=")) {
    Decisions::Recording bytes;
    if (!read_choices(value, bytes)) return false;
    wish.only.emplace(std::move(bytes));
    return true;
  }
  wish.quick = true;
  return argument == "--quick";
}

int show(Decisions decisions) {
  Coverage coverage;
  count_in(&coverage);
  Played played = play(std::move(decisions), true);
  std::printf("%zu events; %s\n", played.events,
              played.problem.empty() ? "no law was broken" : played.problem.c_str());
  return played.problem.empty() ? 0 : 1;
}

void make_small(std::uint64_t seed, const char* program) {
  auto decisions = Decisions::recording_of(seed, kDecisions);
  if (problem_of(decisions).empty()) {
    std::printf("  its first %zu decisions break no law by themselves: it is not made small\n",
                kDecisions);
    return;
  }
  auto small = shrink(std::move(decisions));
  std::printf("  made small (%s):\n    %s --choices=%s\n", problem_of(small).c_str(), program,
              to_hex(small).c_str());
}

int explain(const Report& report, const char* program, bool quick) {
  std::printf("\nA law was broken: %s\n", report.problem.c_str());
  std::printf("  seed %llu; play it again with\n    %s --seed=%llu\n",
              static_cast<unsigned long long>(report.failed_seed), program,
              static_cast<unsigned long long>(report.failed_seed));
  if (!quick) make_small(report.failed_seed, program);
  return 1;
}

int play_seeds(Seeds seeds, const char* program, bool quick) {
  Report report = play_all(seeds, kProcesses);
  std::printf("%llu schedules, in the median of %zu events\n",
              static_cast<unsigned long long>(report.schedules), report.median_events);
  if (report.failed_seed != 0) return explain(report, program, quick);
  bool all = print(report.coverage);
  if (!all) std::printf("something was never reached\n");
  bool each = report.schedules == seeds.count();
  if (!each) {
    std::printf("%llu schedules were asked for\n", static_cast<unsigned long long>(seeds.count()));
  }
  bool long_enough = report.median_events >= kMedianEvents;
  if (!long_enough) std::printf("a median of %zu events is asked for\n", kMedianEvents);
  return all && each && long_enough ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  // A world is a function of its seed, not of where it is played.
  clearenv();
  Wish wish;
  for (const char* argument : std::span(arguments, static_cast<std::size_t>(count)).subspan(1)) {
    if (read_argument(argument, wish)) continue;
    std::fprintf(stderr, "what is %s?\n%s", argument, kUsage);
    return kWrongUsage;
  }
  if (wish.only) return show(*std::move(wish.only));
  return play_seeds(wish.seeds, arguments[0], wish.quick);
}
