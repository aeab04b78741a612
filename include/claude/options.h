// Everything that can be set when a session starts.
//
//   claude::Options options{.model = "sonnet", .cwd = "/srv/project"};
//   options.can_use_tool = ...;
//
// A plain aggregate: what you do not set is left to the CLI. Where "unset", "empty" and "some"
// mean three things, the member is an optional list.
#pragma once

#include <claude/hooks.h>
#include <claude/observer.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace claude {

class Runtime;
class Transport;
struct Command;

// The system prompt. By default it is empty, as in the official SDKs.
struct SystemPrompt {
  enum class Kind : std::uint8_t { text, claude_code };
  Kind kind = Kind::text;
  std::vector<std::string> blocks = {};      // of text
  std::optional<std::string> appended = {};  // behind the one of Claude Code
  std::optional<bool> exclude_dynamic_sections = {};

  static SystemPrompt text(std::string prompt) {
    SystemPrompt made = {};
    made.blocks.push_back(std::move(prompt));
    return made;
  }
  // The prompt that the interactive program uses.
  static SystemPrompt claude_code(std::optional<std::string> append = {}) {
    SystemPrompt made = {};
    made.kind = Kind::claude_code;
    made.appended = std::move(append);
    return made;
  }
};

// A subagent that the model may call.
struct AgentDefinition {
  std::string description = {};
  std::string prompt = {};
  std::optional<std::vector<std::string>> tools = {};
  std::optional<std::vector<std::string>> disallowed_tools = {};
  std::optional<std::string> model = {};
  std::optional<int> max_turns = {};
  Json more = {};  // further members of the definition, as an object
};

// A server that runs in this process: JSON-RPC message in, JSON-RPC message out. Called for
// requests and notifications; what it returns for a notification does not matter. A request that it
// gives no answer with its id is answered with an error. Calls may come at the same time from
// several threads.
using McpHandler = std::function<Json(const Json& message)>;

class McpServers {
 public:
  McpServers& add(std::string name, McpHandler handler, bool run_inline = false);
  // A server that the CLI runs or connects to: {"command": ...}, {"type": "http", "url": ...}.
  McpServers& add_external(std::string name, Json config);

  struct InProcess {
    McpHandler handler;
    bool run_inline = false;
  };
  const std::map<std::string, InProcess, std::less<>>& in_process() const { return in_process_; }
  const std::map<std::string, Json>& external() const { return external_; }

 private:
  std::map<std::string, InProcess, std::less<>> in_process_;
  std::map<std::string, Json> external_;
};

// The variables that the CLI gets. To what `overlay` and `clean` inherit the library adds
// CLAUDE_CODE_ENTRYPOINT and CLAUDE_AGENT_SDK_VERSION, PWD where `cwd` is set, and with
// `file_checkpointing` CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING. Then `unset` is taken away and
// `set` laid over it.
struct Environment {
  enum class Mode : std::uint8_t {
    overlay,  // inherits what this process has
    clean,    // only `pass` of it
    exact,    // `set` and nothing else
  };
  Mode mode = Mode::overlay;
  std::map<std::string, std::string> set = {};
  std::vector<std::string> unset = {};
  std::vector<std::string> pass = {"HOME", "PATH", "USER", "LANG", "TERM", "TMPDIR"};
  // In `overlay`: not inherited are the marks by which a CLI knows that it runs inside another one,
  // and NODE_OPTIONS, which was meant for another program.
  bool strip_nesting_markers = true;
};

struct Limits {
  std::size_t queued_operations = 16;   // before the session is ready
  std::size_t pending_operations = 64;  // waiting for an answer of the CLI
  std::size_t open_asks = 32;           // hooks, permissions and MCP calls being answered
  std::size_t ask_bytes = std::size_t{256} << 20;  // of the lines of these
  std::size_t line_bytes = std::size_t{64} << 20;
  std::size_t warn_line_bytes = std::size_t{1} << 20;
  std::size_t mailbox_bytes = std::size_t{256} << 20;  // of messages nobody has taken yet
  // Waiting to be written to a CLI that does not read: above it prompts and operations are refused,
  // and answers to what the CLI asks end the session.
  std::size_t output_bytes = std::size_t{64} << 20;
  // For an on_stderr that is still busy with what came before: above it what waits is left out, and
  // the log says so.
  std::size_t stderr_bytes = std::size_t{16} << 20;
};

