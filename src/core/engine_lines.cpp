// What the CLI says: each line to its place.
#include "core/engine.h"

#include "base/utf8.h"
#include "wire/decode_answers.h"
#include "wire/encode.h"
#include "wire/names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace claude::core {
namespace {

// Only we may ask these: coming from the CLI they make no sense.
bool is_ours(std::string_view subtype) {
  constexpr std::array ours = {wire::kInitialize, wire::kInterrupt,   wire::kSetPermissionMode,
                               wire::kSetModel,   wire::kRewindFiles, wire::kMcpStatus};
  return std::ranges::find(ours, subtype) != ours.end();
}

// How much is kept of what the CLI says instead of starting.
constexpr std::size_t kStartupTextBytes = 64 << 10;
constexpr std::string_view kCut = "...";

// Of the unknown fields of a line so many are told one by one: a note takes a hundred times as much
// memory as the field in its line does.
constexpr std::size_t kToldFields = 100;

// "hook_3" -> 3.
std::optional<std::size_t> hook_number(std::string_view callback_id) {
  constexpr std::string_view prefix = "hook_";
  std::size_t number = 0;
  if (!callback_id.starts_with(prefix)) return std::nullopt;
  const char* end = callback_id.data() + callback_id.size();
  auto [stop, error] = std::from_chars(callback_id.data() + prefix.size(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// What the total of a first result has in it from before this process; without the CLI's own
// account of this process (before 2.1.325 or so) nothing is known.
double spent_before(const ResultMessage& result) {
  if (result.model_usage_since_last_result.empty()) return 0;
  double before = *result.total_cost_usd;
  for (const auto& [model, usage] : result.model_usage_since_last_result)
    before -= usage.cost_usd.value_or(0);
  return std::max(before, 0.0);
}

}  // namespace

bool Engine::read_line(Event& event, const Now& now) {
  while (!ended()) {
    if (answers_unread() > setup_.limits.output_bytes) {
      fail_unread();
    } else if (auto text = framer_.next_line()) {
      warn_of_long_line(text->size());
      line_warned_ = false;
      straight_ = &event;
      on_line(*text, now);
      if (!std::exchange(straight_, nullptr)) return true;
    } else if (auto line = framer_.take_oversized()) {
      on_oversized(*line, now);
    } else {
      // The last of them may be a carriage return, which is no part of the line.
      if (framer_.pending() > 0) warn_of_long_line(framer_.pending() - 1);
      return take_event(event);
    }
    if (take_event(event)) return true;
  }
  return false;
}

void Engine::tell_of_long_line() {
  line_warned_ = true;
  note(LogLevel::warning, "long_line",
       "a line has more than " + std::to_string(setup_.limits.warn_line_bytes) + " bytes");
}

void Engine::on_line(std::string_view text, const Now& now) {
  ++counts_.lines_in;
  if (setup_.tap) setup_.tap(Direction::from_cli, text);
  wire::Line line = wire::decode_line(text, framer_.take_memory(text));
  if (auto* message = std::get_if<Message>(&line)) {
    on_message(std::move(*message));
  } else if (auto* request = std::get_if<wire::ControlRequest>(&line)) {
    on_request(*request, now);
  } else if (auto* response = std::get_if<wire::ControlResponse>(&line)) {
    on_response(*response, now);
  } else if (auto* cancel = std::get_if<wire::ControlCancel>(&line)) {
    on_cancel(*cancel);
  } else if (auto* bad = std::get_if<wire::BadLine>(&line)) {
    on_bad_line(*bad, now);
  }
}

// ---- Messages ----------------------------------------------------------------------------------

void Engine::on_message(Message&& message) {
  // No prompt has been sent yet while the session starts: nothing can belong to one.
  TurnId turn = state_ == SessionState::running ? turns_.turn_of(message) : 0;
  // A warning of its line stands before it, what it causes behind it.
  const Message& arrived = post<MessageArrived>(std::move(message), turn).message;
  if (auto* event = std::get_if<StreamEvent>(&arrived)) return count_unknown(event->other);
  follow(arrived);
}

// What a message that is no piece of an answer means for the session.
void Engine::follow(const Message& message) {
  if (auto* result = std::get_if<ResultMessage>(&message)) {
    on_result(*result);
  } else if (auto* lifecycle = std::get_if<CommandLifecycle>(&message)) {
    if (auto cancelled = turns_.take_cancelled(*lifecycle)) {
      post<TurnEnded>(TurnEnded{.turn = *cancelled,
                                .result = {},
                                .error = Error{.code = Errc::cancelled,
                                               .message = "The prompt was cancelled before it ran"},
                                .cost_usd = {}});
    }
  } else if (std::holds_alternative<ConversationReset>(message)) {
    cost_so_far_ = 0;
  } else if (auto* unknown = std::get_if<UnknownMessage>(&message)) {
    ++counts_.unknown_messages;
    return note(LogLevel::debug, "unknown_message",
                std::string(unknown->type) + " " + std::string(unknown->subtype));
  }
  count_unknown(message.base().other);
}

void Engine::on_result(const ResultMessage& result) {
  last_result_failed_ = !result.ok();
  if (state_ != SessionState::running) {
    // The CLI could not begin (a session to resume that is not there): it says so, and exits.
    for (std::string_view error : result.errors) keep_startup_text(error);
    return;
  }
  // The wire has the total of the session, with what earlier processes of a resumed one spent.
  std::optional<double> cost;
  if (result.total_cost_usd) {
    double total = *result.total_cost_usd;
    if (cost_so_far_ == 0) cost_so_far_ = spent_before(result);
    cost = total >= cost_so_far_ ? total - cost_so_far_ : total;
    cost_so_far_ = total;
  }
  bool folded = false;
  for (TurnId turn : turns_.take_ended(result)) {
    post<TurnEnded>(TurnEnded{.turn = turn,
                              .result = result,
                              .error = {},
                              .folded = folded,
                              .cost_usd = folded ? std::nullopt : cost});
    folded = true;
  }
}

void Engine::keep_startup_text(std::string_view error) {
  if (startup_text_.size() >= kStartupTextBytes) return;
  if (!startup_text_.empty()) startup_text_ += '\n';
  const std::size_t room = kStartupTextBytes - startup_text_.size();
  const std::string_view kept = error.substr(0, room);
  startup_text_ += kept.substr(0, utf8::valid_prefix(kept));
  if (error.size() > room) startup_text_ += kCut;
}

void Engine::tell_of_unknown(const std::vector<OtherField>& fields) {
  counts_.unknown_fields += fields.size();
  if (!setup_.diagnostics) return;
  const std::size_t told = std::min(fields.size(), kToldFields);
  for (const OtherField& field : std::span(fields).first(told)) {
    note(LogLevel::debug, "unknown_field", field.path);
  }
  if (fields.size() > told) {
    note(LogLevel::debug, "unknown_field",
         "and " + std::to_string(fields.size() - told) + " more in the same line");
  }
}

// ---- Answers to us -----------------------------------------------------------------------------

void Engine::on_response(const wire::ControlResponse& response, const Now& now) {
  count_unknown(response.other);
  if (!response.id) {
    ++counts_.bad_lines;
    return note(LogLevel::warning, "bad_line", "a control response has no request_id");
  }
  auto taken = calls_.take(response.id.text);
  if (!taken) {
    ++counts_.late_answers;
    bool late = calls_.was_ours(response.id.text);
    return note(late ? LogLevel::debug : LogLevel::warning, "late_answer",
                "an answer to " + std::string(response.id.json.text()) +
                    (late ? " came too late" : " that nobody asked for"));
  }
  auto& [call, entry] = *taken;
  Result<Answer> result = Answer{response.payload, response.keep, response.tokens};
  if (!response.success) {
    std::string text(response.error.value_or("no reason given"));
    result = std::unexpected(Error{.code = Errc::cli_error,
                                   .message = "The CLI refused: " + text,
                                   .where = entry.subtype,
                                   .cli_text = text,
                                   .error_code = std::string(response.error_code.value_or({}))});
  }
  if (call == initialize_) return on_initialized(result, now.time());
  if (!result) {
    note(LogLevel::error, "operation_failed", entry.subtype + ": " + result.error().message);
  }
  post<CallEnded>(call, std::move(result));
}

void Engine::on_initialized(const Result<Answer>& answer, TimePoint now) {
  if (!answer) {
    Error error = answer.error();
    error.code = Errc::init_failed;
    error.advice = "What the CLI says names the field that it does not take.";
    return fail_start(std::move(error));
  }
  server_info_ = *answer;
  ServerInfo info = wire::decode_answer<ServerInfo>(answer->payload, {answer->keep});
  if (info.claude_code_version && setup_.refuse_version) {
    if (auto too_old = setup_.refuse_version(*info.claude_code_version)) {
      return fail_start(std::move(*too_old));
    }
  }
  if (info.capabilities.empty()) {
    note(LogLevel::warning, "no_capabilities", "this CLI does not say what it can do");
  }
  become_running(now);
}

// ---- What the CLI asks -------------------------------------------------------------------------

bool Engine::may_answer(const wire::RequestId& id, std::string_view subtype) {
  if (!setup_.control) {
    note(LogLevel::warning, "request_unanswered",
         "the CLI asks where no answer goes through: " + std::string(subtype));
    return false;
  }
  // Two answers to one id would be one too many.
  if (asks_.has(id)) {
    note(LogLevel::warning, "double_request",
         "the CLI asked twice with the id " + std::string(id.json.text()));
    return false;
  }
  return true;
}

void Engine::on_request(wire::ControlRequest& request, const Now& now) {
  count_unknown(request.other);
  if (!request.id) {
    ++counts_.bad_lines;
    return note(LogLevel::warning, "bad_request",
                "a request of the CLI has no request_id: " + std::string(request.subtype));
  }
  if (!may_answer(request.id, request.subtype)) return;
  if (!request.missing.empty()) return on_incomplete(request);
  Ask ask;
  ask.id = request.id;
  ask.opened = now.time();
  ask.keep = request.keep;
  ask.line_bytes = request.line.size();
  if (auto* hook = std::get_if<wire::HookCallback>(&request.body)) {
    return on_hook(*hook, request, ask);
  }
  if (auto* tool = std::get_if<ToolRequest>(&request.body)) {
    return on_permission(*tool, request, ask);
  }
  if (auto* call = std::get_if<wire::McpMessage>(&request.body)) {
    return on_mcp(*call, request, ask);
  }
  on_unknown_request(request);
}

void Engine::on_incomplete(const wire::ControlRequest& request) {
  auto* hook = std::get_if<wire::HookCallback>(&request.body);
  refuse_unread(request.id, hook != nullptr ? hook->callback_id : std::string_view(),
                "Missing required field: " + std::string(request.missing));
}

void Engine::refuse_unread(const wire::RequestId& id, std::string_view callback_id,
                           std::string_view why) {
  auto number = hook_number(callback_id);
  const bool blocks =
      number && *number < setup_.hooks.size() && setup_.hooks[*number].blocks_if_failed;
  if (!blocks) return refuse(id, why);
  // A CLI that does not know onFailure goes on when it gets an error.
  note(LogLevel::warning, "refused_request", std::string(why));
  write_success(id, setup_.hooks[*number].if_failed);
}

void Engine::on_hook(const wire::HookCallback& hook, wire::ControlRequest& request, Ask& ask) {
  confirmed_ = true;
  ask.of = hook.callback_id;
  auto number = hook_number(hook.callback_id);
  if (!number || *number >= setup_.hooks.size()) {
    ++counts_.unknown_requests;
    note(LogLevel::error, "unknown_callback",
         "nobody knows the hook " + std::string(ask.of) + ": it proceeds");
    return write_success(request.id, wire::encode_hook_output({.continue_run = true}, {}));
  }
  ask.hook = *number;
  ask.deadline = after(ask.opened, setup_.hooks[*number].timeout);
  open_ask(ask, request);
}

void Engine::on_permission(const ToolRequest& tool, wire::ControlRequest& request, Ask& ask) {
  confirmed_ = true;
  ask.kind = Ask::Kind::permission;
  ask.of = tool.tool_name;
  if (!setup_.permissions) {
    note(LogLevel::warning, "no_permission_callback", "nobody to ask for " + name_of(ask));
    return write_success(
        request.id, wire::encode_permission(deny("This host has no permission callback."), {}));
  }
  if (setup_.timeouts.permission) {
    ask.deadline = after(ask.opened, *setup_.timeouts.permission);
  }
  open_ask(ask, request);
}

void Engine::on_mcp(const wire::McpMessage& call, wire::ControlRequest& request, Ask& ask) {
  confirmed_ = true;
  ask.kind = Ask::Kind::mcp;
  ask.of = call.server_name;
  ask.message = call.message;
  if (std::ranges::find(setup_.mcp_servers, call.server_name) == setup_.mcp_servers.end()) {
    return refuse(request.id, "There is no MCP server named " + std::string(call.server_name));
  }
  open_ask(ask, request);
}

void Engine::on_unknown_request(const wire::ControlRequest& request) {
  ++counts_.unknown_requests;
  // A dialog that we did not declare is for somebody else to answer.
  if (request.subtype == wire::kUserDialog) {
    return note(LogLevel::debug, "undeclared_dialog", "left unanswered");
  }
  if (is_ours(request.subtype)) {
    note(LogLevel::error, "bad_request",
         "the CLI sent a request that only we may send: " + std::string(request.subtype));
  }
  refuse(request.id, "Unsupported control request subtype: " + std::string(request.subtype),
         wire::kUnsupportedRequest);
}

void Engine::open_ask(Ask& ask, wire::ControlRequest& request) {
  if (!asks_.has_room_for(ask)) {
    note(LogLevel::warning, "asks_full",
         std::to_string(asks_.size()) + " callbacks are at work: " + name_of(ask) +
             " was answered for at once");
    std::string_view why = "too many callbacks are at work";
    return write_success(ask.id, failure_payload(ask, why));
  }
  std::size_t hook = ask.hook;
  AskId id = asks_.open(std::move(ask));
  post<Asked>(id, std::move(request), hook);
}

void Engine::refuse(const wire::RequestId& id, std::string_view why, std::string_view code) {
  note(LogLevel::warning, "refused_request", std::string(why));
  write_error(id, why, code);
}

void Engine::on_cancel(const wire::ControlCancel& cancel) {
  auto ask = asks_.take(cancel.id);
  if (!ask) return note(LogLevel::debug, "late_cancel", "nothing to withdraw");
  post<AskWithdrawn>(ask->first);
}

}  // namespace claude::core
