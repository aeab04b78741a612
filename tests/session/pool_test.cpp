// The threads that run callbacks: when they come and when they go.
#include <claude/runtime.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <set>
#include <thread>

namespace claude {
namespace {

using namespace std::chrono_literals;

// Goes with its thread.
struct Farewell {
  static inline std::atomic<int> said = 0;
  ~Farewell() {
    ++said;
    said.notify_all();
  }
};

thread_local bool was_at_work = false;

TEST(Pool, ThreadsWithoutWorkEndAfterAWhileButForOne) {
  constexpr int kThreads = 3;
  Runtime runtime({.pool_idle = 0ms});
  auto all_at_work = std::make_shared<std::latch>(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    runtime.run([all_at_work] {
      thread_local Farewell farewell;
      was_at_work = true;
      all_at_work->arrive_and_wait();
    });
  }
  for (int said; (said = Farewell::said) < kThreads - 1;) Farewell::said.wait(said);

  auto done = std::make_shared<std::latch>(1);
  bool is_one_of_them = false;
  runtime.run([&, done] {
    is_one_of_them = was_at_work;
    done->count_down();
  });
  done->wait();
  EXPECT_TRUE(is_one_of_them);
}

TEST(Pool, AThreadThatIsFreeIsUsedAgain) {
  Runtime runtime;
  std::set<std::thread::id> threads;
  for (int i = 0; i < 100; ++i) {
    auto done = std::make_shared<std::latch>(1);
    runtime.run([&, done] {
      threads.insert(std::this_thread::get_id());
      done->count_down();
    });
    done->wait();
  }
  EXPECT_LT(threads.size(), 50u);
}

TEST(Pool, MoreWorkThanThreadsWaitsForItsTurn) {
  constexpr int kWorks = 20;
  Runtime runtime({.pool_threads = 2});
  auto done = std::make_shared<std::latch>(kWorks);
  std::atomic<int> at_work = 0;
  std::atomic<int> most = 0;
  for (int i = 0; i < kWorks; ++i) {
    runtime.run([&, done] {
      int now = ++at_work;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      --at_work;
      done->count_down();
    });
  }
  done->wait();
  EXPECT_LE(most, 2);
}

}  // namespace
}  // namespace claude
