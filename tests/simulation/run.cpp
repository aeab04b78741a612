// Schedules, one after another, on several processes: a crash ends one of them and is found by its
// seed. The counts are in memory that they share.
#include "run.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <span>
#include <vector>

#include "scene.h"

namespace claude::simulation {
namespace {

// A schedule takes less than a millisecond; one that takes this long has hung.
constexpr unsigned kHungSeconds = 20;

// One that is made small is played by itself, thousands of times.
constexpr unsigned kHungAloneSeconds = 2;

// Of one process, seen by the others.
struct Progress {
  std::uint64_t seed = 0;  // being played
  std::uint64_t schedules = 0;
  std::atomic<bool> failed = false;
  bool at_end = false;  // of its work
  std::array<char, 300> problem{};
  std::array<std::uint64_t, 2000> by_events{};  // schedules by their number of events
  Coverage coverage;

  void fail(const std::string& law) {
    failed = true;
    std::copy_n(law.begin(), std::min(law.size(), problem.size() - 1), problem.begin());
  }
};

// Above the first seed that broke a law nobody need look.
bool is_beyond_failure(std::uint64_t seed, std::span<const Progress> all) {
  return std::ranges::any_of(all,
                             [&](const Progress& each) { return each.failed && each.seed < seed; });
}

std::span<Progress> shared_progress(std::size_t count) {
  void* memory = mmap(nullptr, count * sizeof(Progress), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  auto* first = static_cast<Progress*>(memory);
  for (std::size_t i = 0; i < count; ++i) new (first + i) Progress;
  return {first, count};
}

void play_some(Seeds seeds, std::span<Progress> all, Progress& progress) {
  count_in(&progress.coverage);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; seed += all.size()) {
    if (is_beyond_failure(seed, all)) return;
    progress.seed = seed;
    if (progress.schedules % 1024 == 0) alarm(kHungSeconds);
    Played played = play(Decisions(seed), false);
    ++progress.schedules;
    ++progress.by_events[std::min(played.events, progress.by_events.size() - 1)];
    if (!played.problem.empty()) return progress.fail(played.problem);
  }
}

// Runs `work` in a process of its own; how that ended goes to `progress`.
pid_t start(Progress& progress, const std::function<void()>& work) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child < 0) std::abort();
  if (child > 0) return child;
  work();
  progress.at_end = true;
  _exit(0);
}

// A sanitizer, and whoever calls exit(), ends a process without a signal.
void note_end(int status, Progress& progress) {
  if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    progress.fail(signal == SIGALRM ? "the process hung"
                                    : "the process died of signal " + std::to_string(signal));
  } else if (!progress.at_end) {
    progress.fail("the process exited with " + std::to_string(WEXITSTATUS(status)));
  }
}

void wait_for_all(const std::vector<pid_t>& children, std::span<Progress> all) {
  int status = 0;
  for (pid_t ended; (ended = wait(&status)) > 0;) {
    note_end(status,
             all[static_cast<std::size_t>(std::ranges::find(children, ended) - children.begin())]);
  }
}

std::size_t median(std::span<Progress> all, std::uint64_t schedules) {
  std::uint64_t seen = 0;
  for (std::size_t events = 0; events < all[0].by_events.size(); ++events) {
    for (const Progress& each : all) seen += each.by_events[events];
    if (seen * 2 >= schedules) return events;
  }
  return 0;
}

}  // namespace

Played play(Decisions decisions, bool tracing) {
  auto world = std::make_unique<World>(std::move(decisions), tracing);
  auto scene = std::make_unique<Scene>(*world);
  world->run([&] { scene->play(); });
  if (world->problem().empty()) scene->check_end();
  Played played{world->problem(), world->events()};
  if (played.problem.empty()) return played;
  // Its threads stand still in the middle of their work: what they use cannot be freed.
  (void)scene.release();
  (void)world.release();
  return played;
}

Report play_all(Seeds seeds, unsigned processes) {
  std::span<Progress> all = shared_progress(processes);
  std::vector<pid_t> children;
  for (unsigned i = 0; i < processes; ++i) {
    Seeds share{seeds.first + i, seeds.last};
    children.push_back(start(all[i], [&] { play_some(share, all, all[i]); }));
  }
  wait_for_all(children, all);
  Report report;
  for (unsigned i = 0; i < processes; ++i) {
    Progress& each = all[i];
    report.schedules += each.schedules;
    for (std::size_t k = 0; k < each.coverage.reached.size(); ++k) {
      report.coverage.reached[k] += each.coverage.reached[k];
    }
    for (std::size_t k = 0; k < each.coverage.notes.size(); ++k) {
      report.coverage.notes[k] += each.coverage.notes[k];
    }
    if (each.failed && (report.failed_seed == 0 || each.seed < report.failed_seed)) {
      report.failed_seed = each.seed;
      report.problem = each.problem.data();
    }
  }
  report.median_events = median(all, report.schedules);
  return report;
}

std::string problem_of(const Decisions::Recording& recording) {
  static Progress& progress = shared_progress(1)[0];
  progress.failed = false;
  progress.problem = {};
  progress.at_end = false;
  pid_t child = start(progress, [&] {
    alarm(kHungAloneSeconds);
    count_in(&progress.coverage);
    Played played = play(Decisions(recording), false);
    if (!played.problem.empty()) progress.fail(played.problem);
  });
  int status = 0;
  waitpid(child, &status, 0);
  note_end(status, progress);
  return progress.problem.data();
}

}  // namespace claude::simulation
