// Our client of the benchmark: does one workload through the public API and prints one JSON line.
//
//   BENCH_WORKLOAD=stream BENCH_N=1000 bench_client path/to/fakecli
//
// Workloads and the figures that it prints are those of the neutral benchmark, so that every SDK's
// client can be run beside it. BENCH_POOL=1 runs callbacks on the pool, as they do by default,
// instead of inline.
#include <claude/claude.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace claude;

double now_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long from_status(const char* key) {
  long value = 0;
  if (FILE* file = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file)) {
      if (!std::strncmp(line, key, std::strlen(key)))
        value = std::atol(line + std::strlen(key) + 1);
    }
    std::fclose(file);
  }
  return value;
}

std::string env(const char* name, const char* fallback) {
  const char* value = std::getenv(name);
  return value && *value ? value : fallback;
}

// What was delivered: counted, and the lengths of all texts added up.
struct Tally {
  bool paced = false;
  unsigned long long messages = 0;
  unsigned long long checksum = 0;
  std::vector<double> latencies_us = {};

  void add(const Message& message) {
    ++messages;
    if (auto* event = std::get_if<StreamEvent>(&message)) return add_delta(event->text());
    if (auto* answer = std::get_if<AssistantMessage>(&message))
      add_content(answer->message.content);
    if (auto* user = std::get_if<UserMessage>(&message)) add_content(user->message.content);
    if (auto* result = std::get_if<ResultMessage>(&message)) checksum += result->result->size();
  }
  void add_content(const Content& content) {
    for (const ContentBlock& block : content.blocks) {
      if (auto* text = std::get_if<TextBlock>(&block)) checksum += text->text.size();
      if (auto* result = std::get_if<ToolResultBlock>(&block)) {
        checksum += result->content->plain.value_or({}).size();
      }
    }
  }
  void add_delta(std::string_view text) {
    checksum += text.size();
    unsigned long long written_ns = 0;
    if (!paced || text.size() != 20) return;
    std::from_chars(text.data(), text.data() + text.size(), written_ns);
    latencies_us.push_back(now_s() * 1e6 - static_cast<double>(written_ns) / 1e3);
  }
};

Json echo(const Json& message) {
  Json reply = Json::object({{"jsonrpc", "2.0"}, {"id", message["id"]}});
  std::string_view method = message["method"].text();
  if (method == "tools/call") {
    Json text = Json::object({{"type", "text"}, {"text", message["params"]["arguments"]["text"]}});
    reply.set("result", Json::object({{"content", Json::array({std::move(text)})}}));
  } else if (method == "tools/list") {
    Json tool =
        Json::object({{"name", "echo"}, {"inputSchema", Json::object({{"type", "object"}})}});
    reply.set("result", Json::object({{"tools", Json::array({std::move(tool)})}}));
  } else if (method == "initialize") {
    reply.set("result",
              Json::object({{"protocolVersion", "2025-06-18"},
                            {"capabilities", Json::object({{"tools", Json::object()}})},
                            {"serverInfo", Json::object({{"name", "bench"}, {"version", "1"}})}}));
  } else {
    reply.set("result", Json::object());
  }
  return reply;
}

Options options_for(const std::string& workload, const char* cli) {
  bool run_inline = env("BENCH_POOL", "0") == "0";
  Options options{.cli_path = cli};
  if (workload == "hooks") {
    options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); },
                               {.run_inline = run_inline});
  }
  if (workload == "perms") {
    options.can_use_tool = [](const ToolRequest&) -> Permission { return allow(); };
    options.permission_inline = run_inline;
  }
  if (workload == "mcp") options.mcp_servers.add("bench", echo, run_inline);
  return options;
}

void print_latency(std::vector<double>& us) {
  if (us.empty()) return;
  std::ranges::sort(us);
  auto at = [&](double part) {
    return us[static_cast<std::size_t>(static_cast<double>(us.size() - 1) * part + 0.5)];
  };
  std::printf(
      ",\"latency\":{\"n\":%zu,\"p50_us\":%.2f,\"p90_us\":%.2f,\"p99_us\":%.2f,"
      "\"max_us\":%.2f}",
      us.size(), at(.5), at(.9), at(.99), us.back());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: bench_client <path of the CLI>\n", stderr), 2;
  std::string workload = env("BENCH_WORKLOAD", "stream");
  long n = std::atol(env("BENCH_N", "1000").c_str());
  long sessions_wanted = std::atol(env("BENCH_K", "1").c_str());
  double launched = std::strtod(env("BENCH_T0_NS", "0").c_str(), nullptr) / 1e9;
  double begun = now_s();
  if (launched == 0) launched = begun;
  alarm(static_cast<unsigned>(std::atol(env("BENCH_TIMEOUT_S", "120").c_str())));

  std::vector<Session> sessions;
  for (long i = 0; i < sessions_wanted; ++i) {
    auto session = Session::start(options_for(workload, argv[1]));
    if (!session) return std::fprintf(stderr, "%s\n", session.error().to_string().c_str()), 1;
    sessions.push_back(std::move(*session));
  }
  double connected = now_s();

  Tally tally{.paced = workload == "paced"};
  if (workload == "control") {
    for (long i = -n / 10; i < n; ++i) {
      double sent = now_s();
      if (!sessions[0].set_model("sonnet").get()) return 1;
      if (i >= 0) tally.latencies_us.push_back((now_s() - sent) * 1e6);
    }
  }
  double wall = now_s();
  double cpu = cpu_s();
  std::vector<Turn> turns;
  for (Session& session : sessions) turns.push_back(session.send("go"));
  double first_result = 0;
  for (Turn& turn : turns) {
    for (const Message& message : turn) tally.add(message);
    if (first_result == 0) first_result = now_s();
    if (auto result = turn.result(); !result) {
      return std::fprintf(stderr, "%s\n", result.error().to_string().c_str()), 1;
    }
  }
  wall = now_s() - wall;
  cpu = cpu_s() - cpu;
  long rss = from_status("VmRSS");
  long peak = from_status("VmHWM");
  long threads = from_status("Threads");
  double closing = now_s();
  turns.clear();
  for (Session& session : sessions) session.close();
  closing = now_s() - closing;

  std::printf(
      "{\"wall_s\":%.6f,\"cpu_s\":%.6f,\"cpu_total_s\":%.6f,\"rss_kb\":%ld,"
      "\"peak_rss_kb\":%ld,\"threads\":%ld,\"messages\":%llu,\"checksum\":%llu,"
      "\"unit\":\"bytes\",\"first_result_ms\":%.3f,\"connect_ms\":%.3f,\"close_ms\":%.3f",
      wall, cpu, cpu_s(), rss, peak, threads, tally.messages, tally.checksum,
      (first_result - launched) * 1e3, (connected - begun) * 1e3, closing * 1e3);
  print_latency(tally.latencies_us);
  std::printf("}\n");
}
