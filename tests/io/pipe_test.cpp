// Reading and writing pipes, whatever signals come.
#include "io/pipe.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "io/fd.h"
#include "io/poller.h"
#include "io/support.h"

namespace claude::io::test {
namespace {

class PipeTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = make_pipe();
    ASSERT_TRUE(made);
    pipe_ = std::move(*made);
  }
  void make_nonblocking() {
    ASSERT_TRUE(set_nonblocking(pipe_.read));
    ASSERT_TRUE(set_nonblocking(pipe_.write));
  }
  ReadOutcome read() { return read_some(pipe_.read.get(), buffer_); }
  WriteOutcome write(std::string_view bytes) { return write_some(pipe_.write.get(), bytes); }

  Pipe pipe_;
  char buffer_[16];
};

TEST_F(PipeTest, BytesArrive) {
  EXPECT_EQ(write("hello").count, 5u);
  const ReadOutcome got = read();
  EXPECT_EQ(got.kind, ReadOutcome::Kind::bytes);
  EXPECT_EQ(std::string(buffer_, got.count), "hello");
}

TEST_F(PipeTest, AnEmptyPipeWouldBlockAndAClosedOneEnds) {
  make_nonblocking();
  EXPECT_EQ(read().kind, ReadOutcome::Kind::would_block);
  pipe_.write.close();
  EXPECT_EQ(read().kind, ReadOutcome::Kind::eof);
}

TEST_F(PipeTest, AFullPipeTakesAPartAndThenWouldBlock) {
  make_nonblocking();
  const std::string megabytes(4 << 20, 'x');
  const WriteOutcome part = write(megabytes);
  EXPECT_EQ(part.kind, WriteOutcome::Kind::bytes);
  EXPECT_LT(part.count, megabytes.size());
  EXPECT_EQ(write("more").kind, WriteOutcome::Kind::would_block);
}

TEST_F(PipeTest, ADescriptorThatIsNoneIsAnError) {
  EXPECT_EQ(read_some(-1, buffer_).kind, ReadOutcome::Kind::error);
  EXPECT_EQ(read_some(-1, buffer_).os_error, EBADF);
  EXPECT_EQ(write_some(-1, "x").kind, WriteOutcome::Kind::error);
  EXPECT_EQ(write_some(-1, "x").os_error, EBADF);
}

TEST_F(PipeTest, AnFdThatWasMovedFromClosesNothing) {
  Fd first = std::move(pipe_.read);
  Fd second;
  second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_TRUE(second);
  EXPECT_NE(::fcntl(second.get(), F_GETFD), -1);
  const int number = second.get();
  second.close();
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

// Writes into a pipe that nobody reads, in a process where SIGPIPE kills.
std::string write_to_closed_pipe() {
  ::signal(SIGPIPE, SIG_DFL);
  auto pipe = make_pipe();
  pipe->read.close();
  for (int i = 0; i < 2; ++i) {
    const WriteOutcome outcome = write_some(pipe->write.get(), "x");
    if (outcome.kind != WriteOutcome::Kind::closed) return "not closed";
    if (outcome.os_error != EPIPE) return "no EPIPE";
  }
  sigset_t set;
  pthread_sigmask(SIG_SETMASK, nullptr, &set);
  if (sigismember(&set, SIGPIPE) == 1) return "SIGPIPE stayed blocked";
  sigpending(&set);
  return sigismember(&set, SIGPIPE) == 1 ? "SIGPIPE stayed pending" : "";
}

// F22
TEST(Sigpipe, IsNotRaisedByAWriteToAClosedPipe) {
  EXPECT_EQ(in_fork(write_to_closed_pipe), "");
}

// F22
TEST_F(OldKernel, SigpipeIsNotRaisedByAWriteToAClosedPipe) {
  EXPECT_EQ(in_fork(write_to_closed_pipe), "");
}

TEST_F(OldKernel, ASigpipeThatTheHostHasPendingItselfIsLeftToIt) {
  const auto host = []() -> std::string {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    ::raise(SIGPIPE);
    auto pipe = make_pipe();
    pipe->read.close();
    if (write_some(pipe->write.get(), "x").kind != WriteOutcome::Kind::closed) return "not closed";
    sigpending(&set);
    return sigismember(&set, SIGPIPE) == 1 ? "" : "the host's signal was taken";
  };
  EXPECT_EQ(in_fork(host), "");
}

std::atomic<int> interruptions = 0;

// Runs `wait` on a thread, interrupts it many times with a signal without SA_RESTART, then lets
// `finish` end the wait.
void interrupted(const std::function<void()>& wait, const std::function<void()>& finish) {
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) { ++interruptions; };
  sigaction(SIGUSR1, &action, &before);
  interruptions = 0;
  std::atomic<bool> over = false;
  std::thread waiting([&] {
    wait();
    over = true;
  });
  while (interruptions < 500 && !over) {
    const int seen = interruptions;
    pthread_kill(waiting.native_handle(), SIGUSR1);
    while (interruptions == seen && !over) std::this_thread::yield();
  }
  finish();
  waiting.join();
  sigaction(SIGUSR1, &before, nullptr);
}

// F25
TEST_F(PipeTest, ReadingGoesOnAfterSignals) {
  ReadOutcome got{};
  interrupted([&] { got = read(); }, [&] { write("x"); });
  EXPECT_EQ(got.kind, ReadOutcome::Kind::bytes);
}

// F25
TEST_F(PipeTest, WritingGoesOnAfterSignals) {
  ASSERT_TRUE(set_nonblocking(pipe_.write));
  const std::string full(1 << 20, 'x');
  const std::size_t capacity = write(full).count;
  ::fcntl(pipe_.write.get(), F_SETFL, 0);

  WriteOutcome outcome{};
  interrupted([&] { outcome = write("more"); },
              [&] {
                std::string sink(capacity, '\0');
                read_some(pipe_.read.get(), sink);
              });
  EXPECT_EQ(outcome.kind, WriteOutcome::Kind::bytes);
  EXPECT_EQ(outcome.count, 4u);
}

}  // namespace
}  // namespace claude::io::test
