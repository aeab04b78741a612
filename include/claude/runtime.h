// Advanced: the threads behind the sessions.
//
// A runtime has one thread that reads for sessions while nobody waits for them, and a pool for
// your callbacks, which grows as callbacks are at work. Without further ado all sessions share
// one, made with the first and gone with the last. Give Options::runtime to keep sessions apart.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

namespace claude {

struct RuntimeOptions {
  // How long a session is left alone after somebody waited for it, before the runtime's own thread
  // reads in his place: a loop over messages that comes back sooner is never disturbed.
  std::chrono::milliseconds lease{5};
  // Threads for callbacks, at most. Should be no less than the asks that may be open at a time, in
  // all sessions (Limits::open_asks in each): what finds no thread waits, and its time runs.
  // Where there are none (0, or the system gives none), callbacks run on the thread that reads. One
  // that waits there may hold up the other sessions of this runtime, and the start of further ones.
  std::size_t pool_threads = 256;
  // A pool thread without work ends after this, but for the last one. Negative is 0.
  std::chrono::milliseconds pool_idle{10'000};
};

class Runtime {
 public:
  explicit Runtime(RuntimeOptions options = {});
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // The one that sessions share by default.
  static std::shared_ptr<Runtime> shared();

  // Runs `work` on the pool. What it throws ends the program, as on any thread.
  void run(std::function<void()> work);

  class Loop;  // these two are the library's
  class Pool;

 private:
  friend struct RuntimeAccess;
  RuntimeOptions options_;
  std::shared_ptr<Pool> pool_;
  std::shared_ptr<Loop> loop_;
};

}  // namespace claude
