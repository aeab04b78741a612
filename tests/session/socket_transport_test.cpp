// A transport of the user's that has one descriptor for both ways.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <future>

#include "io/fd.h"
#include "session/fixture.h"

namespace claude::test {
namespace {

class Socket : public Transport {
 public:
  explicit Socket(io::Fd fd) : fd_(std::move(fd)) {}

  IoResult read(std::span<char> into) override {
    return outcome(::recv(fd_.get(), into.data(), into.size(), MSG_DONTWAIT));
  }
  IoResult write(std::string_view bytes) override {
    return outcome(::send(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
  }
  int read_fd() const override { return fd_.get(); }
  int write_fd() const override { return fd_.get(); }
  void close_input() override { ::shutdown(fd_.get(), SHUT_WR); }

 private:
  static IoResult outcome(ssize_t count) {
    if (count > 0) return {IoStatus::ok, static_cast<std::size_t>(count)};
    return {count < 0 && errno == EAGAIN ? IoStatus::would_block : IoStatus::closed, 0};
  }
  io::Fd fd_;
};

// Who is at the other end, with calls that block.
class Peer {
 public:
  explicit Peer(io::Fd fd) : fd_(std::move(fd)) {}

  WireJson next() {
    std::size_t end = 0;
    while ((end = unread_.find('\n')) == unread_.npos) {
      std::array<char, 65536> chunk;
      const ssize_t count = ::read(fd_.get(), chunk.data(), chunk.size());
      if (count <= 0) return nullptr;
      unread_.append(chunk.data(), static_cast<std::size_t>(count));
    }
    WireJson line = WireJson::parse(unread_.substr(0, end));
    unread_.erase(0, end + 1);
    return line;
  }
  void write(const WireJson& line) {
    const std::string text = line.dump() + "\n";
    EXPECT_EQ(::write(fd_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void leave() { fd_.close(); }

 private:
  io::Fd fd_;
  std::string unread_;
};

class SocketTransport : public SimTest {
 protected:
  SocketTransport() {
    std::array<int, 2> ends;
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    peer.emplace(io::Fd(ends[1]));
    options.transport = [fd = ends[0]](const Command&) -> Result<std::unique_ptr<Transport>> {
      return std::make_unique<Socket>(io::Fd(fd));
    };
  }
  Session start_answered() {
    auto starting = std::async(std::launch::async, [&] { return Session::start(options).value(); });
    const WireJson request = peer->next();
    peer->write({{"type", "control_response"},
                 {"response",
                  {{"subtype", "success"},
                   {"request_id", request["request_id"]},
                   {"response", {{"claude_code_version", "2.1.325"}}}}}});
    return starting.get();
  }
  std::optional<Peer> peer;
};

TEST_F(SocketTransport, IsWrittenAndReadWithoutAnybodyWaiting) {
  Gate called, go;
  options.hooks.pre_tool_use([called, go](const PreToolUse&) mutable {
    called.open();
    go.wait();
    return proceed();
  });
  Session session = start_answered();
  const std::string text(1 << 20, 'x');
  Turn turn = session.send(text);
  peer->write({{"type", "control_request"},
               {"request_id", "h1"},
               {"request",
                {{"subtype", "hook_callback"},
                 {"callback_id", "hook_0"},
                 {"input", {{"tool_name", "Bash"}, {"tool_input", {{"a", 1}}}}}}}});
  called.wait();  // it was read while the rest of the prompt waits for room

  EXPECT_EQ(peer->next()["message"]["content"], text);
  go.open();
  EXPECT_EQ(peer->next()["response"]["request_id"], "h1");
  peer->leave();
}

TEST_F(SocketTransport, IsWrittenWhileAThreadWaits) {
  Session session = start_answered();
  Turn turn = session.send(std::string(1 << 20, 'x'));
  auto waiting = std::async(std::launch::async, [&] { return turn.result(); });
  const WireJson prompt = peer->next();
  peer->write({{"type", "result"},
               {"subtype", "success"},
               {"is_error", false},
               {"result", "done"},
               {"user_message_uuids", {prompt["uuid"]}}});
  EXPECT_TRUE(waiting.get());
  peer->leave();
}

}  // namespace
}  // namespace claude::test
