// The threads that sessions share, and how long they live.
#include <claude/runtime.h>

#include "session/access.h"
#include "session/loop.h"
#include "session/pool.h"
#include "session/threads.h"

namespace claude {

Runtime::Runtime(RuntimeOptions options)
    : options_(options), pool_(std::make_shared<Pool>(options)), loop_(Loop::start()) {}

Runtime::~Runtime() {
  if (loop_) loop_->stop();
  pool_->stop();
}

std::shared_ptr<Runtime> Runtime::shared() {
  // Not a singleton that lives for ever: it goes with the last session that uses it. These two do,
  // for the destructor of a static object may start a session as well.
  static Mutex& mutex = *new Mutex;
  static std::weak_ptr<Runtime>& current = *new std::weak_ptr<Runtime>;
  std::lock_guard lock(mutex);
  auto runtime = current.lock();
  if (!runtime) current = runtime = std::make_shared<Runtime>();
  return runtime;
}

void Runtime::run(std::function<void()> work) {
  pool_->run(std::move(work));
}

}  // namespace claude
