// The limit: what a client of the protocol costs that does nothing but the unavoidable.
//
//   limit raw       <cli>   reads, and finds newlines
//   limit pingpong  <cli>   the same, and answers the CLI's requests with ready-made bytes
//   limit simdjson  <cli>   parses each line with simdjson On-Demand, taking its type and text
//   limit hop       <cli>   the same, with the reading on a thread of its own
//
// No SDK: no typed messages, no callbacks, no checks. It keeps to the contract in README.md.
#include "limit/client.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using limit::Client;
using limit::Lines;

constexpr std::string_view kInitialize =
    R"({"type":"control_request","request_id":"req_1","request":{"subtype":"initialize",)"
    R"("hooks":{"PreToolUse":[{"matcher":null,"hookCallbackIds":["hook_0"]}]}}})"
    "\n";
constexpr std::string_view kPrompt =
    R"({"type":"user","message":{"role":"user","content":"go"},"parent_tool_use_id":null,)"
    R"("session_id":"default"})"
    "\n";

// How many messages a turn has: init, what the workload asks for, an assistant message, the result.
unsigned long long messages_of_turn(const std::string& workload, unsigned long long n) {
  if (workload == "assistant") return n + 2;
  bool many = workload == "stream" || workload == "paced" || workload == "bigline" ||
              workload == "parallel" || workload == "sessions";
  return many ? n + 3 : 3;
}

// A reader thread hands whole lines over; the other side takes all that have come together.
class Hop {
 public:
  Hop(Lines& cli, Client& client) : client_(client), reader_([this, &cli] { read(cli); }) {}
  ~Hop() { reader_.join(); }

  void take() {
    taken_.clear();
    {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [this] { return !lines_.empty(); });
      taken_.swap(lines_);
    }
    taken_.reserve(taken_.size() + simdjson::SIMDJSON_PADDING);
    char* end = taken_.data() + taken_.size();
    for (char* line = taken_.data(); line < end;) {
      auto* newline =
          static_cast<char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
      client_.on_line(line, static_cast<std::size_t>(newline - line));
      line = newline + 1;
    }
  }

 private:
  void read(Lines& cli) {
    bool open = true;
    while (open) {
      std::unique_lock lock(mutex_, std::defer_lock);
      open = cli.read_once([&](char* line, std::size_t size) {
        if (!lock.owns_lock()) lock.lock();
        lines_.append(line, size + 1);
      });
      if (lock.owns_lock()) {
        lock.unlock();
        arrived_.notify_one();
      }
    }
  }

  Client& client_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::string lines_;  // whole ones, with their newlines
  std::string taken_;
  std::thread reader_;
};

struct Session {
  explicit Session(const char* cli) : lines(cli) {}
  Lines lines;
  std::unique_ptr<Client> client;
  std::unique_ptr<Hop> hop;

  void step() {
    if (hop) return hop->take();
    bool open = lines.read_once([this](char* line, std::size_t n) { client->on_line(line, n); });
    if (!open) limit::fail("the CLI ended early");
  }
};
using Sessions = std::vector<std::unique_ptr<Session>>;

// Reads from whichever session has something, until `ready` holds for each of them.
template <class F>
void read_until(Sessions& sessions, int poller, F ready) {
  if (sessions.size() == 1) {
    while (!ready(*sessions[0]->client)) sessions[0]->step();
    return;
  }
  std::size_t left = sessions.size();
  while (left > 0) {
    epoll_event events[64];
    int n = epoll_wait(poller, events, 64, -1);
    if (n < 0 && errno != EINTR) limit::fail("epoll_wait");
    for (int i = 0; i < n; ++i) {
      auto* session = static_cast<Session*>(events[i].data.ptr);
      session->step();
      if (ready(*session->client)) --left;
    }
  }
}

std::unique_ptr<Session> start(const std::string& mode, const char* cli, bench::Tally& tally) {
  auto session = std::make_unique<Session>(cli);
  if (mode == "simdjson" || mode == "hop") {
    session->client = std::make_unique<limit::ParsingClient>(session->lines, tally);
  } else {
    session->client = std::make_unique<limit::RawClient>(
        session->lines, tally,
        messages_of_turn(bench::env("BENCH_WORKLOAD", "stream"),
                         static_cast<unsigned long long>(bench::env_number("BENCH_N", 1000))),
        mode == "pingpong");
  }
  if (mode == "hop") session->hop = std::make_unique<Hop>(session->lines, *session->client);
  session->lines.send(kInitialize);
  return session;
}

// Asks for another model again and again; the first tenth is not measured.
void set_models(Session& session, long n, bench::Tally& tally) {
  for (long i = -n / 10; i < n; ++i) {
    char request[160];
    int size = std::snprintf(request, sizeof request,
                             R"({"type":"control_request","request_id":"req_%ld",)"
                             R"("request":{"subtype":"set_model","model":"sonnet"}})"
                             "\n",
                             i + n);
    long before = session.client->answers;
    double sent = bench::now_s();
    session.lines.send({request, static_cast<std::size_t>(size)});
    while (session.client->answers == before) session.step();
    if (i >= 0) tally.latencies_us.push_back((bench::now_s() - sent) * 1e6);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: limit raw|pingpong|simdjson|hop <cli>\n", stderr), 2;
  bench::Figures figures;
  std::string mode = argv[1];
  bool parses = mode == "simdjson" || mode == "hop";
  bench::Tally tally;
  Sessions sessions;
  int poller = epoll_create1(EPOLL_CLOEXEC);
  for (long left = bench::env_number("BENCH_K", 1); left > 0; --left) {
    sessions.push_back(start(mode, argv[2], tally));
    epoll_event event{.events = EPOLLIN, .data = {.ptr = sessions.back().get()}};
    epoll_ctl(poller, EPOLL_CTL_ADD, sessions.back()->lines.output(), &event);
  }
  read_until(sessions, poller, [](const Client& client) { return client.initialized; });
  figures.connected();

  if (bench::env("BENCH_WORKLOAD", "stream") == "control")
    set_models(*sessions[0], bench::env_number("BENCH_N", 1000), tally);
  figures.prompt_sent();
  for (auto& session : sessions) session->lines.send(kPrompt);
  read_until(sessions, poller, [](const Client& client) { return client.done; });
  figures.first_result();
  figures.last_result();

  for (auto& session : sessions) session->lines.close_input();
  for (auto& session : sessions) session->hop.reset();
  for (auto& session : sessions) session->lines.wait_for_exit();
  figures.closed();
  figures.print(tally, parses ? "bytes" : "none");
}
