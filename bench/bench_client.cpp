// Our client of the benchmark: does one workload through the public API and prints one JSON line.
//
//   BENCH_WORKLOAD=stream BENCH_N=1000 bench_client path/to/fakecli
//
// README.md has the workloads and what every client does. BENCH_POOL=1 runs callbacks on the pool,
// as they do by default, instead of inline; with BENCH_LOOP=1 nobody waits for messages: one
// thread, the runtime's, reads for all sessions and calls back.
#include <claude/claude.h>

#include "figures.h"

#include <cstdio>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace claude;

// Adds up what is delivered; called by one thread at a time.
struct Count : bench::Tally {
  bool paced = bench::env("BENCH_WORKLOAD", "stream") == "paced";

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
    if (paced) add_arrival(text);
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

Options options_for(const std::string& workload, const char* cli, bool loop) {
  bool run_inline = !bench::env_number("BENCH_POOL", 0);
  Options options{.cli_path = cli};
  // Only for the longest lines: everything else stays within the defaults.
  if (auto size = static_cast<std::size_t>(bench::env_number("BENCH_SIZE", 0));
      size > options.limits.line_bytes / 2)
    options.limits.line_bytes = 2 * size;
  if (loop) options.executor = [](const std::function<void()>& work) { work(); };
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

int failed(const Error& error) {
  return std::fprintf(stderr, "%s\n", error.to_string().c_str()), 1;
}

// Asks for another model again and again; the first tenth is not measured.
std::optional<Error> set_models(Session& session, long n, Count& count) {
  for (long i = -n / 10; i < n; ++i) {
    double sent = bench::now_s();
    if (auto set = session.set_model("sonnet").get(); !set) return set.error();
    if (i >= 0) count.latencies_us.push_back((bench::now_s() - sent) * 1e6);
  }
  return std::nullopt;
}

// Takes all messages, turn after turn. Those of later turns wait in their pipes meanwhile.
std::optional<Error> take_all(std::vector<Turn>& turns, Count& count, bench::Figures& figures) {
  for (Turn& turn : turns) {
    for (const Message& message : turn) count.add(message);
    if (&turn == &turns.front()) figures.first_result();
    if (auto result = turn.result(); !result) return result.error();
  }
  return std::nullopt;
}

// Lets the runtime's thread take all messages, as they come. Each turn counts its own: the first
// ones may still be delivered by this thread, beside those of other turns.
std::optional<Error> be_called(std::vector<Turn>& turns, Count& count, bench::Figures& figures) {
  std::vector<Count> counts(turns.size());
  std::vector<std::optional<Error>> errors(turns.size());
  auto open = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(turns.size()));
  for (std::size_t i = 0; i < turns.size(); ++i) {
    turns[i].on_message([&mine = counts[i]](const Message& message) { mine.add(message); });
    turns[i].then([&error = errors[i], open](const Result<TurnResult>& result) {
      if (!result) error = result.error();
      open->count_down();
    });
  }
  open->wait();
  figures.first_result();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (errors[i]) return errors[i];
    count.messages += counts[i].messages;
    count.checksum += counts[i].checksum;
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: bench_client <path of the CLI>\n", stderr), 2;
  bench::Figures figures;
  std::string workload = bench::env("BENCH_WORKLOAD", "stream");
  bool loop = bench::env_number("BENCH_LOOP", 0) != 0;

  std::vector<Session> sessions;
  for (long left = bench::env_number("BENCH_K", 1); left > 0; --left) {
    auto session = Session::start(options_for(workload, argv[1], loop));
    if (!session) return failed(session.error());
    sessions.push_back(std::move(*session));
  }
  figures.connected();

  Count count;
  if (workload == "control") {
    auto error = set_models(sessions[0], bench::env_number("BENCH_N", 1000), count);
    if (error) return failed(*error);
  }
  figures.prompt_sent();
  std::vector<Turn> turns;
  for (Session& session : sessions) turns.push_back(session.send("go"));
  if (auto error = (loop ? be_called : take_all)(turns, count, figures)) return failed(*error);
  figures.last_result();
  turns.clear();
  for (Session& session : sessions) session.close();
  figures.closed();
  figures.print(count, "bytes");
}
