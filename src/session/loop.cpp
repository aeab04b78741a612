// The runtime's own thread: waits for many descriptors and timers, and calls whoever they concern.
#include "session/loop.h"

#include "session/quietly.h"

#include <array>

namespace claude {
namespace {

constexpr std::uint64_t kWakeToken = 0;
constexpr std::uint64_t kChannels = 4;

std::uint64_t token_of(Runtime::Loop::Id id, Runtime::Loop::Channel channel) {
  return id * kChannels + static_cast<std::uint64_t>(channel);
}

io::Interest interest_of(Runtime::Loop::Channel channel) {
  return channel == Runtime::Loop::Channel::write ? io::Interest::write : io::Interest::read;
}

}  // namespace

std::shared_ptr<Runtime::Loop> Runtime::Loop::start() {
  auto poller = io::Poller::create();
  auto wake = io::Wake::create();
  if (!poller || !wake) return nullptr;
  std::shared_ptr<Loop> loop(new Loop(std::move(*poller), std::move(*wake)));
  if (!loop->poller_.add(loop->wake_.fd(), io::Interest::read, kWakeToken, io::Repeat::always)) {
    return nullptr;
  }
  auto refused = thrown_by([&] { loop->thread_ = Thread([loop] { loop->serve(); }); });
  return refused ? nullptr : loop;
}

void Runtime::Loop::stop() {
  if (!is_of_this_process()) return;  // a copy of the host has no such thread
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify();
  // The last owner of a runtime may be a callback on this very thread.
  if (on_own_thread()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void Runtime::Loop::run_and_wait(const std::function<void()>& work) {
  if (on_own_thread()) return work();
  Semaphore done;  // a promise is not done with itself when its future is ready
  {
    std::lock_guard lock(mutex_);
    posted_.push_back([&] {
      work();
      done.post();
    });
  }
  wake_.notify();
  done.wait();
}

Runtime::Loop::Id Runtime::Loop::add(std::shared_ptr<Served> served) {
  std::lock_guard lock(mutex_);
  served_.emplace(++last_, std::move(served));
  return last_;
}

void Runtime::Loop::remove(Id id) {
  std::shared_ptr<Served> gone;  // destroyed outside the lock
  std::lock_guard lock(mutex_);
  if (auto found = served_.find(id); found != served_.end()) {
    gone = std::move(found->second);
    served_.erase(found);
  }
  std::erase_if(timers_, [&](const auto& timer) { return timer.second == id; });
}

void Runtime::Loop::watch(Id id, Channel channel, int fd) {
  auto interest = interest_of(channel);
  std::uint64_t token = token_of(id, channel);
  if (!poller_.modify(fd, interest, token, io::Repeat::one_shot)) {
    (void)poller_.add(fd, interest, token, io::Repeat::one_shot);
  }
}

void Runtime::Loop::unwatch(int fd) {
  poller_.remove(fd);
}

void Runtime::Loop::set_timer(Id id, TimePoint when) {
  bool first = false;
  {
    std::lock_guard lock(mutex_);
    auto [place, added] = timers_.emplace(when, id);
    first = added && place == timers_.begin();
  }
  if (first && !on_own_thread()) wake_.notify();
}

void Runtime::Loop::serve() {
  std::array<io::Ready, 64> ready;
  while (true) {
    std::size_t count = poller_.wait(time_to_next_timer(), ready);
    for (const io::Ready& each : std::span(ready).first(count)) dispatch(each);
    run_posted();
    run_timers();
    std::lock_guard lock(mutex_);
    if (stopping_ && served_.empty()) return;
  }
}

void Runtime::Loop::dispatch(const io::Ready& ready) {
  if (ready.token == kWakeToken) return wake_.drain();
  auto served = find(ready.token / kChannels);
  if (!served) return;
  switch (static_cast<Channel>(ready.token % kChannels)) {
    case Channel::read:
      return served->on_readable();
    case Channel::write:
      return served->on_writable();
    case Channel::errors:
      return served->on_errors();
    case Channel::exit:
      return served->on_exit();
  }
}

std::shared_ptr<Served> Runtime::Loop::find(Id id) {
  std::lock_guard lock(mutex_);
  auto found = served_.find(id);
  return found == served_.end() ? nullptr : found->second;
}

void Runtime::Loop::run_posted() {
  std::vector<std::function<void()>> posted;
  {
    std::lock_guard lock(mutex_);
    posted.swap(posted_);
  }
  for (auto& work : posted) work();
}

void Runtime::Loop::run_timers() {
  while (true) {
    Id id = 0;
    {
      std::lock_guard lock(mutex_);
      if (timers_.empty() || timers_.begin()->first > Clock::now()) return;
      id = timers_.begin()->second;
      timers_.erase(timers_.begin());
    }
    if (auto served = find(id)) served->on_time();
  }
}

io::Timeout Runtime::Loop::time_to_next_timer() {
  std::lock_guard lock(mutex_);
  if (!posted_.empty()) return std::chrono::nanoseconds(0);
  if (timers_.empty()) return std::nullopt;
  TimePoint now = Clock::now();
  return std::max(timers_.begin()->first, now) - now;
}

}  // namespace claude
