// The shared state of a CancelSource and its tokens.
#include <claude/cancel.h>

#include "session/quietly.h"
#include "session/threads.h"

#include <utility>
#include <vector>

namespace claude {

struct CancelToken::State {
  Mutex mutex;
  bool requested = false;
  bool ended = false;
  std::vector<std::function<void()>> functions;
};

bool CancelToken::requested() const {
  if (!state_) return false;
  std::lock_guard lock(state_->mutex);
  return state_->requested;
}

void CancelToken::on_request(std::function<void()> fn) const {
  if (!state_) return;
  {
    std::lock_guard lock(state_->mutex);
    if (state_->ended) return;  // and what it owns goes
    if (!state_->requested) return state_->functions.push_back(std::move(fn));
  }
  quietly(fn);
}

std::vector<std::function<void()>> CancelSource::end() const {
  std::lock_guard lock(token_.state_->mutex);
  token_.state_->ended = true;
  return std::exchange(token_.state_->functions, {});
}

bool CancelSource::renew() const {
  if (token_.state_.use_count() != 1) return false;
  std::lock_guard lock(token_.state_->mutex);
  token_.state_->ended = false;
  return true;
}

CancelSource::CancelSource() : token_(std::make_shared<CancelToken::State>()) {}

void CancelSource::request() const {
  std::vector<std::function<void()>> functions;
  {
    std::lock_guard lock(token_.state_->mutex);
    if (std::exchange(token_.state_->requested, true)) return;
    functions.swap(token_.state_->functions);
  }
  for (auto& function : functions) quietly(function);
}

}  // namespace claude
