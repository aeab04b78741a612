// The beginning and the end of a world, and the callbacks of its session.
#include "scene.h"

#include <stdexcept>

namespace claude::simulation {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kPoolThreads[] = {256, 256, 0, 1, 2};
constexpr std::chrono::milliseconds kPoolIdle[] = {10s, 1ms, 0ms};
constexpr std::size_t kSmallLimits[] = {64, 2, 1};
constexpr std::size_t kSmallMailbox = 3'000;
constexpr std::size_t kMailboxBytes[] = {1 << 20, 1 << 20, kSmallMailbox};
constexpr std::size_t kOutputBytes[] = {1 << 20, 1 << 20, 400};
constexpr Duration kDawdling[] = {0ms, 0ms, 1ms, 50ms, 5s};
// After this the session is closed, whatever its users wait for.
constexpr Duration kPatience = 10min;

}  // namespace

Scene::Scene(World& world)
    : world_(world),
      laws_(std::make_shared<Laws>(world)),
      character_(world.decide),
      cli_(std::make_unique<Cli>(world, *laws_, character_)),
      operations_left_(static_cast<int>(5 + world.decide.below(12))) {
  world_.on_idle = [this](Duration jump) { laws_->check_idle(jump); };
}

void Scene::play() {
  RuntimeOptions threads;
  threads.pool_threads = laws_->pool_threads = world_.decide.of(kPoolThreads);
  threads.pool_idle = world_.decide.of(kPoolIdle);
  runtime_ = std::make_shared<Runtime>(threads);
  start(options());
  if (session_) {
    if (world_.decide.one_in(4)) collect_messages();
    if (query_) take_query();
    for (std::size_t users = 1 + world_.decide.below(3); users > 0; --users) {
      ++users_at_work_;
      world_.spawn("user", [this] { use(); });
    }
    auto all_done = [this] { return users_at_work_ == 0 && laws_->callbacks() == 0; };
    bool done = world_.wait(all_done, world_.now() + kPatience);
    if (!done) reached(Reached::patience_over);
    // Else the last handle closes it.
    if (!done || world_.decide.one_in(2)) close();
    world_.wait(all_done);
  }
  laws_->closing = true;
  finishing_ = true;
  kept_turns_.clear();
  session_.reset();
  // A callback that began late may keep another one meanwhile.
  std::exchange(kept_replies_, {}).clear();
  runtime_.reset();
  if (stderr_debt_) laws_->paid(*stderr_debt_);
}

void Scene::check_end() {
  if (laws_->is_served && laws_->exit_known && told_stderr_ != cli_->stderr_text()) {
    world_.fail("the last text of stderr was lost");
  }
  laws_->check_end();
}

Options Scene::options() {
  Decisions& decide = world_.decide;
  Options options;
  options.cli_path = "/bin/sh";  // found, but never started
  options.environment.mode = Environment::Mode::exact;
  options.version_check = VersionCheck::off;
  options.runtime = runtime_;
  options.observer = laws_;
  options.transport = [this](const Command&) -> Result<std::unique_ptr<Transport>> {
    return cli_->connect();
  };
  options.limits.open_asks = laws_->open_asks_limit = decide.of(kSmallLimits);
  options.limits.pending_operations = laws_->pending_calls_limit = decide.of(kSmallLimits);
  options.limits.mailbox_bytes = decide.of(kMailboxBytes);
  laws_->mailboxes_overflow = options.limits.mailbox_bytes == kSmallMailbox;
  options.limits.output_bytes = decide.of(kOutputBytes);
  options.limits.warn_line_bytes = 1'000;
  options.limits.line_bytes = 4'000;
  options.timeouts.hook = kHookTimeout;
  if (decide.one_in(3)) options.timeouts.permission = laws_->permission_timeout = kHookTimeout;
  options.timeouts.interrupt = options.timeouts.set_model = kNamedTimeout;
  options.timeouts.initialize = 20s;
  if (decide.one_in(3)) options.log = [](LogLevel, std::string_view) {};
  if (decide.one_in(4)) {
    laws_->pool_threads = 0;  // what calls back runs on whatever thread is at work
    options.executor = [this](std::function<void()> work) {
      laws_->user_code_begins();
      work();
    };
  }
  if (!decide.one_in(3)) add_callbacks(options);
  return options;
}

void Scene::start(Options options) {
  CallRecord& initialize = laws_->call(0);
  initialize.due = world_.now() + 20s;
  auto session = waiting(
      "the session has started",
      [this, &initialize] {
        // A failed start ends the CLI first, if that has not ended by itself.
        TimePoint over = std::min(initialize.due, laws_->dead_at);
        return initialize.answered || laws_->has_exited || world_.now() - kLadder > over;
      },
      [&] { return begin(std::move(options)); });
  if (session) {
    session_ = std::move(*session);
  } else {
    reached(Reached::start_failed);
    laws_->closing = true;
    world_.event("no session: ", session.error().to_string());
  }
}

