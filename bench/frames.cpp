// How late a host's frames begin while the CLI's tools take every CPU: with a CLI that asks for
// long slices, as the library starts it (io/exec_linux.cpp), and with one that doesn't.
//
//   build/release/bench/frames
//
// Stands in for a user interface: every 16 ms a frame, which needs a CPU for a millisecond.
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "io/exec.h"

namespace {

using namespace claude;

constexpr std::int64_t kPeriodNs = 16'000'000;
constexpr std::int64_t kWorkNs = 1'000'000;
constexpr int kRounds = 5;
constexpr int kFramesOfARound = 250;

std::int64_t now_ns(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

[[noreturn]] void burn() {
  alarm(60);
  for (volatile unsigned turns = 0;;) turns = turns + 1;
}

void add_frames(std::vector<double>& late_us) {
  std::int64_t next = now_ns(CLOCK_MONOTONIC);
  for (int frame = 0; frame < kFramesOfARound; ++frame) {
    next += kPeriodNs;
    const timespec until = {next / 1'000'000'000, next % 1'000'000'000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
    late_us.push_back(static_cast<double>(now_ns(CLOCK_MONOTONIC) - next) / 1e3);
    const std::int64_t done = now_ns(CLOCK_THREAD_CPUTIME_ID) + kWorkNs;
    while (now_ns(CLOCK_THREAD_CPUTIME_ID) < done) {
    }
  }
}

// Two tools for each CPU.
void play_round(io::Starter starter, const char* self, std::vector<double>& late_us) {
  std::vector<io::Child> tools(2 * std::thread::hardware_concurrency());
  for (io::Child& tool : tools) {
    Result<io::Child> started = io::spawn_by(starter, {.program = self, .argv = {self, "burn"}});
    if (!started) std::exit(1);
    tool = std::move(*started);
  }
  add_frames(late_us);
  for (io::Child& tool : tools) {
    ::kill(tool.pid, SIGKILL);
    while (!io::try_reap(tool)) std::this_thread::yield();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "burn") burn();
  struct Way {
    const char* name;
    io::Starter starter;
    std::vector<double> late_us = {};
  };
  Way ways[] = {{"as others", io::start_by_posix_spawn}, {"long", io::start_by_vfork}};
  for (int round = 0; round < kRounds; ++round) {
    for (Way& way : ways) play_round(way.starter, "/proc/self/exe", way.late_us);
  }
  std::puts(
      "| slices of the tools | frames late by, p50 us | p90 us | p99 us |\n|---|---|---|---|");
  for (Way& way : ways) {
    std::ranges::sort(way.late_us);
    const auto at = [&](std::size_t percent) {
      return way.late_us[way.late_us.size() * percent / 100];
    };
    std::printf("| %s | %.0f | %.0f | %.0f |\n", way.name, at(50), at(90), at(99));
  }
}
