// Threads, locks and the clock: the only door through which this room meets them.
//
// The simulation of the whole (docs/simulation.md) builds the room once more with a door of its
// own, and with pollers of its own in place of io/poller.h: there a thread is a fiber, a switch
// may come wherever a lock is taken, and time stands still until nothing can run.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace claude {

using Mutex = std::mutex;
using Condition = std::condition_variable;
using Thread = std::thread;
namespace this_thread = std::this_thread;

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

}  // namespace claude
