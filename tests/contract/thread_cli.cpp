// Five small pipes between the session and a thread that runs claude-sim's own code.
#include "contract/thread_cli.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "run.h"
#include "world.h"

namespace claude::test {
namespace {

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    for (int end : ends_) fcntl(end, F_SETFL, O_NONBLOCK);
  }
  ~Pipe() {
    close_reader();
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_reader() { close(ends_[0]); }
  void close_writer() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  std::array<int, 2> ends_{};
};

class ThreadCli : public Transport {
 public:
  explicit ThreadCli(const Command& command) {
    signal(SIGPIPE, SIG_IGN);  // either side may leave first
    thread_ = std::thread([this, command] { live(command); });
  }
  ~ThreadCli() override {
    terminate();
    in_.close_writer();
    out_.close_reader();
    errors_.close_reader();
    thread_.join();
  }

  IoResult read(std::span<char> into) override { return take(out_, into); }
  IoResult read_errors(std::span<char> into) override { return take(errors_, into); }
  IoResult write(std::string_view bytes) override {
    const ssize_t put = ::write(in_.writer(), bytes.data(), bytes.size());
    if (put >= 0) return {IoStatus::ok, static_cast<std::size_t>(put)};
    return {errno == EAGAIN ? IoStatus::would_block : IoStatus::closed, 0};
  }
  int read_fd() const override { return out_.reader(); }
  int write_fd() const override { return in_.writer(); }
  int error_fd() const override { return errors_.reader(); }
  int exit_fd() const override { return ended_.reader(); }
  std::optional<Exit> exited() override {
    if (!gone_) return std::nullopt;
    return Exit{.code = code_, .signal = std::nullopt};
  }
  void close_input() override { in_.close_writer(); }
  void terminate() override {
    const char number = SIGTERM;
    [[maybe_unused]] const ssize_t done = ::write(signals_.writer(), &number, 1);
  }

 private:
  static IoResult take(const Pipe& pipe, std::span<char> into) {
    const ssize_t got = ::read(pipe.reader(), into.data(), into.size());
    if (got > 0) return {IoStatus::ok, static_cast<std::size_t>(got)};
    return {got == 0 ? IoStatus::closed : IoStatus::would_block, 0};
  }

  void live(const Command& command) {
    sim::World& world = sim::world();
    world = {.in = in_.reader(),
             .out = out_.writer(),
             .err = errors_.writer(),
             .signals = signals_.reader(),
             .cwd = command.cwd,
             .environment = {command.environment.begin(), command.environment.end()}};
    code_ = sim::run(command.arguments).code;
    in_.close_reader();
    out_.close_writer();
    errors_.close_writer();
    gone_ = true;
    ended_.close_writer();  // makes its other end readable
  }

  Pipe in_;
  Pipe out_;
  Pipe errors_;
  Pipe signals_;
  Pipe ended_;
  int code_ = 0;
  std::atomic<bool> gone_ = false;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<Transport>> start_thread_cli(const Command& command) {
  return std::make_unique<ThreadCli>(command);
}

}  // namespace claude::test
