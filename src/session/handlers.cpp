// Runs the user's callbacks, and makes sure that each ask is answered, whatever they do.
#include "session/handlers.h"

#include "json/parse.h"
#include "session/access.h"
#include "session/live.h"
#include "session/quietly.h"
#include "wire/decode_hooks.h"
#include "wire/encode.h"
#include "wire/names.h"
#include "wire/questions.h"
#include "wire/verdicts.h"

#include <atomic>

namespace claude {
namespace {

constexpr std::string_view kDropped = "its reply was dropped without an answer";

// Where the answer to one ask goes. The session answers once; whoever has this holds the session,
// and the line that the name stands in.
class Owed {
 public:
  Owed(LiveSession& session, const core::Asked& asked, CallbackName name, Where where)
      : session_(session),
        line_bytes_(asked.request.line.size()),
        asking_{.ask = asked.ask,
                .name = name,
                .since = session.is_watched() ? Clock::now() : TimePoint(),
                .written_later = where == Where::elsewhere} {}

  LiveSession& session() const { return session_; }
  std::size_t line_bytes() const { return line_bytes_; }
  // For an answer that may come when the work is long done.
  Owed written_at_once() const {
    Owed owed = *this;
    owed.asking_.written_later = false;
    return owed;
  }
  void answer(std::string_view payload) const { session_.answer(asking_, payload); }
  void fail(std::string_view why) const { session_.answer_failed(asking_, why); }
  void warn(const std::string& text) const {
    LiveSession::Lock lock(session_);
    session_.log(LogLevel::warning, asking_.name.text() + ": " + text);
  }

 private:
  LiveSession& session_;
  std::size_t line_bytes_;
  LiveSession::Asking asking_;
};

// A callback that is at work: until this has gone, or a Reply goes on for it.
class AtWork {
 public:
  explicit AtWork(const Owed& owed) : owed_(&owed) {}
  ~AtWork() {
    if (owed_) owed_->session().callback_ended(owed_->line_bytes());
  }
  AtWork(const AtWork&) = delete;
  const Owed& owed() const { return *owed_; }
  const Owed& hand_over() { return *std::exchange(owed_, nullptr); }

 private:
  const Owed* owed_;
};

// The same for a Reply, which may outlive the callback and the session. As long as somebody has it
// the callback is at work.
class OwedLater {
 public:
  OwedLater(const Owed& owed, Keep line)
      : session_(owed.session().weak_from_this()),
        owed_(owed.written_at_once()),
        line_(std::move(line)) {}
  ~OwedLater() {
    if (auto held = session_.lock()) held->callback_ended(owed_.line_bytes());
  }
  OwedLater(const OwedLater&) = delete;

  // A session that has gone meanwhile needs no answer any more; a fork's copy of one gives none.
  template <class Settle>
  void settle(Settle settle) const {
    auto held = session_.lock();
    if (held && held->is_of_this_process()) settle(owed_);
  }
  // The reply was dropped. While the callback still runs, how that ends tells more: an exception
  // drops the reply on its way out.
  void drop() {
    Phase running = Phase::running;
    if (!phase_.compare_exchange_strong(running, Phase::dropped)) fail(kDropped);
  }
  void returned() {
    if (phase_.exchange(Phase::returned) == Phase::dropped) fail(kDropped);
  }
  void threw(const std::string& what) { fail("it threw: " + what); }

 private:
  enum class Phase : std::uint8_t { running, dropped, returned };

  void fail(std::string_view why) const {
    settle([&](const Owed& owed) { owed.fail(why); });
  }

  std::weak_ptr<LiveSession> session_;
  Owed owed_;
  Keep line_;
  std::atomic<Phase> phase_ = Phase::running;
};

// Runs user code that answers before it returns; what it throws becomes a failed answer.
template <class F>
void guarded(const Owed& owed, F&& user_code) {
  if (auto thrown = thrown_by(user_code)) owed.fail("it threw: " + *thrown);
}

// Runs user code that gets a Reply; `send` does with its answer what is to be done.
template <class T, class Call, class Send>
void guarded_later(AtWork& at_work, Keep line, Call&& call, Send send) {
  auto later = std::make_shared<OwedLater>(at_work.hand_over(), std::move(line));
  auto thrown = thrown_by([&] {
    call(Reply<T>([later, send = std::move(send)](std::optional<T> given) {
      if (!given) return later->drop();
      later->settle([&](const Owed& to) { send(to, *given); });
    }));
  });
  if (thrown) {
    later->threw(*thrown);
  } else {
    later->returned();
  }
}

// The work of running a callback elsewhere. The session holds the options, and they the callback.
// In the end it writes the answer.
template <class Work>
struct CallbackOfSession {
  std::shared_ptr<LiveSession> session;
  Work work;

