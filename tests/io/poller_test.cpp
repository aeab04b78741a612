// Both pollers in the same terms, the wake-up, and both ways to wait for a few descriptors.
#include "io/poller.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <climits>
#include <set>
#include <span>
#include <thread>

#include "io/pipe.h"
#include "io/support.h"

namespace claude::io::test {
namespace {

using namespace std::chrono_literals;

Pipe new_pipe() {
  return std::move(*make_pipe());
}

template <class P>
class PollerTest : public testing::Test {
 protected:
  // The tokens that are ready now.
  std::set<std::uint64_t> ready(Timeout timeout = 0ns) {
    std::set<std::uint64_t> tokens;
    const std::size_t found = poller_.wait(timeout, found_);
    for (const Ready& one : std::span(found_).first(found)) tokens.insert(one.token);
    return tokens;
  }
  void add(const Fd& fd, Interest interest, std::uint64_t token, Repeat repeat = Repeat::always) {
    EXPECT_TRUE(poller_.add(fd.get(), interest, token, repeat));
  }

  P poller_ = std::move(*P::create());
  std::array<Ready, 8> found_;
};

using Pollers = testing::Types<EpollPoller, PollPoller>;
TYPED_TEST_SUITE(PollerTest, Pollers);

using Tokens = std::set<std::uint64_t>;

TYPED_TEST(PollerTest, ReportsAReadableDescriptorUntilItIsRead) {
  const Pipe pipe = new_pipe();
  this->add(pipe.read, Interest::read, 7);
  EXPECT_EQ(this->ready(), Tokens{});
  write_some(pipe.write.get(), "x");
  EXPECT_EQ(this->ready(), Tokens{7});
  EXPECT_EQ(this->ready(), Tokens{7});
  EXPECT_TRUE(this->found_[0].readable);
  EXPECT_FALSE(this->found_[0].writable);
  EXPECT_FALSE(this->found_[0].hangup);
  char byte;
  read_some(pipe.read.get(), {&byte, 1});
  EXPECT_EQ(this->ready(), Tokens{});
}

TYPED_TEST(PollerTest, ReportsAWritableDescriptor) {
  const Pipe pipe = new_pipe();
  this->add(pipe.write, Interest::both, 8);
  EXPECT_EQ(this->ready(), Tokens{8});
  EXPECT_TRUE(this->found_[0].writable);
  EXPECT_FALSE(this->found_[0].readable);
}

TYPED_TEST(PollerTest, ReportsAHangupOnEitherEnd) {
  Pipe pipe = new_pipe();
  this->add(pipe.read, Interest::read, 1);
  pipe.write.close();
  EXPECT_EQ(this->ready(), Tokens{1});
  EXPECT_TRUE(this->found_[0].hangup);
  this->poller_.remove(pipe.read.get());

  pipe = new_pipe();
  this->add(pipe.write, Interest::write, 2);
  pipe.read.close();
  EXPECT_EQ(this->ready(), Tokens{2});
  EXPECT_TRUE(this->found_[0].hangup);
}

TYPED_TEST(PollerTest, AOneShotEntryIsSilentUntilArmedAgainEvenAfterAHangup) {
  Pipe pipe = new_pipe();
  this->add(pipe.read, Interest::read, 3, Repeat::one_shot);
  write_some(pipe.write.get(), "x");
  EXPECT_EQ(this->ready(), Tokens{3});
  EXPECT_EQ(this->ready(), Tokens{});
  pipe.write.close();
  EXPECT_EQ(this->ready(), Tokens{});
  EXPECT_TRUE(this->poller_.modify(pipe.read.get(), Interest::read, 4, Repeat::one_shot));
  EXPECT_EQ(this->ready(), Tokens{4});
}

TYPED_TEST(PollerTest, ARemovedDescriptorIsSilentAndTheOthersAreNot) {
  const std::array pipes = {new_pipe(), new_pipe(), new_pipe()};
  for (std::size_t i = 0; i < pipes.size(); ++i) {
    this->add(pipes[i].read, Interest::read, i);
    write_some(pipes[i].write.get(), "x");
  }
  this->poller_.remove(pipes[0].read.get());
  EXPECT_EQ(this->ready(), (Tokens{1, 2}));
  this->poller_.remove(pipes[2].read.get());
  EXPECT_EQ(this->ready(), Tokens{1});
  this->add(pipes[0].read, Interest::read, 9);
  EXPECT_EQ(this->ready(), (Tokens{1, 9}));
}

TYPED_TEST(PollerTest, AddingTwiceOrModifyingAStrangerIsAnError) {
  const Pipe pipe = new_pipe();
  EXPECT_FALSE(this->poller_.modify(pipe.read.get(), Interest::read, 1, Repeat::always));
  this->add(pipe.read, Interest::read, 1);
  EXPECT_FALSE(this->poller_.add(pipe.read.get(), Interest::read, 1, Repeat::always));
}

// F26
TYPED_TEST(PollerTest, ServesManyDescriptorsAbove1024AndStarvesNone) {
  const DescriptorsUpTo many(2200);
  if (!many.granted()) GTEST_SKIP() << "the hard limit of descriptors is too low";
  const Pipe pipe = new_pipe();
  std::vector<Fd> copies;
  for (std::uint64_t token = 0; token < 1000; ++token) {
    copies.emplace_back(::fcntl(pipe.read.get(), F_DUPFD_CLOEXEC, 1100));
    this->add(copies.back(), Interest::read, token);
  }
  write_some(pipe.write.get(), "x");
  Tokens seen;
  for (int i = 0; i < 125; ++i) seen.merge(this->ready());
  EXPECT_EQ(seen.size(), 1000u);
}

TYPED_TEST(PollerTest, ReturnsWithNothingWhenTheTimeIsUp) {
  const Pipe pipe = new_pipe();
  this->add(pipe.read, Interest::read, 1);
  EXPECT_EQ(this->ready(1ns), Tokens{});
}

TYPED_TEST(PollerTest, IsWokenFromAnotherThread) {
  Result<Wake> wake = Wake::create();
  ASSERT_TRUE(wake);
  EXPECT_TRUE(this->poller_.add(wake->fd(), Interest::read, 5, Repeat::always));
  std::thread other([&] { wake->notify(); });
  EXPECT_EQ(this->ready(std::nullopt), Tokens{5});
  other.join();
  wake->drain();
  EXPECT_EQ(this->ready(), Tokens{});
}

TEST(Wake, ManyNotificationsAreOne) {
  Result<Wake> wake = Wake::create();
  ASSERT_TRUE(wake);
  for (int i = 0; i < 100'000; ++i) wake->notify();
  wake->drain();
  PollItem item{.fd = wake->fd()};
  EXPECT_EQ(poll_few({&item, 1}, 0ns), 0u);
  wake->drain();  // of nothing: returns
}

// What one waiting thread uses: both ways of it keep the same promises.
struct PollFew {
  std::size_t wait(std::span<PollItem> items, Timeout timeout) { return poll_few(items, timeout); }
};
struct RememberFew {
  std::size_t wait(std::span<PollItem> items, Timeout timeout) {
    const auto now = std::chrono::steady_clock::now();
    poller.watch(items);
    return poller.wait(items, timeout ? now + *timeout : FewPoller::TimePoint::max(), now);
  }
  FewPoller poller;
};

template <class Waiter>
struct WaitingForFew : testing::Test {
  Waiter waiter;
};
using Waiters = testing::Types<PollFew, RememberFew>;
TYPED_TEST_SUITE(WaitingForFew, Waiters);

TYPED_TEST(WaitingForFew, TellsWhichOfItsDescriptorsAreReady) {
  Pipe one = new_pipe(), two = new_pipe();
  write_some(one.write.get(), "x");
  two.write.close();
  std::array items = {PollItem{.fd = one.read.get()}, PollItem{.fd = two.read.get()},
                      PollItem{.fd = one.write.get(), .interest = Interest::write}, PollItem{}};
  EXPECT_EQ(this->waiter.wait(items, std::nullopt), 3u);
  EXPECT_TRUE(items[0].readable);
  EXPECT_FALSE(items[0].hangup);
  EXPECT_TRUE(items[1].hangup);
  EXPECT_TRUE(items[2].writable);
  EXPECT_FALSE(items[3].readable || items[3].writable || items[3].hangup);
}

TYPED_TEST(WaitingForFew, ForgetsWhatItSaidTheLastTime) {
  Pipe pipe = new_pipe();
  PollItem item{.fd = pipe.read.get(), .readable = true, .hangup = true};
  EXPECT_EQ(this->waiter.wait({&item, 1}, 1us), 0u);
  EXPECT_FALSE(item.readable || item.hangup);
}

TYPED_TEST(WaitingForFew, ReportsAgainWhatWasNotRead) {
  Pipe pipe = new_pipe();
  write_some(pipe.write.get(), "x");
  PollItem item{.fd = pipe.read.get()};
  EXPECT_EQ(this->waiter.wait({&item, 1}, std::nullopt), 1u);
  EXPECT_EQ(this->waiter.wait({&item, 1}, std::nullopt), 1u);
}

TYPED_TEST(WaitingForFew, WaitsEachTimeForWhatItIsGiven) {
  Pipe one = new_pipe(), two = new_pipe();
  write_some(one.write.get(), "x");
  PollItem item{.fd = one.read.get()};
  EXPECT_EQ(this->waiter.wait({&item, 1}, 0ns), 1u);
  item = {.fd = two.read.get()};
  EXPECT_EQ(this->waiter.wait({&item, 1}, 0ns), 0u);
  item = {.fd = -1};
  EXPECT_EQ(this->waiter.wait({&item, 1}, 0ns), 0u);
  item = {.fd = two.write.get(), .interest = Interest::write};
  EXPECT_EQ(this->waiter.wait({&item, 1}, 0ns), 1u);
  item.interest = Interest::read;
  EXPECT_EQ(this->waiter.wait({&item, 1}, 0ns), 0u);
  std::array both = {PollItem{.fd = two.read.get()}, PollItem{.fd = one.read.get()}};
  EXPECT_EQ(this->waiter.wait(both, 0ns), 1u);
  EXPECT_EQ(this->waiter.wait(std::span(both).first(1), 0ns), 0u);
}

// A transport of the user's may have one descriptor for both ways.
TYPED_TEST(WaitingForFew, TakesOneDescriptorTwice) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const Fd here(ends[0]), there(ends[1]);
  std::array items = {PollItem{.fd = here.get()},
                      PollItem{.fd = here.get(), .interest = Interest::write}};
  EXPECT_EQ(this->waiter.wait(items, std::nullopt), 1u);
  EXPECT_FALSE(items[0].readable);
  EXPECT_TRUE(items[1].writable);
  write_some(there.get(), "x");
  EXPECT_EQ(this->waiter.wait(items, std::nullopt), 2u);
  EXPECT_TRUE(items[0].readable);
}

TYPED_TEST(WaitingForFew, TakesAFile) {
  const Fd file(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  PollItem item{.fd = file.get()};
  EXPECT_EQ(this->waiter.wait({&item, 1}, std::nullopt), 1u);
  EXPECT_TRUE(item.readable);
}

// The number of what was closed meanwhile may be another file's by now.
TEST(FewPoller, WaitsForWhatItWasShownNotForWhatHasItsNumberLater) {
  Pipe shown = new_pipe(), other = new_pipe();
  write_some(other.write.get(), "x");
  FewPoller poller;
  PollItem item{.fd = shown.read.get()};
  poller.watch({&item, 1});
  ASSERT_EQ(::dup2(other.read.get(), shown.read.get()), shown.read.get());
  EXPECT_EQ(poller.wait({&item, 1}, {}, {}), 0u);
}

// Who waits often has a timer of his own for the ends of his waits.
class WaitingOften : public testing::Test {
 protected:
  using TimePoint = FewPoller::TimePoint;
  static TimePoint now() { return std::chrono::steady_clock::now(); }

  WaitingOften() {
    write_some(ready_.write.get(), "x");
    for (int i = 0; i < 100; ++i) EXPECT_EQ(wait_for(ready_, now() + 1h), 1u);
  }
  std::size_t wait_for(const Pipe& pipe, TimePoint until) {
    PollItem item{.fd = pipe.read.get()};
    poller_.watch({&item, 1});
    return poller_.wait({&item, 1}, until, now());
  }
  // Any wait may end early; without an end of its own this one would never be over.
  void wait_for_nothing(TimePoint until) {
    while (now() < until) EXPECT_EQ(wait_for(silent_, until), 0u);
  }

  Pipe ready_ = new_pipe();
  Pipe silent_ = new_pipe();
  FewPoller poller_;
};

TEST_F(WaitingOften, EndsEarlierThanItWasToldBefore) {
  wait_for_nothing(now() + 2ms);
  wait_for_nothing(now() + 1ms);
}

TEST_F(WaitingOften, EndsLaterThanItWasToldBefore) {
  const TimePoint soon = now() + 1ms;
  EXPECT_EQ(wait_for(ready_, soon), 1u);
  wait_for_nothing(soon + 2ms);
  wait_for_nothing(soon + 4ms);
}

TEST_F(WaitingOften, EndsAtOnceWhenItsTimeIsOver) {
  EXPECT_EQ(wait_for(silent_, TimePoint()), 0u);
  EXPECT_EQ(wait_for(silent_, now() - 1h), 0u);
}

TEST_F(WaitingOften, WithoutAnEndWaitsForWhatComes) {
  wait_for_nothing(now() + 1ms);
  std::thread other([&] { write_some(silent_.write.get(), "x"); });
  while (wait_for(silent_, TimePoint::max()) == 0) {  // once at most for a timer
  }
  other.join();
}

TEST(PollTimeout, IsRoundedUpSoThatTheRestOfAMillisecondDoesNotSpin) {
  EXPECT_EQ(poll_milliseconds(1ns), 1);
  EXPECT_EQ(poll_milliseconds(1ms), 1);
  EXPECT_EQ(poll_milliseconds(1ms + 1ns), 2);
  EXPECT_EQ(poll_milliseconds(0ns), 0);
}

TEST(PollTimeout, IsClampedToWhatTheSystemTakes) {
  EXPECT_EQ(poll_milliseconds(std::nullopt), -1);
  EXPECT_EQ(poll_milliseconds(-5ms), 0);
  EXPECT_EQ(poll_milliseconds(24h * 100), INT_MAX);
  EXPECT_EQ(poll_milliseconds(std::chrono::nanoseconds::max()), INT_MAX);
}

}  // namespace
}  // namespace claude::io::test
