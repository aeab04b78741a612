// Waiting for descriptors.
#include "io/poller.h"

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <climits>

#include "io/pipe.h"

namespace claude::io {
namespace {

bool wants(Interest interest, Interest what) {
  return (static_cast<unsigned>(interest) & static_cast<unsigned>(what)) != 0;
}

short poll_events(Interest interest) {
  return static_cast<short>((wants(interest, Interest::read) ? POLLIN : 0) |
                            (wants(interest, Interest::write) ? POLLOUT : 0));
}

bool is_readable(const pollfd& entry) {
  return (entry.revents & POLLIN) != 0;
}
bool is_writable(const pollfd& entry) {
  return (entry.revents & POLLOUT) != 0;
}
bool is_hangup(const pollfd& entry) {
  return (entry.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

Timeout timeout_of(FewPoller::TimePoint until, FewPoller::TimePoint now) {
  if (until == FewPoller::TimePoint::max()) return std::nullopt;
  return until - now;
}

Result<void> wrong_use(int os_error) {
  return std::unexpected(refused_by_system("watching a descriptor", os_error));
}

}  // namespace

int poll_milliseconds(Timeout timeout) {
  using std::chrono::milliseconds;
  if (!timeout) return -1;
  const auto rounded = std::chrono::ceil<milliseconds>(*timeout).count();
  return static_cast<int>(std::clamp<milliseconds::rep>(rounded, 0, INT_MAX));
}

#ifdef __linux__

Result<EpollPoller> EpollPoller::create() {
  Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return std::unexpected(refused_by_system("creating a poller", errno));
  return EpollPoller(std::move(epoll));
}

namespace {

std::uint32_t epoll_events(Interest interest) {
  return (wants(interest, Interest::read) ? EPOLLIN : 0u) |
         (wants(interest, Interest::write) ? EPOLLOUT : 0u);
}

}  // namespace

Result<void> EpollPoller::control(int operation, int fd, Interest interest, std::uint64_t token,
                                  Repeat repeat) {
  epoll_event event = {.events = epoll_events(interest), .data = {.u64 = token}};
  if (repeat == Repeat::one_shot) event.events |= EPOLLONESHOT;
  if (::epoll_ctl(epoll_.get(), operation, fd, &event) != 0) return wrong_use(errno);
  return {};
}

Result<void> EpollPoller::add(int fd, Interest interest, std::uint64_t token, Repeat repeat) {
  return control(EPOLL_CTL_ADD, fd, interest, token, repeat);
}

Result<void> EpollPoller::modify(int fd, Interest interest, std::uint64_t token, Repeat repeat) {
  return control(EPOLL_CTL_MOD, fd, interest, token, repeat);
}

void EpollPoller::remove(int fd) {
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
}

std::size_t EpollPoller::wait(Timeout timeout, std::span<Ready> ready) {
  std::array<epoll_event, 64> events;
  const auto room = static_cast<int>(std::min(events.size(), ready.size()));
  const int count = ::epoll_wait(epoll_.get(), events.data(), room, poll_milliseconds(timeout));
  assert(count >= 0 || errno == EINTR);
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::uint32_t what = events[at].events;
    ready[at] = {.token = events[at].data.u64,
                 .readable = (what & EPOLLIN) != 0,
                 .writable = (what & EPOLLOUT) != 0,
                 .hangup = (what & (EPOLLHUP | EPOLLERR)) != 0};
  }
  return static_cast<std::size_t>(std::max(count, 0));
}

#endif

void PollPoller::set(std::size_t at, int fd, Interest interest, std::uint64_t token,
                     Repeat repeat) {
  polled_[at] = {.fd = fd, .events = poll_events(interest), .revents = 0};
  entries_[at] = {.fd = fd, .token = token, .repeat = repeat};
}

Result<void> PollPoller::add(int fd, Interest interest, std::uint64_t token, Repeat repeat) {
  if (!index_of_.emplace(fd, entries_.size()).second) return wrong_use(EEXIST);
  polled_.emplace_back();
  entries_.emplace_back();
  set(entries_.size() - 1, fd, interest, token, repeat);
  return {};
}

Result<void> PollPoller::modify(int fd, Interest interest, std::uint64_t token, Repeat repeat) {
  const auto found = index_of_.find(fd);
  if (found == index_of_.end()) return wrong_use(ENOENT);
  set(found->second, fd, interest, token, repeat);
  return {};
}

void PollPoller::remove(int fd) {
  const auto found = index_of_.find(fd);
  if (found == index_of_.end()) return;
  const std::size_t at = found->second;
  polled_[at] = polled_.back();
  entries_[at] = entries_.back();
  index_of_[entries_[at].fd] = at;
  polled_.pop_back();
  entries_.pop_back();
  index_of_.erase(fd);
}

std::size_t PollPoller::wait(Timeout timeout, std::span<Ready> ready) {
  const auto size = polled_.size();
  const int count = ::poll(polled_.data(), static_cast<nfds_t>(size), poll_milliseconds(timeout));
  assert(count >= 0 || errno == EINTR);
  const std::size_t limit = std::min(ready.size(), static_cast<std::size_t>(std::max(count, 0)));
  std::size_t filled = 0;
  for (std::size_t i = 0; filled < limit && i < size; ++i) {
    const std::size_t at = (first_ + i) % size;
    pollfd& entry = polled_[at];
    if (entry.revents == 0) continue;
    ready[filled++] = {.token = entries_[at].token,
                       .readable = is_readable(entry),
                       .writable = is_writable(entry),
                       .hangup = is_hangup(entry)};
    if (entries_[at].repeat == Repeat::one_shot) entry.fd = -1;
    if (filled == limit) first_ = at + 1;
  }
  return filled;
}

Result<Wake> Wake::create() {
#ifdef __linux__
  Fd event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event) return std::unexpected(refused_by_system("creating an eventfd", errno));
  return Wake(std::move(event), Fd());
#else
  Result<Pipe> pipe = make_pipe();
  if (!pipe) return std::unexpected(pipe.error());
  for (const Fd* end : {&pipe->read, &pipe->write}) {
    if (auto done = set_nonblocking(*end); !done) return std::unexpected(done.error());
  }
  return Wake(std::move(pipe->read), std::move(pipe->write));
#endif
}

void Wake::notify() const {
  // Would-block means that earlier calls wait to be drained: this one is told with them. No
  // SIGPIPE: we hold the reading end ourselves.
  const std::uint64_t one = 1;
  const int fd = write_ ? write_.get() : read_.get();
  while (::write(fd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void Wake::drain() const {
  // An eventfd is empty after one read; of a pipe the reads go on until it would block.
  char bytes[512];
  while (read_some(read_.get(), bytes).kind == ReadOutcome::Kind::bytes && write_) {
  }
}

std::size_t poll_few(std::span<PollItem> items, Timeout timeout) {
  assert(items.size() <= kMaxPollItems);
  std::array<pollfd, kMaxPollItems> polled;
  const std::size_t size = std::min(items.size(), polled.size());
  for (std::size_t i = 0; i < size; ++i) {
    polled[i] = {.fd = items[i].fd, .events = poll_events(items[i].interest), .revents = 0};
  }
  const int count = ::poll(polled.data(), static_cast<nfds_t>(size), poll_milliseconds(timeout));
  for (std::size_t i = 0; i < size; ++i) {
    items[i].readable = is_readable(polled[i]);
    items[i].writable = is_writable(polled[i]);
    items[i].hangup = is_hangup(polled[i]);
  }
  return static_cast<std::size_t>(std::max(count, 0));
}

#ifdef __linux__

namespace {

constexpr std::uint64_t kTimer = kMaxPollItems;  // where others have their place
constexpr unsigned kWaitsBeforeTimer = 64;

}  // namespace

bool FewPoller::remember(std::span<const PollItem> items) {
  if (!epoll_) epoll_ = Fd(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) return false;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Watched wanted = i < items.size() ? Watched{items[i].fd, items[i].interest} : Watched();
    Watched& known = watched_[i];
    if (known == wanted) continue;
    if (known.fd >= 0) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, known.fd, nullptr);
    known = wanted;
    if (wanted.fd < 0) continue;
    epoll_event event = {.events = epoll_events(wanted.interest), .data = {.u64 = i}};
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wanted.fd, &event) != 0) return false;
  }
  return true;
}

