// poll(2), coroutines that became ready, timers, and signals as bytes of a pipe.
#include "loop.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "output.h"
#include "world.h"

namespace claude::sim {

// A coroutine that owns a task and destroys itself at the end, or with the others in drop_tasks().
struct Loop::Detached {
  struct promise_type {
    promise_type(Loop& in, Task<void>&) : loop(in) { loop.detached_.insert(handle().address()); }
    ~promise_type() { loop.detached_.erase(handle().address()); }

    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }  // out of the loop: a scenario that makes no sense
    std::coroutine_handle<> handle() {
      return std::coroutine_handle<promise_type>::from_promise(*this);
    }

    Loop& loop;
  };

  static Detached start(Loop&, Task<void> task) { co_await task; }
};

void Abort::fire() {
  fired_ = true;
  for (Wait* wait : std::vector<Wait*>(waits_)) wait->wake();
}

void Gate::open() {
  open_ = true;
  for (Wait* wait : std::vector<Wait*>(waits_)) wait->wake();
}

void Wait::await_suspend(std::coroutine_handle<> who) {
  who_ = who;
  if (gate_) gate_->waits_.push_back(this);
  if (abort_) abort_->waits_.push_back(this);
  if (until_) loop_.timers_.emplace(*until_, this);
}

// Leaves every list, so that it wakes once.
void Wait::wake() {
  if (gate_) std::erase(gate_->waits_, this);
  if (abort_) std::erase(abort_->waits_, this);
  std::erase_if(loop_.timers_, [this](const auto& timer) { return timer.second == this; });
  loop_.ready_.push_back(who_);
}

Woke Wait::await_resume() const {
  if (abort_ && abort_->fired()) throw Interrupted{};
  return gate_ && gate_->is_open() ? Woke::opened : Woke::timed_out;
}

void Yield::await_suspend(std::coroutine_handle<> who) {
  loop_.yielded_.push_back(who);
}

void Loop::spawn(Task<void> task) {
  Detached::start(*this, std::move(task));
}

void Loop::drop_tasks() {
  while (!detached_.empty()) std::coroutine_handle<>::from_address(*detached_.begin()).destroy();
}

void Loop::run_ready() {
  while (!ready_.empty()) {
    const std::coroutine_handle<> who = ready_.front();
    ready_.pop_front();
    who.resume();
  }
}

void Loop::run_timers() {
  while (!timers_.empty() && timers_.begin()->first <= Clock::now()) {
    timers_.begin()->second->wake();
    run_ready();
  }
}

int Loop::poll_timeout() const {
  if (timers_.empty()) return -1;
  const auto left = timers_.begin()->first - Clock::now();
  if (left <= left.zero()) return 0;
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
}

void Loop::read_input() {
  std::array<char, 65536> block;
  const ssize_t got = read(world().in, block.data(), block.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  std::string_view rest(block.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
    line_ += rest.substr(0, end);
    on_line(std::exchange(line_, {}));
    run_ready();
  }
  line_ += rest;
  if (got > 0) return;
  ended_ = true;
  if (!line_.empty()) on_line(std::exchange(line_, {}));
  run_ready();
  on_end_of_input();
}

void Loop::take_signals() {
  unsigned char number = 0;
  while (read(world().signals, &number, 1) == 1) {
    on_signal(number);
    run_ready();
  }
}

void Loop::watch(int descriptor, std::function<void()> readable) {
  watched_[descriptor] = std::move(readable);
}

// One that was read before may have ended the watch.
void Loop::read_watched(int descriptor) {
  const auto found = watched_.find(descriptor);
  if (found == watched_.end()) return;
  const std::function<void()> readable = found->second;
  readable();
  run_ready();
}

void Loop::run() {
  for (;;) {
    run_ready();
    run_timers();
    output_.flush();
    std::vector<pollfd> fds{
        pollfd{reading_ && !ended_ ? world().in : -1, POLLIN, 0},
        pollfd{output_.waiting() ? world().out : -1, POLLOUT, 0},
        pollfd{world().signals, POLLIN, 0},
    };
    for (const auto& [descriptor, readable] : watched_) fds.push_back({descriptor, POLLIN, 0});
    if (poll(fds.data(), fds.size(), yielded_.empty() ? poll_timeout() : 0) > 0) {
      if (fds[2].revents) take_signals();
      if (fds[1].revents) output_.flush();
      if (fds[0].revents) read_input();
      for (std::size_t i = 3; i < fds.size(); ++i)
        if (fds[i].revents) read_watched(fds[i].fd);
    }
    for (const std::coroutine_handle<> who : std::exchange(yielded_, {})) ready_.push_back(who);
  }
}

}  // namespace claude::sim