Result<Session> Scene::begin(Options options) {
  if (!world_.decide.one_in(8)) return Session::start(std::move(options));
  query_.emplace(query("a prompt", std::move(options)));
  if (!query_->session()) return std::unexpected(query_->result().error());
  return *query_->session();
}

std::shared_ptr<void> Scene::belonging() const {
  return {nullptr, [laws = laws_](void*) { laws->belonging_goes(); }};
}

void Scene::dawdle(AskRecord& ask, const CancelToken& cancel) {
  cancel.on_request([&ask, owned = belonging()] { ask.cancel_told = true; });
  if (++ask.begun > ask.asked) world_.fail("a callback was called twice for one ask");
  Duration time = world_.decide.of(kDawdling);
  if (time > 0ms) {
    ++laws_->sleeping;
    world_.sleep(time);
    --laws_->sleeping;
    laws_->slept += time;
  }
  if (world_.decide.one_in(3)) act();
  if (world_.decide.one_in(6)) {
    reached(Reached::callback_threw);
    ask.decided = true;
    throw std::runtime_error("thrown by a callback");
  }
}

// ---- Callbacks ---------------------------------------------------------------------------------

void Scene::add_callbacks(Options& options) {
  laws_->is_served = true;
  HookOptions hook;
  hook.run_inline = world_.decide.one_in(3);
  options.hooks.pre_tool_use(
      [this](PreToolUse event, Reply<Verdict<PreToolUse>> reply) {
        in_callback([&] {
          AskRecord& ask = laws_->ask(std::string(event.tool_use_id));
          dawdle(ask, event.cancel);
          auto kept = std::make_shared<Reply<Verdict<PreToolUse>>>(std::move(reply));
          keep_or_answer(ask, [kept](bool) { (*kept)(Proceed{}); });
        });
      },
      hook);
  options.permission_inline = world_.decide.one_in(3);
  if (world_.decide.one_in(2)) {
    options.can_use_tool = [this](const ToolRequest& request) -> Permission {
      AskRecord& ask = laws_->ask(std::string(request.request_id));
      in_callback([&] { dawdle(ask, request.cancel); });
      bool allowed = world_.decide.one_in(2);
      ask.allowed |= allowed;
      ask.decided = true;
      return allowed ? Permission(allow()) : Permission(deny("no"));
    };
  } else {
    options.can_use_tool_later = [this](ToolRequest request, Reply<Permission> reply) {
      in_callback([&] {
        AskRecord& ask = laws_->ask(std::string(request.request_id));
        dawdle(ask, request.cancel);
        auto kept = std::make_shared<Reply<Permission>>(std::move(reply));
        keep_or_answer(ask, [kept](bool allowed) {
          (*kept)(allowed ? Permission(allow()) : Permission(deny("no")));
        });
      });
    };
  }
  if (world_.decide.one_in(2)) {
    options.on_question = [this](const Questions& questions) {
      AskRecord& ask = laws_->ask(std::string(questions.request.request_id));
      in_callback([&] { dawdle(ask, questions.request.cancel); });
      ask.allowed = ask.decided = true;
      reached(Reached::question_answered);
      return Answers().choose(0, 0);
    };
  }
  options.mcp_servers.add(
      "calc",
      [this](const Json& message) {
        AskRecord& ask = laws_->ask(std::string(message["method"].text()));
        in_callback([&] { dawdle(ask, {}); });
        ask.decided = true;
        return Json::object({{"jsonrpc", "2.0"}, {"id", 7}, {"result", Json::object({})}});
      },
      world_.decide.one_in(3));
  auto is_untold = [this] {
    return told_stderr_.size() < cli_->stderr_text().size() && !laws_->closing && !is_over();
  };
  stderr_debt_ = laws_->is_to_be_called("text on stderr is there", is_untold);
  options.on_stderr = [this](std::string_view text) {
    laws_->user_code_begins();
    told_stderr_ += text;
    if (!cli_->stderr_text().starts_with(told_stderr_)) world_.fail("stderr out of order");
  };
}

// A reply may be given at once, later by somebody else, or dropped.
void Scene::keep_or_answer(AskRecord& ask, std::function<void(bool allow)> answer) {
  switch (world_.decide.below(5)) {
    case 3:
      reached(Reached::reply_dropped);
      ask.decided = true;
      return;
    case 4:
      reached(Reached::reply_kept);
      kept_replies_.push_back([&ask, answer] {
        ask.allowed = ask.decided = true;
        answer(true);
      });
      return;
    default:
      bool allowed = world_.decide.one_in(2);
      ask.allowed |= allowed;
      ask.decided = true;
      answer(allowed);
  }
}

}  // namespace claude::simulation