void FewPoller::watch(std::span<const PollItem> items) {
  assert(items.size() <= kMaxPollItems);
  fits_ = fits_ && remember(items);
}

bool FewPoller::timer_is_set(TimePoint until) {
  using std::chrono::nanoseconds, std::chrono::seconds;
  if (until >= timer_due_) return true;
  if (!timer_) {
    if (++waits_ < kWaitsBeforeTimer) return false;
    waits_ = 0;
    timer_ = Fd(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    epoll_event event = {.events = EPOLLIN, .data = {.u64 = kTimer}};
    if (timer_ && ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, timer_.get(), &event) != 0) {
      timer_.close();
    }
    if (!timer_) return false;
  }
  const nanoseconds due = std::max<nanoseconds>(until.time_since_epoch(), nanoseconds(1));
  const auto whole = std::chrono::floor<seconds>(due);
  const itimerspec once = {.it_interval = {},
                           .it_value = {.tv_sec = whole.count(), .tv_nsec = (due - whole).count()}};
  if (::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &once, nullptr) != 0) return false;
  timer_due_ = until;
  return true;
}

int FewPoller::time_left(TimePoint until, TimePoint now) {
  if (until == TimePoint::max() || timer_is_set(until)) return -1;
  return poll_milliseconds(until - now);
}

std::size_t FewPoller::wait(std::span<PollItem> items, TimePoint until, TimePoint now) {
  if (!fits_) return poll_few(items, timeout_of(until, now));
  for (PollItem& item : items) item.readable = item.writable = item.hangup = false;
  std::array<epoll_event, kMaxPollItems + 1> events;
  const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                 time_left(until, now));
  std::size_t found = 0;
  for (const epoll_event& event :
       std::span(events).first(static_cast<std::size_t>(std::max(count, 0)))) {
    if (event.data.u64 == kTimer) {
      std::uint64_t times = 0;
      [[maybe_unused]] auto read = ::read(timer_.get(), &times, sizeof times);  // falls silent
      timer_due_ = TimePoint::max();
      continue;
    }
    PollItem& item = items[event.data.u64];
    item.readable = (event.events & EPOLLIN) != 0;
    item.writable = (event.events & EPOLLOUT) != 0;
    item.hangup = (event.events & (EPOLLHUP | EPOLLERR)) != 0;
    ++found;
  }
  return found;
}

#else

void FewPoller::watch(std::span<const PollItem>) {}

std::size_t FewPoller::wait(std::span<PollItem> items, TimePoint until, TimePoint now) {
  return poll_few(items, timeout_of(until, now));
}

#endif

}  // namespace claude::io
