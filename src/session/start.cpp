// From Options to a session that is ready, or to an Error that explains itself.
#include "session/start.h"

#include "io/pages.h"
#include "launch/arguments.h"
#include "launch/command.h"
#include "launch/explain.h"
#include "launch/initialize.h"
#include "launch/version.h"
#include "session/access.h"
#include "session/child_transport.h"
#include "session/guarded_transport.h"
#include "session/handlers.h"
#include "session/ids.h"
#include "session/live.h"
#include "session/quietly.h"
#include "wire/names.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace claude {
namespace {

// What initialize says, and who answers what the CLI asks.
void add_callbacks(core::Setup& setup, const Options& options) {
  setup.initialize = wire::request(wire::kInitialize, launch::initialize_fields(options));
  for (const Hooks::Registration& hook : options.hooks.registrations()) {
    setup.hooks.push_back({.event = hook.event,
                           .timeout = launch::hook_timeout(hook, options),
                           .if_failed = failure_payload(hook),
                           .blocks_if_failed = hook.options.on_failure == OnFailure::block});
  }
  setup.permissions = options.can_use_tool || options.can_use_tool_later || options.on_question;
  for (const auto& [name, server] : options.mcp_servers.in_process()) {
    setup.mcp_servers.push_back(name);
  }
}

core::Setup engine_setup(const Options& options, const launch::Surroundings& around) {
  core::Setup setup;
  setup.refuse_version = [allow = options.allow_old_cli](std::string_view version) {
    return launch::refuse_version(version, allow);
  };
  setup.limits = options.limits;
  setup.timeouts = options.timeouts;
  setup.timeouts.initialize = launch::initialize_timeout(options, around);
  setup.id_suffix = random_suffix();
  setup.diagnostics = options.log || options.observer;
  setup.on_huge_block = io::use_large_pages;
  if (options.observer) {
    quietly([&] { options.observer->on_start(options); });
    setup.tap = [observer = options.observer](Direction direction, std::string_view line) {
      quietly([&] { observer->on_line(direction, line, Clock::now()); });
    };
  }
  return setup;
}

// What `claude --version` prints; empty when it does not within its time, or too much.
std::string ask_version(Runtime::Loop& loop, Command command) {
  command.arguments = {std::string(launch::kVersionFlag)};
  auto transport = start_child(loop, command);
  if (!transport) return {};
  std::string printed;
  std::array<char, 512> chunk;
  TimePoint until = Clock::now() + launch::kVersionTimeout;
  bool over = false;
  while (!over && printed.size() < launch::kVersionBytes && Clock::now() < until) {
    // Who was left behind may hold the output open: what was there at the exit is the answer.
    const bool has_exited = (*transport)->exited().has_value();
    IoResult result = (*transport)->read(chunk);
    printed.append(chunk.data(), result.bytes);
    over =
        result.status == IoStatus::closed || (has_exited && result.status == IoStatus::would_block);
    if (over || result.status == IoStatus::ok) continue;
    // Nobody wants its stderr, but while that is full it says nothing more.
    std::array<char, 4096> unwanted;
    const bool errors_closed = (*transport)->read_errors(unwanted).status == IoStatus::closed;
    const int exit = (*transport)->exit_fd();
    std::array<io::PollItem, 3> items{{{.fd = (*transport)->read_fd()},
                                       {.fd = errors_closed ? -1 : (*transport)->error_fd()},
                                       {.fd = exit}}};
    io::poll_few(items, exit < 0 ? kAskAgain : until - Clock::now());
  }
  if (!over) printed.clear();
  (*transport)->kill();
  wait_for_exit(**transport);
  return printed;
}

[[gnu::cold]] Error explain_failure(Runtime::Loop& loop, const Options& options,
                                    const Command& command, const core::SessionEnded& ended) {
  const Error& error = *ended.error;
  constexpr Errc kSaidInFull[] = {Errc::unsupported_version, Errc::write_failed, Errc::invalid_json,
                                  Errc::line_too_long};
  if (std::ranges::find(kSaidInFull, error.code) != std::end(kSaidInFull)) return error;
  launch::FailedStart seen;
  seen.exit_code = error.exit_code;
  seen.signal = error.signal;
  seen.exited = error.code == Errc::exited_during_init;
  if (seen.exited && !error.exit_code && !error.signal) seen.instead_of_exit = error.message;
  if (error.code == Errc::init_timeout) {
    seen.timed_out = launch::initialize_timeout(options, launch::real_surroundings());
    seen.silence_advice = error.advice;
  }
  if (error.code == Errc::init_failed) {
    seen.init_error = error.cli_text;
    seen.init_error_code = error.error_code;
  }
  seen.stderr_tail = error.stderr_tail;
  seen.stdout_text = error.cli_text;
  seen.allow_old_cli = options.allow_old_cli;
  bool ask = options.version_check == VersionCheck::when_it_fails && !options.transport;
  if (ask) seen.version_text = ask_version(loop, command);
  return launch::explain(seen);
}

// fork() copies no threads: whoever waited for one of them would wait for ever.
[[gnu::cold]] Error runtime_of_the_host() {
  return {.code = Errc::invalid_option,
          .message = "The runtime was made before fork(): its threads are the parent's",
          .where = "Options::runtime",
          .advice = "Make a runtime in the child, or leave it unset."};
}

// By the user's own factory.
Result<std::unique_ptr<GuardedTransport>> own_transport(const Options& options,
                                                        const Command& command) {
  const Error fault = {.code = Errc::spawn_failed, .where = "Options::transport"};
  Result<std::unique_ptr<GuardedTransport>> guarded = std::unexpected(fault);
  auto thrown = thrown_by([&] {
    auto own = options.transport(command);
    if (!own) {
      guarded = std::unexpected(own.error());
    } else if (!*own) {
      guarded.error().code = Errc::invalid_option;
      guarded.error().message = "The factory gave no transport";
      guarded.error().advice = "Give an Error where there is none to be had.";
    } else {
      guarded = std::make_unique<GuardedTransport>(std::move(*own));
    }
  });
  if (thrown) guarded.error().message = "Making the transport threw: " + *thrown;
  return guarded;
}

std::optional<Error> connect(LiveSession::Connection& connection, Runtime::Loop& loop,
                             const Options& options) {
  if (options.transport) {
    auto own = own_transport(options, connection.command);
    if (!own) return own.error();
    connection.own = own->get();
    connection.transport = std::move(*own);
  } else {
    auto child = start_child(loop, connection.command);
    if (!child) return child.error();
    connection.transport = std::move(*child);
  }
  return std::nullopt;
}

// What the user's callbacks own goes with the session.
void destroy(LiveSession* session) {
  // A fork's copy leaves it where it is: its threads were not copied, and locks may be held.
  if (!session->is_of_this_process()) return;
  RuntimeAccess::pool(session->runtime()).run_where_it_may_block([session] { delete session; });
}

}  // namespace

