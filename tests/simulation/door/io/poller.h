// The pollers of src/io/poller.h for the descriptors of a simulated world. The contract is the
// same: level-triggered, time rounded up to milliseconds, and a wait may end early with nothing.
#pragma once

#include <claude/error.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

namespace claude::io {

using Timeout = std::optional<std::chrono::nanoseconds>;  // nullopt: for ever

enum class Interest : std::uint8_t { read = 1, write = 2, both = 3 };
enum class Repeat : std::uint8_t { always, one_shot };

struct Ready {
  std::uint64_t token;
  bool readable;
  bool writable;
  bool hangup;
};

class Poller {
 public:
  static Result<Poller> create() { return Poller(); }

  Result<void> add(int fd, Interest interest, std::uint64_t token, Repeat repeat);
  Result<void> modify(int fd, Interest interest, std::uint64_t token, Repeat repeat);
  void remove(int fd) { entries_.erase(fd); }
  std::size_t wait(Timeout timeout, std::span<Ready> ready);

 private:
  struct Entry {
    Interest interest;
    std::uint64_t token;
    Repeat repeat;
    bool silent = false;
  };
  std::map<int, Entry> entries_;
};

class Wake {
 public:
  static Result<Wake> create();

  int fd() const { return fd_; }
  void notify() const;
  void drain() const;

 private:
  explicit Wake(int fd) : fd_(fd) {}
  int fd_;
};

struct PollItem {
  int fd = -1;  // negative: skipped
  Interest interest = Interest::read;
  bool readable = false;
  bool writable = false;
  bool hangup = false;
};

std::size_t poll_few(std::span<PollItem> items, Timeout timeout);

struct FewPoller {
  void watch(std::span<const PollItem>) {}
  using TimePoint = std::chrono::steady_clock::time_point;
  std::size_t wait(std::span<PollItem> items, TimePoint until, TimePoint now) {
    return poll_few(items, until == TimePoint::max() ? Timeout() : until - now);
  }
};

}  // namespace claude::io
