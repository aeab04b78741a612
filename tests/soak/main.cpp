// Thousands of sessions, well and badly used, in one process: nothing may be left of them.
//
//   soak SESSIONS AT_A_TIME TOGETHER SECONDS
//   soak 10000 200 1000 900     visits 10,000 sessions, 200 at a time; then has 1,000 open at once
//
// Every second visit goes as it should, the others fail in turn in every way that is known here.
// Ten times on the way, when all is quiet, it looks at what the process holds. It ends with
// 1 as soon as anything went wrong or has grown, and by itself after SECONDS.
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "soak/held.h"
#include "soak/together.h"
#include "soak/visits.h"
#include "support/temp_dir.h"

namespace claude::soak {
namespace {

constexpr std::size_t kRounds = 10;

const Visit& visit_of(std::size_t number) {
  const std::span<const Visit> faulty = faulty_visits();
  if (number % 2 == 1) return faulty[number / 2 % faulty.size()];
  return number % 8 == 0 ? kInterrupt : kTalk;
}

class Soak {
 public:
  explicit Soak(std::size_t at_a_time) : at_a_time_(at_a_time) {
    options_.cli_path = CLAUDE_SIM;
    options_.cwd = folder_.path();
    options_.environment.set["HOME"] = folder_.path();
    options_.persist_session = false;
    // That the machine is busy is no fault of a CLI.
    constexpr auto kLong = std::chrono::seconds(60);
    options_.timeouts = {
        .interrupt = kLong, .set_permission_mode = kLong, .set_model = kLong, .exit_grace = kLong};
    quiet_ = look();
    quiet_.bytes_in_use = 0;  // the first visits fill caches: it counts from then on
  }

  // Visits `count` sessions on as many threads as may be open at a time.
  void visit(std::size_t count) {
    in_a_runtime([&](const Options& options) {
      std::atomic<std::size_t> left = count;
      std::vector<std::thread> hosts;
      for (std::size_t i = 0; i < at_a_time_; ++i) {
        hosts.emplace_back([&] {
          for (std::size_t before = left; before > 0;) {
            if (left.compare_exchange_weak(before, before - 1)) visit_one(options);
          }
        });
      }
      for (std::thread& host : hosts) host.join();
    });
  }

  // What the process holds now that nothing is open; complains when it is more than at first.
  void look_back(const char* after) {
    const Held held = look_when_settled(quiet_);
    std::printf("  %6zu visited%s: %s\n", visited_.load(), after, held.to_string().c_str());
    if (quiet_.bytes_in_use == 0) {
      quiet_.bytes_in_use = held.bytes_in_use;
      quiet_.resident_bytes = held.resident_bytes;
    }
    const std::string grown = growth(quiet_, held);
    if (!grown.empty()) complain(grown);
  }

  // On a thread of its own: the heap's cache of it goes with it.
  void open_together(std::size_t count) {
    in_a_runtime([&](const Options& options) {
      std::thread([&] {
        try {
          std::printf("  %6zu at once: %s\n", count, together(count, options).to_string().c_str());
        } catch (const std::exception& wrong) {
          complain(std::string("all at once: ") + wrong.what());
        }
      }).join();
    });
  }

  bool well() const { return problems_.empty(); }

  void report() const {
    for (const auto& [name, count] : visits_) std::printf("  %6zu %s\n", count, name.data());
    for (const auto& [problem, count] : problems_) {
      std::printf("WRONG, %zu times: %s\n", count, problem.c_str());
    }
  }

 private:
  // A runtime goes with the last of its sessions, also with one that the host has dropped: so the
  // end of them all can be waited for.
  void in_a_runtime(const std::function<void(const Options&)>& use) {
    auto gone = std::make_shared<std::promise<void>>();
    {
      Options options = options_;
      options.runtime = std::shared_ptr<Runtime>(new Runtime, [gone](Runtime* runtime) {
        delete runtime;
        gone->set_value();
      });
      use(options);
    }
    if (gone->get_future().wait_for(kPatience) != std::future_status::ready) {
      complain("a session has stayed, and its runtime with it");
    }
  }

  void visit_one(Options options) {
    const Visit& visit = visit_of(visited_++);
    options.environment.set["CLAUDE_SIM_SCENARIO_JSON"] = visit.scenario;
    try {
      visit.play(std::move(options));
    } catch (const std::exception& wrong) {
      complain(std::string(visit.name) + ": " + wrong.what());
    }
    std::lock_guard lock(mutex_);
    ++visits_[visit.name];
  }

  void complain(const std::string& problem) {
    std::lock_guard lock(mutex_);
    ++problems_[problem];
  }

  std::size_t at_a_time_;
  test::TempDir folder_;
  Options options_;
  Held quiet_;  // when nothing is open
  std::atomic<std::size_t> visited_ = 0;
  std::mutex mutex_;
  std::map<std::string_view, std::size_t> visits_;
  std::map<std::string, std::size_t> problems_;
};

void out_of_time(int) {
  constexpr std::string_view kText = "soak: FAILED: out of time, something hangs\n";
  [[maybe_unused]] auto written = write(STDOUT_FILENO, kText.data(), kText.size());
  _exit(1);
}

bool run(std::size_t sessions, std::size_t at_a_time, std::size_t at_once) {
  Soak soak(at_a_time);
  for (std::size_t round = 0; round < kRounds && soak.well(); ++round) {
    soak.visit(sessions / kRounds);
    soak.look_back("");
  }
  if (soak.well()) {
    soak.open_together(at_once);
    soak.look_back(", all closed");
  }
  soak.report();
  return soak.well();
}

}  // namespace
}  // namespace claude::soak

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: soak SESSIONS AT_A_TIME TOGETHER SECONDS\n");
    return 2;
  }
  auto number = [&](int at) { return std::stoul(argv[at]); };
  signal(SIGALRM, claude::soak::out_of_time);
  alarm(static_cast<unsigned>(number(4)));
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  // Of its other heaps glibc gives back what lies free between blocks, but not what lies behind
  // them: after a thousand sessions that may be more than the slack, though nothing is in use.
  mallopt(M_ARENA_MAX, 1);
  const bool well = claude::soak::run(number(1), number(2), number(3));
  std::printf("soak: %s\n", well ? "OK" : "FAILED");
  return well ? 0 : 1;
}
