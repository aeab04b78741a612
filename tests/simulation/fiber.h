// A thread of a simulated world: a stack of its own, which runs only when it is told to.
#pragma once

#include <ucontext.h>

#include <csetjmp>
#include <functional>
#include <memory>

namespace claude::simulation {

class Fiber {
 public:
  Fiber();
  Fiber(const Fiber&) = delete;

  // What it does from its next resume() on. It must have finished what it did before.
  void give(std::function<void()> work);
  // Runs it until it pauses or has finished.
  void resume();
  // Back to whoever resumed; on the fiber itself.
  void pause();
  bool finished() const { return finished_; }

 private:
  [[noreturn]] void run();
  static void enter();

  std::unique_ptr<char[]> stack_;
  ucontext_t entry_;
  std::jmp_buf inside_;
  std::jmp_buf outside_;
  // What the C++ runtime knows of exceptions under way, which it keeps for each real thread.
  struct Exceptions {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };
  void swap_exceptions();
  Exceptions exceptions_;
  std::function<void()> work_;
  bool entered_ = false;
  bool finished_ = true;
};

}  // namespace claude::simulation
