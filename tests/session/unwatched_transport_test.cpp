// Transports that no descriptor tells of: recordings that are played from memory or from a file.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>

#include "session/own_transport.h"

namespace claude::test {
namespace {

struct Tape {
  std::string lines;
  std::string file;         // whose descriptor it has, or none
  std::size_t nothing = 0;  // so often there is nothing yet, each time before a read and a write
  std::atomic<bool> is_written = false;
};

class Player : public Transport {
 public:
  explicit Player(Tape& tape) : tape_(tape) {
    if (!tape.file.empty()) file_ = ::open(tape.file.c_str(), O_RDWR | O_CLOEXEC);
  }
  ~Player() override {
    if (file_ >= 0) ::close(file_);
  }

  IoResult read(std::span<char> into) override {
    if (!is_there(unread_)) return {IoStatus::would_block, 0};
    constexpr std::size_t kFew = 100;
    const std::size_t count = tape_.lines.copy(into.data(), std::min(kFew, into.size()), at_);
    at_ += count;
    return {count > 0 ? IoStatus::ok : IoStatus::closed, count};
  }
  IoResult write(std::string_view bytes) override {
    if (!is_there(unwritten_)) return {IoStatus::would_block, 0};
    tape_.is_written = true;
    return {IoStatus::ok, bytes.size()};
  }
  int read_fd() const override { return file_; }
  int write_fd() const override { return file_; }
  bool carries_control() const override { return false; }
  void close_input() override {}

 private:
  bool is_there(std::size_t& tried) {
    if (tried++ < tape_.nothing) return false;
    tried = 0;
    return true;
  }

  Tape& tape_;
  int file_ = -1;
  std::size_t at_ = 0;
  std::size_t unread_ = 0;
  std::size_t unwritten_ = 0;
};

enum class Of : std::uint8_t { memory, file };

class UnwatchedTransport : public OwnTransport, public ::testing::WithParamInterface<Of> {
 protected:
  static constexpr int kMessages = 30;

  UnwatchedTransport() {
    if (GetParam() == Of::file) {
      project.write("tape", "");
      tape.file = project.path() / "tape";
    }
    for (int i = 0; i < kMessages; ++i) tape.lines += assistant("one more").dump() + "\n";
    options.transport = [&](const Command&) -> Result<std::unique_ptr<Transport>> {
      return std::make_unique<Player>(tape);
    };
  }

  Tape tape;
};

INSTANTIATE_TEST_SUITE_P(IsPlayed, UnwatchedTransport, ::testing::Values(Of::memory, Of::file));

TEST_P(UnwatchedTransport, ToWhoWaits) {
  Session session = SimTest::start();
  int items = 0;
  for (const MessageOrEvent& item : session.subscribe()) items += item.index() == 0 ? 1 : 100;
  EXPECT_EQ(items, kMessages + 100);
  EXPECT_EQ(session.state(), SessionState::stopped);
}

TEST_P(UnwatchedTransport, ToCallbacks) {
  Session session = SimTest::start();
  Stream<MessageOrEvent> everything = session.subscribe();
  Gate ended;
  int messages = 0;
  everything.on_item([&](const MessageOrEvent& item) {
    std::holds_alternative<Message>(item) ? void(++messages) : ended.open();
  });
  ASSERT_TRUE(ended.wait());
  EXPECT_EQ(messages, kMessages);
}

TEST_P(UnwatchedTransport, AlsoWhereTheNextPieceIsNotThereYet) {
  tape.nothing = 1;
  Session session = SimTest::start();
  Stream<Message> stream = session.messages();
  ASSERT_TRUE(stream.next());
  Gate last;
  int messages = 1;
  stream.on_item([&](const Message&) {
    if (++messages == kMessages) last.open();
  });
  EXPECT_TRUE(last.wait());
}

TEST_P(UnwatchedTransport, AndIsWrittenWhenThereIsRoom) {
  tape.nothing = 3;
  tape.lines.clear();
  Session session = SimTest::start();
  Turn turn = session.send("Hello");
  while (!tape.is_written) std::this_thread::yield();
}

}  // namespace
}  // namespace claude::test
