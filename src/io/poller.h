// Waiting for descriptors: many of them (Poller), or the few of one waiting thread (poll_few).
//
// The pollers are level-triggered: what was not read is reported again. Time is given, never
// asked for; timeouts are rounded up to the system's milliseconds, so that a wait for the rest of
// one never spins. Any wait may return early with nothing (a signal came): look at your own
// deadline and wait again.
#pragma once

#include <claude/error.h>
#include <poll.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "io/fd.h"

namespace claude::io {

using Timeout = std::optional<std::chrono::nanoseconds>;  // nullopt: for ever

// To hear nothing of a descriptor, remove it: the system reports a hangup whatever was asked for.
enum class Interest : std::uint8_t { read = 1, write = 2, both = 3 };

struct Ready {
  std::uint64_t token;
  bool readable;
  bool writable;
  bool hangup;  // the other side is gone, or an error: read or write to learn more
};

// A one-shot entry falls silent after its first report until modify() arms it again.
enum class Repeat : std::uint8_t { always, one_shot };

#ifdef __linux__
// add, modify and remove may be called on any thread, also while another one waits.
class EpollPoller {
 public:
  static Result<EpollPoller> create();

  Result<void> add(int fd, Interest interest, std::uint64_t token, Repeat repeat);
  Result<void> modify(int fd, Interest interest, std::uint64_t token, Repeat repeat);
  void remove(int fd);  // before the descriptor is closed

  // Fills `ready` (never empty) from the front and says how many. Those that found no room come
  // next time.
  std::size_t wait(Timeout timeout, std::span<Ready> ready);

 private:
  explicit EpollPoller(Fd epoll) : epoll_(std::move(epoll)) {}
  Result<void> control(int operation, int fd, Interest, std::uint64_t token, Repeat);

  Fd epoll_;
};
#endif

// The same on poll(2). Belongs to one thread: while it waits, nobody may add, modify or remove.
class PollPoller {
 public:
  static Result<PollPoller> create() { return PollPoller(); }

  Result<void> add(int fd, Interest interest, std::uint64_t token, Repeat repeat);
  Result<void> modify(int fd, Interest interest, std::uint64_t token, Repeat repeat);
  void remove(int fd);
  std::size_t wait(Timeout timeout, std::span<Ready> ready);

 private:
  struct Entry {
    int fd;
    std::uint64_t token;
    Repeat repeat;
  };
  void set(std::size_t at, int fd, Interest, std::uint64_t token, Repeat);

  std::vector<pollfd> polled_;  // entry by entry as entries_; fd is -1 while silent
  std::vector<Entry> entries_;
  std::unordered_map<int, std::size_t> index_of_;  // fd to place in both
  std::size_t first_ = 0;                          // where the next scan begins, for fairness
};

#ifdef __linux__
using Poller = EpollPoller;
#else
using Poller = PollPoller;
#endif

// Ends another thread's wait: poll fd() for reading. Several notify() before a drain() are one.
class Wake {
 public:
  static Result<Wake> create();

  int fd() const { return read_.get(); }
  void notify() const;  // any thread; never blocks
  void drain() const;   // fd() is unreadable afterwards

 private:
  Wake(Fd read, Fd write) : read_(std::move(read)), write_(std::move(write)) {}

  Fd read_;
  Fd write_;  // empty where one descriptor serves both (eventfd)
};

struct PollItem {
  int fd = -1;  // negative: skipped
  Interest interest = Interest::read;
  bool readable = false;  // these three are filled in
  bool writable = false;
  bool hangup = false;
};

constexpr std::size_t kMaxPollItems = 5;

// poll(2) on at most kMaxPollItems descriptors; says how many are ready.
std::size_t poll_few(std::span<PollItem> items, Timeout timeout);

// The same for who waits again and again for the same descriptors: epoll remembers them, so that
// each wait costs less. One thread at a time.
class FewPoller {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Before each wait, while all of the descriptors are surely open; what happens to them after it
  // makes the wait wait for less. One that was closed must not come again under its old number.
  [[gnu::hot]] void watch(std::span<const PollItem> items);
  // `now` matters only where `until` is not for ever, which is TimePoint::max().
  [[gnu::hot]] std::size_t wait(std::span<PollItem> items, TimePoint until, TimePoint now);

#ifdef __linux__
 private:
  [[gnu::hot]] bool remember(std::span<const PollItem> items);  // false: epoll cannot
  // In milliseconds; for ever, if a timer ends the wait.
  int time_left(TimePoint until, TimePoint now);
  bool timer_is_set(TimePoint until);

  struct Watched {
    int fd = -1;
    Interest interest = Interest::read;
    bool operator==(const Watched&) const = default;
  };
  Fd epoll_;  // made by the first wait
  std::array<Watched, kMaxPollItems> watched_;
  bool fits_ = true;  // epoll takes no regular file, and no descriptor twice

  // To wait with a timeout sets up a timer and takes it down again, each time. Deadlines are mostly
  // far away and move on with each wait, so one that is left alone may serve many: it goes off once
  // for nothing, and is set to the next. It costs a descriptor: only who waits often has one.
  Fd timer_;
  TimePoint timer_due_ = TimePoint::max();
  unsigned waits_ = 0;  // with an end
#endif
};

// A timeout as poll(2) takes it: rounded up, clamped, -1 for ever.
int poll_milliseconds(Timeout timeout);

}  // namespace claude::io
