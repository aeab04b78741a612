// Runs the user's callbacks, and makes sure that each ask is answered, whatever they do.
#include "session/handlers.h"

#include "json/parse.h"
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

// One ask on its way: knows how to answer, once, from any thread.
class Owed {
 public:
  Owed(const std::shared_ptr<LiveSession>& session, core::AskId ask, CallbackName name, Keep keep)
      : session_(session),
        ask_(ask),
        name_(name),
        name_keep_(std::move(keep)),
        asked_(session->is_watched() ? Clock::now() : TimePoint()) {}

  void answer(std::string payload) const { send(std::move(payload), {}); }
  void fail(std::string_view why) const { send(std::nullopt, why); }
  void warn(const std::string& text) const {
    auto session = session_.lock();
    if (!session) return;
    LiveSession::Lock lock(*session);
    session->log(LogLevel::warning, name_.text() + ": " + text);
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

 private:
  enum class Phase : std::uint8_t { running, dropped, returned };

  void send(std::optional<std::string> payload, std::string_view why) const {
    // A session that has gone meanwhile needs no answer any more.
    if (auto session = session_.lock()) {
      session->answer(ask_, name_, std::move(payload), why, asked_);
    }
  }

  std::weak_ptr<LiveSession> session_;
  core::AskId ask_;
  CallbackName name_;
  Keep name_keep_;
  TimePoint asked_;
  std::atomic<Phase> phase_ = Phase::running;
};
using OwedAnswer = std::shared_ptr<Owed>;

// Runs user code; what it throws becomes a failed answer.
template <class F>
void guarded(const OwedAnswer& owed, F&& user_code) {
  if (auto thrown = thrown_by(user_code)) {
    owed->fail("it threw: " + *thrown);
  } else {
    owed->returned();
  }
}

// Does the work here, or gives it back.
class Runner {
 public:
  Runner(const std::shared_ptr<LiveSession>& session, Where where)
      : session_(session), where_(where) {}

  template <class Work>
  std::function<void()> operator()(Work work) const {
    // The session holds the options, and they the callback.
    if (where_ == Where::elsewhere) {
      return [session = session_, work = std::move(work)]() mutable { work(); };
    }
    work();
    return {};
  }

 private:
  const std::shared_ptr<LiveSession>& session_;
  Where where_;
};

// ---- Hooks -------------------------------------------------------------------------------------

template <class Event>
void call_hook(const HookHandler<Event>& handler, const Hooks::Registration& hook, Event event,
               const OwedAnswer& owed) {
  guarded(owed, [&] {
    handler(std::move(event),
            Reply<Verdict<Event>>([owed, name = hook.event](std::optional<Verdict<Event>> verdict) {
              if (!verdict) return owed->drop();
              std::string warning;
              HookOutput output = wire::to_output(*verdict, &warning);
              if (!warning.empty()) owed->warn(warning);
              owed->answer(wire::encode_hook_output(output, name));
            }));
  });
}

void call_hook(const AnyHookHandler& handler, const Hooks::Registration& hook, HookInput input,
               const OwedAnswer& owed) {
  guarded(owed, [&] {
    handler(std::move(input),
            Reply<HookOutput>([owed, name = hook.event](std::optional<HookOutput> output) {
              if (!output) return owed->drop();
              owed->answer(wire::encode_hook_output(*output, name));
            }));
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

[[gnu::hot]] std::function<void()> run_hook(const Runner& run, const Hooks::Registration& hook,
                                            const wire::HookCallback& call,
                                            const wire::ControlRequest& line,
                                            const CancelToken& cancel, const OwedAnswer& owed) {
  return std::visit(
      [&](const auto& handler) {
        using Event = EventFor<decltype(handler)>;
        return run([&handler, &hook, owed, cancel,
                    event = wire::decode_hook_input<Event>(
                        call.input, call.tool_use_id.value_or({}),
                        {line.keep, line.tokens, line.may_escape})]() mutable {
          if (!event) return owed->fail(event.error().to_string());
          event->cancel = std::move(cancel);
          call_hook(handler, hook, std::move(*event), owed);
        });
      },
      hook.handler);
}

// ---- Permissions -------------------------------------------------------------------------------

void send_permission(const OwedAnswer& owed, const Permission& permission,
                     const ToolRequest& request) {
  if (permission.updated_input && !permission.updated_input->is_object()) {
    return owed->fail("the changed input is no JSON object");
  }
  owed->answer(wire::encode_permission(permission, request.input, request.tool_use_id));
}

void run_permission(const Options& options, const ToolRequest& request, const OwedAnswer& owed) {
  if (options.on_question && request.tool_name == wire::kAskUserQuestion) {
    if (auto questions = wire::decode_questions(request)) {
      return guarded(owed, [&] {
        Answers answers = options.on_question(*questions);
        send_permission(owed, wire::to_permission(answers, *questions), request);
      });
    }
    owed->warn("the questions have a form that is not known: asking can_use_tool");
  }
  if (options.can_use_tool) {
    return guarded(owed, [&] { send_permission(owed, options.can_use_tool(request), request); });
  }
  if (!options.can_use_tool_later) {
    Deny nobody = deny("This host answers questions, but has no permission callback.");
    return send_permission(owed, nobody, request);
  }
  guarded(owed, [&] {
    options.can_use_tool_later(
        request, Reply<Permission>([owed, request](std::optional<Permission> permission) {
          if (!permission) return owed->drop();
          send_permission(owed, *permission, request);
        }));
  });
}

// ---- MCP ---------------------------------------------------------------------------------------

std::function<void()> run_mcp(const Runner& run, const McpServers::InProcess& server,
                              const wire::McpMessage& call, const wire::ControlRequest& line,
                              const OwedAnswer& owed) {
  const std::string_view text = call.message.text();
  auto message = json::parse_padded(text, {text, line.tokens}).value_or(nullptr);
  return run([&server, call, message = std::move(message), owed] {
    auto thrown =
        thrown_by([&] { owed->answer(wire::encode_mcp_response(server.handler(message))); });
    if (!thrown) return;
    owed->warn("the handler threw: " + *thrown);
    owed->answer(wire::encode_mcp_error(call.message, *thrown));
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

std::function<void()> run_ask(const std::shared_ptr<LiveSession>& session, core::Asked& asked,
                              CancelToken cancel, Where where) {
  const Options& options = session->options();
  const Runner run(session, where);
  auto owe = [&](CallbackName name) {
    return std::make_shared<Owed>(session, asked.ask, name, asked.request.keep);
  };
  if (auto* call = std::get_if<wire::HookCallback>(&asked.request.body)) {
    const Hooks::Registration& hook = options.hooks.registrations()[asked.hook];
    auto owed = owe({hook.event, call->callback_id});
    return run_hook(run, hook, *call, asked.request, cancel, owed);
  }
  if (auto* call = std::get_if<wire::McpMessage>(&asked.request.body)) {
    auto owed = owe({"MCP server", call->server_name});
    const auto& servers = options.mcp_servers.in_process();
    return run_mcp(run, servers.find(call->server_name)->second, *call, asked.request, owed);
  }
  auto& request = std::get<ToolRequest>(asked.request.body);
  request.session_id = session->connection().session_id;
  request.request_id = asked.request.id.text;
  request.other = std::move(asked.request.other);
  request.keep = asked.request.keep;
  request.cancel = std::move(cancel);
  auto owed = owe({"permission for", request.tool_name});
  return run(
      [&options, request = std::move(request), owed] { run_permission(options, request, owed); });
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
