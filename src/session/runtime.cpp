// The threads that sessions share, and how long they live.
#include <claude/runtime.h>

#include "io/host_process.h"
#include "session/access.h"
#include "session/loop.h"
#include "session/pool.h"
#include "session/threads.h"

#include <atomic>

namespace claude {

Runtime::Runtime(RuntimeOptions options)
    : options_(options), pool_(std::make_shared<Pool>(options)), loop_(Loop::start()) {}

Runtime::~Runtime() {
  if (loop_) loop_->stop();
  pool_->stop();
}

namespace {

// Not a singleton that lives for ever: the runtime goes with the last session that uses it. This
// does, for the destructor of a static object may start a session as well.
struct Shared {
  io::HostProcess host;
  Mutex mutex;
  std::weak_ptr<Runtime> runtime;
};

constinit std::atomic<Shared*> shared_by_sessions = nullptr;

// A copy of the host that fork() has made gets one of its own: it has no threads of the host's, and
// the lock may have been held.
Shared& shared_of_this_process() {
  Shared* known = shared_by_sessions.load();
  if (known != nullptr && known->host.is_this_one()) return *known;
  auto own = std::make_unique<Shared>();
  // Another thread may be as far.
  return shared_by_sessions.compare_exchange_strong(known, own.get()) ? *own.release() : *known;
}

}  // namespace

std::shared_ptr<Runtime> Runtime::shared() {
  Shared& shared = shared_of_this_process();
  std::lock_guard lock(shared.mutex);
  auto runtime = shared.runtime.lock();
  if (!runtime) shared.runtime = runtime = std::make_shared<Runtime>();
  return runtime;
}

void Runtime::run(std::function<void()> work) {
  pool_->run(std::move(work));
}

}  // namespace claude
