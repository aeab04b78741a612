// A CLI that lives in the test: lines in and out, without a process.
#include "session/memory_transport.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <deque>

#include "support/child_process.h"

namespace claude::test {

// Shared by the test's side and the session's.
struct MemoryCli::State {
  State() {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) std::abort();
    to_session = ends[1];
    from_cli = ends[0];
    // Writable as long as its counter is not full.
    room = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  }
  ~State() {
    end();
    close(from_cli);
    close(room);
  }
  void end() {
    std::lock_guard lock(mutex);
    if (to_session >= 0) close(to_session);
    to_session = -1;
  }

  std::mutex mutex;
  std::condition_variable written;
  int to_session = -1;
  int from_cli = -1;
  int room = -1;
  bool takes = true;
  bool input_closed = false;
  std::string partial;
  std::deque<std::string> lines;
  int made = 0;
  Command command;
  std::atomic<int> inside = 0;
  std::atomic<bool> overlapped = false;
};

// What the session holds.
class MemoryCli::Side : public Transport {
 public:
  Side(MemoryCli& cli, std::shared_ptr<State> state) : cli_(cli), state_(std::move(state)) {}

  IoResult read(std::span<char> into) override {
    Visit visit(*state_);
    const ssize_t got = ::read(state_->from_cli, into.data(), into.size());
    if (got > 0) return {IoStatus::ok, static_cast<std::size_t>(got)};
    return {got == 0 ? IoStatus::closed : IoStatus::would_block, 0};
  }

  bool writes_apart() const override { return cli_.writes_apart; }
  IoResult write(std::string_view bytes) override {
    Visit visit(*state_);
    std::deque<std::string> whole;
    {
      std::lock_guard lock(state_->mutex);
      if (!state_->takes) return {IoStatus::would_block, 0};
      bytes = bytes.substr(0, cli_.bytes_a_write);
      state_->partial += bytes;
      for (std::size_t end; (end = state_->partial.find('\n')) != std::string::npos;) {
        whole.push_back(state_->partial.substr(0, end));
        state_->partial.erase(0, end + 1);
      }
      state_->lines.insert(state_->lines.end(), whole.begin(), whole.end());
      state_->written.notify_all();
    }
    for (const std::string& line : whole) cli_.on_write(WireJson::parse(line));
    return {IoStatus::ok, bytes.size()};
  }

  int read_fd() const override { return state_->from_cli; }
  int write_fd() const override { return state_->room; }
  bool carries_control() const override { return cli_.carries_control; }

  void close_input() override {
    Visit visit(*state_);
    {
      std::lock_guard lock(state_->mutex);
      state_->input_closed = true;
    }
    cli_.on_close();
  }

 private:
  struct Visit {
    explicit Visit(State& visited) : state(visited) {
      if (state.inside++ != 0) state.overlapped = true;
    }
    ~Visit() { --state.inside; }
    State& state;
  };

  MemoryCli& cli_;
  std::shared_ptr<State> state_;
};

MemoryCli::MemoryCli() : state_(std::make_shared<State>()) {
  on_write = [this](const WireJson& line) {
    if (line["type"] == "control_request" && line["request"]["subtype"] == "initialize") {
      answer(line, {{"claude_code_version", "2.1.325"}, {"capabilities", {"hooks"}}});
    }
  };
  on_close = [this] { end(); };
}

MemoryCli::~MemoryCli() = default;

std::function<Result<std::unique_ptr<Transport>>(const Command&)> MemoryCli::factory() {
  return [this](const Command& command) -> Result<std::unique_ptr<Transport>> {
    std::lock_guard lock(state_->mutex);
    ++state_->made;
    state_->command = command;
    return std::make_unique<Side>(*this, state_);
  };
}

void MemoryCli::inject(std::string_view bytes) {
  constexpr int kLongMs = 10'000;
  std::unique_lock lock(state_->mutex);
  while (true) {
    const ssize_t put = ::write(state_->to_session, bytes.data(), bytes.size());
    ASSERT_TRUE(put >= 0 || errno == EAGAIN) << "the pipe is closed";
    if (put > 0) bytes.remove_prefix(static_cast<std::size_t>(put));
    if (bytes.empty()) return;
    pollfd room = {.fd = state_->to_session, .events = POLLOUT, .revents = 0};
    lock.unlock();
    ASSERT_EQ(::poll(&room, 1, kLongMs), 1) << "nobody reads";
    lock.lock();
  }
}

void MemoryCli::inject_line(const WireJson& line) {
  inject(line.dump() + "\n");
}

void MemoryCli::ask(const std::string& request_id, WireJson request) {
  inject_line(
      {{"type", "control_request"}, {"request_id", request_id}, {"request", std::move(request)}});
}

void MemoryCli::answer(const WireJson& request, const WireJson& payload) {
  inject_line(
      {{"type", "control_response"},
       {"response",
        {{"subtype", "success"}, {"request_id", request["request_id"]}, {"response", payload}}}});
}

void MemoryCli::end() {
  state_->end();
}

WireJson MemoryCli::next() {
  std::unique_lock lock(state_->mutex);
  if (!state_->written.wait_for(lock, kPatience, [&] { return !state_->lines.empty(); })) {
    ADD_FAILURE() << "the session wrote nothing";
    return nullptr;
  }
  WireJson line = WireJson::parse(state_->lines.front());
  state_->lines.pop_front();
  return line;
}

bool MemoryCli::has_line() const {
  std::lock_guard lock(state_->mutex);
  return !state_->lines.empty();
}

void MemoryCli::take_input(bool takes) {
  std::lock_guard lock(state_->mutex);
  state_->takes = takes;
  std::uint64_t full = UINT64_MAX - 1;
  [[maybe_unused]] ssize_t done =
      takes ? ::read(state_->room, &full, sizeof full) : ::write(state_->room, &full, sizeof full);
}

int MemoryCli::made() const {
  std::lock_guard lock(state_->mutex);
  return state_->made;
}

Command MemoryCli::command() const {
  std::lock_guard lock(state_->mutex);
  return state_->command;
}

bool MemoryCli::overlapped() const {
  return state_->overlapped;
}

bool MemoryCli::input_closed() const {
  std::lock_guard lock(state_->mutex);
  return state_->input_closed;
}

}  // namespace claude::test
