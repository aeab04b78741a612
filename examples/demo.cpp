// An agent session in the terminal: what the library is for, in one program.
//
//   demo [--cli PATH]     PATH is the Claude Code CLI, or any program that talks as it does;
//                         without it the library looks for `claude` itself
//
// Six prompts, one for each thing shown: streamed text, a hook, a permission question, a tool of
// our own, a question with options, an interrupt. On a terminal you are asked; elsewhere a policy
// answers, and says so. Everything happens in a temporary folder. Exit code 0: all six were seen.
#include <claude/claude.h>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

using claude::Json;

struct Scene {
  const char* shows;
  const char* prompt;
  std::size_t interrupt_after = 0;  // so many bytes of the answer; 0: never
};
constexpr Scene kScenes[] = {
    {"Text", "Introduce yourself in two sentences."},
    {"Hook", "Delete the folder `old` with the shell command `rm -rf old`. How did it go?"},
    {"Permission", "Write the line \"The agent was here.\" to notes.txt with the Write tool."},
    {"Tool", "Add 17 and 25 with the calculator's add tool."},
    {"Question", "Ask me with the AskUserQuestion tool which of three colours I like best."},
    {"Interrupt", "Count from one to four hundred, in words.", 80},
};

// Callbacks run on other threads than the loop over the messages: one writes at a time.
class Screen {
 public:
  // A piece of the model's answer, where the last one ended.
  void stream(std::string_view text) {
    std::lock_guard lock(mutex_);
    if (text.empty()) return;
    shown_.emplace("Text");
    std::cout << text << std::flush;
    mid_line_ = text.back() != '\n';
  }
  // Something happened that this demo is about.
  void show(std::string what, std::string_view text) {
    line("36", "  * " + what + ": ", text);
    std::lock_guard lock(mutex_);
    shown_.insert(std::move(what));
  }
  void line(const char* colour, std::string_view mark, std::string_view text) {
    std::lock_guard lock(mutex_);
    if (std::exchange(mid_line_, false)) std::cout << '\n';
    if (colours_) std::cout << "\033[" << colour << 'm';
    std::cout << mark << text << (colours_ ? "\033[0m" : "") << std::endl;
  }
  // Asks the person at the terminal; an end of input is an empty answer.
  std::string ask(std::string_view text) {
    line("1", "    ", text);
    std::string answer;
    std::getline(std::cin, answer);
    return answer;
  }
  bool has_shown(std::string_view what) {
    std::lock_guard lock(mutex_);
    return shown_.contains(what);
  }

 private:
  std::mutex mutex_;
  std::set<std::string, std::less<>> shown_;
  bool mid_line_ = false;
  const bool colours_ = isatty(STDOUT_FILENO) == 1;
};

struct TemporaryFolder {
  std::string path = (std::filesystem::temp_directory_path() / "claude-demo-XXXXXX").string();

  TemporaryFolder() {
    if (mkdtemp(path.data()) == nullptr) throw std::system_error(errno, std::generic_category());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
};

// What the CLI asks this program. The library calls these functions, on threads of its own.
class Host {
 public:
  explicit Host(Screen& screen) : screen_(screen) {}

  bool asks() const { return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1; }

  claude::Verdict<claude::PreToolUse> guard(const claude::PreToolUse& call) {
    const Json command = call.tool_input["command"];
    if (!command.text().contains("rm -rf")) return claude::proceed();
    screen_.show("Hook", "blocked the command `" + std::string(command.text()) + "`");
    return claude::deny("This program does not let anything be deleted with rm -rf.");
  }

  claude::Permission permit(const claude::ToolRequest& request) {
    const std::string tool(request.tool_name);
    const std::string input(request.input.text());
    screen_.show("Permission", "may " + tool + " run with " + input + "?");
    const std::string answer = asks() ? screen_.ask("[y/N]") : tool == "Write" ? "y" : "n";
    const bool yes = answer.starts_with('y') || answer.starts_with('Y');
    screen_.show("Permission", yes ? "allowed" : "denied");
    if (yes) return claude::allow();
    return claude::deny("The user does not want this.");
  }

  claude::Answers choose(const claude::Questions& questions) {
    claude::Answers answers;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const auto& options = questions[i].options;
      screen_.show("Question", questions[i].question);
      for (std::size_t k = 0; k < options.size(); ++k) {
        screen_.line("0", "    " + std::to_string(k + 1) + " ", options[k].label);
      }
      const int number = asks() ? std::atoi(screen_.ask("Which one?").c_str()) : 1;
      if (number < 1 || static_cast<std::size_t>(number) > options.size()) continue;  // left open
      const auto chosen = static_cast<std::size_t>(number) - 1;
      screen_.show("Question", "answered with " + std::string(options[chosen].label));
      answers.choose(i, chosen);
    }
    return answers;
  }