  std::shared_ptr<Afterwards> operator()() {
    work();
    return std::move(session);
  }
};

// Does the work here, or gives it back.
class Runner {
 public:
  Runner(LiveSession& session, Where where) : session_(session), where_(where) {}
  bool is_here() const { return where_ == Where::here; }

  template <class Work>
  Runtime::Pool::Work operator()(Work work) const {
    if (where_ == Where::elsewhere) {
      return RuntimeAccess::pool(session_.runtime())
          .make<CallbackOfSession<Work>>(session_.shared_from_this(), std::move(work));
    }
    work();
    return {};
  }

 private:
  LiveSession& session_;
  Where where_;
};

// ---- Hooks -------------------------------------------------------------------------------------

template <class Event>
void send_verdict(const Owed& owed, const Verdict<Event>& verdict, std::string_view event) {
  if (wire::only_goes_on(verdict)) return owed.answer(wire::kGoOn);
  std::string warning;
  HookOutput output = wire::to_output(verdict, &warning);
  if (!warning.empty()) owed.warn(warning);
  owed.answer(wire::encode_hook_output(output, event));
}

template <class Event>
void call_hook(const HookHandler<Event>& handler, std::string_view name, Event& event,
               AtWork& at_work) {
  if (handler.now) {
    const Owed& owed = at_work.owed();
    return guarded(owed, [&] { send_verdict(owed, handler.now(event), name); });
  }
  guarded_later<Verdict<Event>>(
      at_work, event.keep,
      [&](Reply<Verdict<Event>> reply) { handler.later(std::move(event), std::move(reply)); },
      [name](const Owed& to, const Verdict<Event>& verdict) { send_verdict(to, verdict, name); });
}

void call_hook(const AnyHookHandler& handler, std::string_view name, HookInput& input,
               AtWork& at_work) {
  guarded_later<HookOutput>(
      at_work, input.keep,
      [&](Reply<HookOutput> reply) { handler(std::move(input), std::move(reply)); },
      [name](const Owed& to, const HookOutput& output) {
        to.answer(wire::encode_hook_output(output, name));
      });
}

// The event that a handler takes.
template <class Handler>
struct EventOf;
template <class Event>
struct EventOf<HookHandler<Event>> {
  using type = Event;
};
template <>
struct EventOf<AnyHookHandler> {
  using type = HookInput;
};
template <class Handler>
using EventFor = typename EventOf<std::remove_cvref_t<Handler>>::type;

CLAUDE_EACH_ASK [[gnu::noinline]] Runtime::Pool::Work run_hook(
    const Runner& run, const Hooks::Registration& hook, wire::HookCallback& call,
    wire::ControlRequest& line, CancelToken cancel, const Owed& owed) {
  return std::visit(
      [&](const auto& handler) {
        using Event = EventFor<decltype(handler)>;
        return run(
            [&handler, &hook, owed, cancel = std::move(cancel),
             event = wire::take_event<Event>(call, {line.keep, line.tokens, line.may_escape}),
             line = std::move(line.keep)]() mutable {
              AtWork at_work(owed);
              if (!event) return owed.fail(event.error().to_string());
              event->cancel = std::move(cancel);
              call_hook(handler, hook.event, *event, at_work);
            });
      },
      hook.handler);
}

// ---- Permissions -------------------------------------------------------------------------------

void send_permission(const Owed& owed, const Permission& permission, const ToolRequest& request) {
  if (permission.updated_input && !permission.updated_input->is_object()) {
    return owed.fail("the changed input is no JSON object");
  }
  if (permission.allowed && !permission.updated_input && !request.input.text().starts_with('{')) {
    return owed.fail("the input is no JSON object");
  }
  owed.answer(wire::encode_permission(permission, request.input, request.tool_use_id));
}

void run_permission(const Options& options, const ToolRequest& request, const Owed& owed) {
  AtWork at_work(owed);
  if (options.on_question && request.tool_name == wire::kAskUserQuestion) {
    if (auto questions = wire::decode_questions(request)) {
      return guarded(owed, [&] {
        Answers answers = options.on_question(*questions);
        send_permission(owed, wire::to_permission(answers, *questions), request);
      });
    }
    owed.warn("the questions have a form that is not known: asking can_use_tool");
  }
  if (options.can_use_tool) {
    return guarded(owed, [&] { send_permission(owed, options.can_use_tool(request), request); });
  }
  if (!options.can_use_tool_later) {
    Deny nobody = deny("This host answers questions, but has no permission callback.");
    return send_permission(owed, nobody, request);
  }
  guarded_later<Permission>(
      at_work, request.keep,
      [&](Reply<Permission> reply) { options.can_use_tool_later(request, std::move(reply)); },
      [request](const Owed& to, const Permission& given) { send_permission(to, given, request); });
}

// The three kinds of asks have a function each: what one of them does not need stays out of the
// cache.
CLAUDE_EACH_ASK [[gnu::noinline]] Runtime::Pool::Work run_tool_request(const Runner& run,
                                                                       const Options& options,
                                                                       ToolRequest& request,
                                                                       CancelToken cancel,
                                                                       const Owed& owed) {
  request.cancel = std::move(cancel);
  if (run.is_here()) {
    run_permission(options, request, owed);
    request.cancel = {};  // functions of the user's go with it: not later, under the lock
    return {};
  }
  return run(
      [&options, request = std::move(request), owed] { run_permission(options, request, owed); });
}

// ---- MCP ---------------------------------------------------------------------------------------

[[gnu::noinline]] Runtime::Pool::Work run_mcp(const Runner& run,
                                              const McpServers::InProcess& server,
                                              const wire::McpMessage& call,
                                              const wire::ControlRequest& line, const Owed& owed) {
  const std::string_view text = call.message.text();
  auto message = json::parse_padded(text, {text, line.tokens});
  return run([&server, call, message = std::move(message), owed, line = line.keep] {
    const AtWork at_work(owed);
    if (!message) return owed.answer(wire::encode_mcp_error(call.message, message.error().message));
    Json given;
    if (auto thrown = thrown_by([&] { given = server.handler(*message); })) {
      owed.warn("the handler threw: " + *thrown);
      return owed.answer(wire::encode_mcp_error(call.message, *thrown));
    }
    const std::string_view method = wire::unanswered_method(*message, given);
    if (method.empty()) return owed.answer(wire::encode_mcp_response(given));
    owed.warn("the handler gave no answer to " + std::string(method));
    owed.answer(wire::encode_mcp_error(call.message, "The server gave no answer"));
  });
}

}  // namespace

bool runs_inline(const Options& options, const core::Asked& asked) {
  if (std::holds_alternative<wire::HookCallback>(asked.request.body)) {
    return options.hooks.registrations()[asked.hook].options.run_inline;
  }
  if (auto* call = std::get_if<wire::McpMessage>(&asked.request.body)) {
    return options.mcp_servers.in_process().find(call->server_name)->second.run_inline;
  }
  return options.permission_inline;
}

Runtime::Pool::Work run_ask(LiveSession& session, core::Asked& asked, CancelToken cancel,
                            Where where) {
  const Options& options = session.options();
  const Runner run(session, where);
  auto owe = [&](CallbackName name) { return Owed(session, asked, name, where); };
  if (auto* call = std::get_if<wire::HookCallback>(&asked.request.body)) {
    const Hooks::Registration& hook = options.hooks.registrations()[asked.hook];
    return run_hook(run, hook, *call, asked.request, std::move(cancel),
                    owe({hook.event, call->callback_id}));
  }
  if (auto* call = std::get_if<wire::McpMessage>(&asked.request.body)) {
    const auto& servers = options.mcp_servers.in_process();
    return run_mcp(run, servers.find(call->server_name)->second, *call, asked.request,
                   owe({"MCP server", call->server_name}));
  }
  auto& request = std::get<ToolRequest>(asked.request.body);
  request.session_id = session.connection().session_id;
  return run_tool_request(run, options, request, std::move(cancel),
                          owe({"permission for", request.tool_name}));
}

std::string failure_payload(const Hooks::Registration& hook) {
  if (hook.options.on_failure == OnFailure::proceed) {
    return wire::encode_hook_output({.continue_run = true}, hook.event);
  }
  const char* reason = "The hook failed, and it blocks when it fails.";
  return std::visit(
      [&](const auto& handler) {
        using Event = EventFor<decltype(handler)>;
        HookOutput output{.decision = "block", .reason = reason};
        if constexpr (takes<Event, Block> && !std::same_as<Event, HookInput>) {
          output = wire::to_output(Verdict<Event>(block(reason)));
        }
        return wire::encode_hook_output(output, hook.event);
      },
      hook.handler);
}

}  // namespace claude
