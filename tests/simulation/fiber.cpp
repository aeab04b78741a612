// Fibers on ucontext, which is entered once for each; after that switches are long jumps, because
// swapcontext() asks the kernel for the signal mask each time.
#include "fiber.h"

#include <cxxabi.h>

#include <cstring>
#include <utility>

namespace claude::simulation {
namespace {

constexpr std::size_t kStackBytes = std::size_t{512} << 10;
Fiber* entering = nullptr;

}  // namespace

Fiber::Fiber() : stack_(new char[kStackBytes]) {}

void Fiber::give(std::function<void()> work) {
  work_ = std::move(work);
  finished_ = false;
}

void Fiber::resume() {
  swap_exceptions();
  if (_setjmp(outside_) == 0) {
    if (std::exchange(entered_, true)) _longjmp(inside_, 1);
    getcontext(&entry_);
    entry_.uc_stack.ss_sp = stack_.get();
    entry_.uc_stack.ss_size = kStackBytes;
    entry_.uc_link = nullptr;
    makecontext(&entry_, &Fiber::enter, 0);
    entering = this;
    setcontext(&entry_);
  }
  swap_exceptions();
}

void Fiber::pause() {
  if (_setjmp(inside_) == 0) _longjmp(outside_, 1);
}

void Fiber::enter() {
  std::exchange(entering, nullptr)->run();
}

void Fiber::run() {
  while (true) {
    std::exchange(work_, nullptr)();
    finished_ = true;
    pause();
  }
}

void Fiber::swap_exceptions() {
  auto* globals = reinterpret_cast<char*>(abi::__cxa_get_globals());
  Exceptions now;
  std::memcpy(&now, globals, sizeof now);
  std::memcpy(globals, &exceptions_, sizeof now);
  exceptions_ = now;
}

}  // namespace claude::simulation
