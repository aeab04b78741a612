// The door through which sessions reach the runtime's inside.
#pragma once

#include <claude/runtime.h>

#include "session/loop.h"
#include "session/pool.h"

namespace claude {

struct RuntimeAccess {
  static Runtime::Loop* loop(const Runtime& runtime) { return runtime.loop_.get(); }
  static Runtime::Pool& pool(const Runtime& runtime) { return *runtime.pool_; }
  static const RuntimeOptions& options(const Runtime& runtime) { return runtime.options_; }
};

}  // namespace claude