struct Timeouts {
  std::chrono::milliseconds initialize{60'000};
  std::chrono::milliseconds interrupt{5'000};
  std::chrono::milliseconds set_permission_mode{5'000};
  std::chrono::milliseconds set_model{5'000};
  std::chrono::milliseconds rewind_files{30'000};
  std::chrono::milliseconds operation{60'000};  // every other
  std::chrono::milliseconds hook{60'000};
  std::optional<std::chrono::milliseconds> permission = {};  // unset: people may take their time
  // Ending: after closing its input the CLI has this long to exit, then to obey SIGTERM.
  std::chrono::milliseconds exit_grace{5'000};
  std::chrono::milliseconds terminate_grace{5'000};
};

enum class VersionCheck : std::uint8_t {
  when_it_fails,  // costs nothing: asks `--version` only to explain a failed start
  before_start,   // asks before each start
  off,
};

struct Options {
  // The model and its work.
  std::optional<std::string> model = {};
  std::optional<std::string> fallback_model = {};
  std::optional<std::string> effort = {};
  std::optional<int> max_turns = {};
  std::optional<double> max_budget_usd = {};
  std::optional<int> max_thinking_tokens = {};
  std::vector<std::string> betas = {};
  SystemPrompt system_prompt = {};
  std::optional<Json> json_schema = {};  // of the structured output

  // Tools and permissions.
  std::optional<std::vector<std::string>> tools = {};  // the base set; empty: none
  std::vector<std::string> allowed_tools = {};
  std::vector<std::string> disallowed_tools = {};
  std::optional<PermissionMode> permission_mode = {};
  bool allow_bypass_permissions = false;
  PermissionHandler can_use_tool = {};
  PermissionReplyHandler can_use_tool_later = {};  // instead: answers from any thread, at any time
  QuestionHandler on_question = {};
  bool permission_inline = false;  // runs the permission callback on the reading thread
  Hooks hooks = {};
  McpServers mcp_servers = {};
  bool strict_mcp_config = false;
  std::map<std::string, AgentDefinition> agents = {};

  // Settings and places.
  std::string cwd = {};
  std::vector<std::string> add_dirs = {};
  std::optional<std::vector<std::string>> setting_sources = {};  // empty: no settings files
  std::optional<std::string> settings = {};                      // a file, or JSON
  Environment environment = {};
  // Further flags: name without dashes, value or none.
  std::vector<std::pair<std::string, std::optional<std::string>>> extra_args = {};
  Json initialize_fields = {};  // further members of the initialize request, as an object

  // The conversation.
  std::optional<std::string> session_id = {};  // unset: a fresh one is chosen, see Session::id()
  std::optional<std::string> resume = {};
  bool continue_conversation = false;
  bool fork_session = false;
  bool persist_session = true;
  bool file_checkpointing = false;  // for rewind_files
  bool partial_messages = false;    // StreamEvent messages
  bool replay_user_messages = false;
  bool hook_events = false;
  bool forward_subagent_text = false;

  // The program and the process.
  std::string cli_path = {};  // empty: CLAUDE_CLI_PATH, PATH, then the known places
  VersionCheck version_check = VersionCheck::when_it_fails;
  bool allow_old_cli = false;
  bool legacy_argv = false;  // query() only: the prompt on the command line, no callbacks
  Timeouts timeouts = {};
  Limits limits = {};

  // What goes on inside.
  LogHandler log = {};
  std::shared_ptr<Observer> observer = {};
  // One chunk at a time, on a thread of the library or on one of yours that waits for the session:
  // keep it short, and take no lock that you hold while you wait. A call may still be under way
  // when the session has gone.
  std::function<void(std::string_view chunk)> on_stderr = {};

  // Advanced.
  // Runs what continues an operation (`then`, callbacks of streams); unset: the runtime's pool.
  std::function<void(std::function<void()>)> executor = {};
  std::shared_ptr<Runtime> runtime = {};  // unset: the one that all sessions share
  // Makes the connection instead of starting a process; called by the session itself. Neither the
  // CLI nor cwd has to be on this machine: the command then names cli_path, or just "claude".
  std::function<Result<std::unique_ptr<Transport>>(const Command&)> transport = {};
};

// The least version of the CLI that this library works with.
inline constexpr std::string_view kMinimumCliVersion = "2.0.0";

// What would be started, for people to read: environment values that look like secrets masked.
struct Command {
  std::string program = {};
  std::vector<std::string> arguments = {};  // without the program
  std::map<std::string, std::string> environment = {};
  std::string cwd = {};
  std::string initialize = {};  // the first line that will be written

  std::string to_string() const;
};

// Finds the CLI and resolves all options, starting nothing.
Result<Command> resolve(const Options& options);

}  // namespace claude
