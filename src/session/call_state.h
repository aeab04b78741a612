// Behind a Call<T>: the answer once it is there, and who waits for it. Guarded by the mutex of
// its session. A call that could not begin has its error at once.
#pragma once

#include <claude/call.h>

#include "core/events.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace claude {

class LiveSession;

class CallState {
 public:
  std::shared_ptr<LiveSession> session;
  std::optional<Result<core::Answer>> answer;
  std::vector<std::function<void()>> on_answer;  // run on the executor
};

}  // namespace claude
