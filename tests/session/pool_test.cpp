// The threads that run callbacks: when they come and when they go.
#include <claude/runtime.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <latch>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "session/own_transport.h"
#include "session/thread_state.h"

namespace claude {
namespace {

using namespace std::chrono_literals;

class IdlePool : public ::testing::TestWithParam<std::chrono::milliseconds> {};
INSTANTIATE_TEST_SUITE_P(Ended, IdlePool, ::testing::Values(0ms, std::chrono::milliseconds::min()),
                         [](const auto& idle) { return idle.param < 0ms ? "negative" : "none"; });

TEST_P(IdlePool, ThreadsWithoutWorkEndAfterAWhileButForOne) {
  constexpr std::size_t kThreads = 3;
  Runtime runtime({.pool_idle = GetParam()});
  std::array<pid_t, kThreads> threads;
  auto all_at_work = std::make_shared<std::latch>(kThreads + 1);
  for (pid_t& thread : threads) {
    runtime.run([&thread, all_at_work] {
      thread = ::gettid();
      all_at_work->arrive_and_wait();
    });
  }
  all_at_work->arrive_and_wait();
  std::string left;
  do {
    std::this_thread::yield();
    left.clear();
    for (pid_t thread : threads) left += test::state_of(thread);
  } while (left.size() > 1 || left == "R");

  auto done = std::make_shared<std::latch>(1);
  pid_t worker = 0;
  runtime.run([&, done] {
    worker = ::gettid();
    done->count_down();
  });
  done->wait();
  EXPECT_NE(std::ranges::find(threads, worker), threads.end());
}

TEST(Pool, AThreadThatIsFreeIsUsedAgain) {
  Runtime runtime({.pool_idle = std::chrono::milliseconds::max()});
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

TEST(Pool, WorkThatHasNoThreadMayBeTheLastThatHoldsIt) {
  auto runtime = std::make_shared<Runtime>(RuntimeOptions{.pool_threads = 0});
  std::weak_ptr<Runtime> watched = runtime;
  Runtime& used = *runtime;
  used.run([runtime = std::move(runtime)] {});
  EXPECT_TRUE(watched.expired());
}

// Goes with the callback that owns it, and needs a thread of the pool for that.
struct NeedsThePool {
  std::shared_ptr<Runtime> runtime;
  test::Gate gone;
  ~NeedsThePool() {
    auto ran = std::make_shared<std::latch>(1);
    runtime->run([ran] { ran->count_down(); });
    ran->wait();
    gone.open();
  }
};

class PoolOfASession : public test::OwnTransport {};

TEST_F(PoolOfASession, WhatACallbackOwnsMayUseItWhenTheSessionGoes) {
  test::Gate begun, go, gone;
  options.runtime = std::make_shared<Runtime>();
  options.hooks.pre_tool_use([owned = std::make_shared<NeedsThePool>(options.runtime, gone), begun,
                              go](const PreToolUse&) mutable {
    begun.open();
    go.wait();
    return proceed();
  });
  std::optional<Session> session = Session::start(std::exchange(options, {})).value();
  cli.ask("h1", {{"subtype", "hook_callback"},
                 {"callback_id", "hook_0"},
                 {"input", {{"tool_name", "Bash"}, {"tool_input", {{"a", 1}}}}}});
  begun.wait();
  session.reset();  // the callback is the last that holds it
  go.open();
  EXPECT_TRUE(gone.wait());
}

}  // namespace
}  // namespace claude