Result<std::shared_ptr<LiveSession>> start_session(Options options, ToldPrompt* told) {
  if (!options.runtime) options.runtime = Runtime::shared();
  auto runtime = options.runtime;
  Runtime::Loop* loop = RuntimeAccess::loop(*runtime);
  if (loop == nullptr) return std::unexpected(no_loop());
  if (!loop->is_of_this_process()) return std::unexpected(runtime_of_the_host());
  launch::Surroundings around = launch::real_surroundings();
  LiveSession::Connection connection;
  connection.session_id = options.session_id.value_or(random_uuid());
  if (options.resume && !options.fork_session) connection.session_id = *options.resume;
  connection.one_way = told != nullptr;
  auto command = told ? launch::legacy_command(options, told->text, around)
                      : launch::session_command(options, connection.session_id, around);
  if (!command) return std::unexpected(command.error());
  connection.command = *command;

  if (launch::asks_version_first(options) && !options.transport) {
    std::string version = ask_version(*loop, *command);
    if (auto refused = launch::refuse_version(version, options.allow_old_cli)) {
      return std::unexpected(*refused);
    }
    if (launch::judge_version(version) == launch::VersionVerdict::unknown && options.log) {
      quietly(
          [&] { options.log(LogLevel::warning, "the CLI does not say its version: going on"); });
    }
  }

  // Before there is a process that would be left alone if there were none.
  auto wake = io::Wake::create();
  if (!wake) return std::unexpected(wake.error());
  connection.wake = std::move(*wake);
  if (auto fault = connect(connection, *loop, options)) return std::unexpected(*fault);
  // A poller takes each descriptor once.
  if (const int both = connection.transport->write_fd();
      both >= 0 && both == connection.transport->read_fd()) {
    auto copy = io::duplicate(both);
    if (!copy) return std::unexpected(copy.error());
    connection.write_copy = std::move(*copy);
  }
  core::Setup setup = engine_setup(options, around);
  setup.control = !told && connection.transport->carries_control();
  if (!told) add_callbacks(setup, options);
  // The session keeps its runtime by itself: options that keep it too would be a circle.
  options.runtime = nullptr;
  std::shared_ptr<LiveSession> live(
      new LiveSession(std::move(options), runtime, std::move(connection), std::move(setup)),
      &destroy);
  if (told) {
    told->turn = live->open_told();
    told->everything = live->open_everything();
  }
  live->begin();

  std::optional<core::SessionEnded> failed;
  {
    LiveSession::Lock lock(*live);
    live->wait(lock,
               [&] { return live->state() == SessionState::running || live->ended().has_value(); });
    // It may have been all that it should be, and be over by now.
    if (!live->has_run()) failed = live->ended();
  }
  if (!failed) return live;
  live->close(live->ladder(), true);
  // A CLI that is still there when the time is over has not told the engine what it printed.
  failed->error->stderr_tail = live->stderr_tail();
  return std::unexpected(
      explain_failure(*loop, live->options(), live->connection().command, *failed));
}

}  // namespace claude