  // An MCP server is a function: JSON-RPC message in, JSON-RPC message out.
  Json calculator(const Json& message) {
    const std::string_view method = message["method"].text();
    const Json& parameters = message["params"];
    Json result = Json::object();
    if (method == "initialize") {
      result.set("protocolVersion", parameters["protocolVersion"]);
      result.set("capabilities", Json::object({{"tools", Json::object()}}));
      result.set("serverInfo", Json::object({{"name", "calculator"}, {"version", "1.0"}}));
    } else if (method == "tools/list") {
      result = Json::parse(R"({"tools": [{"name": "add", "description": "Adds two numbers",
          "inputSchema": {"type": "object", "required": ["a", "b"],
                          "properties": {"a": {"type": "number"}, "b": {"type": "number"}}}}]})")
                   .value();
    } else if (method == "tools/call") {
      const Json& numbers = parameters["arguments"];
      std::ostringstream sum;
      sum << numbers["a"].number() + numbers["b"].number();
      screen_.show("Tool", "the calculator in this process says " + sum.str());
      result.set("content", Json::array({Json::object({{"type", "text"}, {"text", sum.str()}})}));
    }
    return Json::object({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", result}});
  }

 private:
  Screen& screen_;
};

claude::Options make_options(Host& host, const std::string& cli, const std::string& folder) {
  claude::Options options;
  options.cli_path = cli;
  options.cwd = folder;
  options.system_prompt = claude::SystemPrompt::text(
      "You take part in a demo in a terminal. Do what is asked at once, with the tool that is "
      "named. Afterwards say in one or two plain sentences how it went.");
  options.partial_messages = true;                       // text as it is written
  options.tools = {"Bash", "Write", "AskUserQuestion"};  // of the CLI's own
  options.allowed_tools = {"mcp__calculator__add"};      // runs without a question
  options.setting_sources.emplace();                     // no settings files: only what is here
  options.persist_session = false;

  options.hooks.pre_tool_use("Bash",
                             [&](const claude::PreToolUse& call) { return host.guard(call); });
  options.can_use_tool = [&](const claude::ToolRequest& request) { return host.permit(request); };
  options.on_question = [&](const claude::Questions& asked) { return host.choose(asked); };
  options.mcp_servers.add("calculator",
                          [&](const Json& message) { return host.calculator(message); });
  return options;
}

// One prompt, its answer piece by piece, its result.
claude::Result<claude::TurnResult> play(claude::Session& session, const Scene& scene,
                                        Screen& screen) {
  screen.line("1", "\n> ", scene.prompt);
  claude::Turn turn = session.send(scene.prompt);
  std::size_t bytes = 0;
  bool stopped = false;
  for (const claude::Message& message : turn) {
    auto* piece = std::get_if<claude::StreamEvent>(&message);
    if (piece == nullptr || stopped) continue;
    screen.stream(piece->text());
    bytes += piece->text().size();
    stopped = scene.interrupt_after > 0 && bytes >= scene.interrupt_after;
    if (stopped) session.interrupt();  // a Call: its answer comes while this loop goes on
  }
  claude::Result<claude::TurnResult> result = turn.result();
  if (result && result->interrupted()) screen.show("Interrupt", "stopped in mid-sentence");
  return result;
}

// What it all came to.
struct Totals {
  std::int64_t tokens_in = 0;
  std::int64_t tokens_out = 0;
  double cost_usd = 0;

  void add(const claude::TurnResult& turn) {
    cost_usd += turn.cost_usd.value_or(0);
    const claude::Usage usage = turn.message.usage.value_or({});
    tokens_in += usage.input_tokens.value_or(0) + usage.cache_read_input_tokens.value_or(0) +
                 usage.cache_creation_input_tokens.value_or(0);
    tokens_out += usage.output_tokens.value_or(0);
  }
  std::string text(std::chrono::duration<double> time) const {
    char line[160];
    std::snprintf(line, sizeof line, "%zu turns, %lld tokens in, %lld out, %.4f USD, %.1f s",
                  std::size(kScenes), static_cast<long long>(tokens_in),
                  static_cast<long long>(tokens_out), cost_usd, time.count());
    return line;
  }
};

// Plays all scenes; an error only when the session could not go on.
std::optional<claude::Error> run(const std::string& cli, Screen& screen) {
  const auto began = std::chrono::steady_clock::now();
  TemporaryFolder folder;
  Host host(screen);
  if (!host.asks()) {
    screen.line("0", "",
                "No terminal to ask at. The policy: Write may run, other tools may not; "
                "of a question's options the first is taken.");
  }
  auto session = claude::Session::start(make_options(host, cli, folder.path));
  if (!session) return session.error();
  screen.line("0", "Session with ", session->cli_path());

  Totals totals;
  for (const Scene& scene : kScenes) {
    auto result = play(*session, scene, screen);
    if (!result) return result.error();
    if (!result->ok() && !result->interrupted()) return result->error();
    totals.add(*result);
  }
  session->close();
  screen.line("1", "\nDone: ", totals.text(std::chrono::steady_clock::now() - began));
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const bool named = argc == 3 && std::string_view(argv[1]) == "--cli";
  if (argc != 1 && !named) {
    std::cerr << "usage: demo [--cli PATH]\n";
    return 2;
  }
  Screen screen;
  if (auto error = run(named ? argv[2] : "", screen)) {
    screen.line("31", "Failed: ", error->to_string());
    return EXIT_FAILURE;
  }
  int status = EXIT_SUCCESS;
  for (const Scene& scene : kScenes) {
    if (screen.has_shown(scene.shows)) continue;
    screen.line("31", "Not seen: ", scene.shows);  // a model may do otherwise than asked
    status = EXIT_FAILURE;
  }
  return status;
}
