// What the CLI says: each line to its place.
#include "core/engine.h"

#include "wire/decode_answers.h"
#include "wire/encode.h"
#include "wire/names.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace claude::core {
namespace {

constexpr std::size_t kShownBytes = 200;   // of a bad line, in the log

std::string beginning(std::string_view line) {
  std::string shown(line.substr(0, kShownBytes));
  if (line.size() > kShownBytes) shown += "...";
  return shown;
}

// Only we may ask these: coming from the CLI they make no sense.
bool is_ours(std::string_view subtype) {
  constexpr std::array ours = {wire::kInitialize, wire::kInterrupt,   wire::kSetPermissionMode,
                               wire::kSetModel,   wire::kRewindFiles, wire::kMcpStatus};
  return std::ranges::find(ours, subtype) != ours.end();
}

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

const std::string kProceed = R"({"continue":true})";

}  // namespace

bool Engine::read_line(Event& event, TimePoint now) {
  while (!ended()) {
    auto text = framer_.next_line();
    if (!text) {
      if (auto size = framer_.take_oversized()) {
        ++counts_.long_lines;
        line_warned_ = false;
        note(LogLevel::error, "line_too_long",
             "a line of " + std::to_string(*size) + " bytes is above the limit of " +
                 std::to_string(setup_.limits.line_bytes) + " and was skipped");
        if (take_event(event)) return true;
        continue;
      }
      if (framer_.pending() > setup_.limits.warn_line_bytes && !line_warned_) {
        line_warned_ = true;
        note(LogLevel::warning, "long_line",
             std::to_string(framer_.pending()) + " bytes have come without a newline");
      }
      return take_event(event);
    }
    line_warned_ = false;
    ++counts_.lines_in;
    if (setup_.tap) setup_.tap(Direction::from_cli, *text);
    wire::Line line = decoder_.decode(*text);
    if (auto* message = std::get_if<Message>(&line)) {
      on_message(std::move(*message), event);
      return true;
    }
    if (auto* request = std::get_if<wire::ControlRequest>(&line)) {
      on_request(std::move(*request), now);
    } else if (auto* response = std::get_if<wire::ControlResponse>(&line)) {
      on_response(std::move(*response), now);
    } else if (auto* cancel = std::get_if<wire::ControlCancel>(&line)) {
      on_cancel(*cancel);
    } else if (auto* bad = std::get_if<wire::BadLine>(&line)) {
      ++counts_.bad_lines;
      note(LogLevel::warning, "bad_line", bad->problem + ": " + beginning(*text));
    }
    if (take_event(event)) return true;
  }
  return false;
}

// ---- Messages ----------------------------------------------------------------------------------

void Engine::on_message(Message message, Event& event) {
  TurnId turn = turns_.turn_of(message);
  if (auto* result = std::get_if<ResultMessage>(&message)) {
    on_result(*result);
  } else if (auto* lifecycle = std::get_if<CommandLifecycle>(&message)) {
    if (auto cancelled = turns_.take_cancelled(*lifecycle)) {
      events_.push_back(TurnEnded{
          .turn = *cancelled,
          .result = {},
          .error = Error{.code = Errc::cancelled, .message = "The prompt was cancelled unrun"},
          .cost_usd = {}});
    }
  } else if (std::holds_alternative<ConversationReset>(message)) {
    cost_so_far_ = 0;
  }
  count_strange(message);
  event.emplace<MessageArrived>(std::move(message), turn);
}

void Engine::on_result(const ResultMessage& result) {
  last_result_failed_ = result.is_error;
  if (state_ != SessionState::running) {
    for (std::string_view error : result.errors) startup_text_ += std::string(error) + '\n';
  }
  // The wire has the total of the process.
  std::optional<double> cost;
  if (result.total_cost_usd) {
    double total = *result.total_cost_usd;
    cost = total >= cost_so_far_ ? total - cost_so_far_ : total;
    cost_so_far_ = total;
  }
  bool folded = false;
  for (TurnId turn : turns_.take_ended(result)) {
    events_.push_back(TurnEnded{.turn = turn,
                                .result = result,
                                .error = {},
                                .folded = folded,
                                .cost_usd = folded ? std::nullopt : cost});
    folded = true;
  }
}

void Engine::count_strange(const Message& message) {
  if (auto* unknown = std::get_if<UnknownMessage>(&message)) {
    ++counts_.unknown_messages;
    note(LogLevel::debug, "unknown_message",
         std::string(unknown->type) + " " + std::string(unknown->subtype));
  }
  for (const OtherField& field : message.base().other) {
    ++counts_.unknown_fields;
    note(LogLevel::debug, "unknown_field", field.path);
  }
}

// ---- Answers to us -----------------------------------------------------------------------------

void Engine::on_response(wire::ControlResponse response, TimePoint now) {
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
  Result<Answer> result = Answer{response.payload, response.keep};
  if (!response.success) {
    std::string text(response.error.value_or("(no text)"));
    result = std::unexpected(
        Error{.code = Errc::cli_error,
              .message = "The CLI refused: " + text,
              .where = entry.subtype,
              .cli_text = text,
              .error_code = std::string(response.error_code.value_or({}))});
  }
  if (call == initialize_) return on_initialized(result, now);
  if (!result) note(LogLevel::error, "operation_failed", entry.subtype + ": " + result.error().message);
  events_.push_back(CallEnded{call, std::move(result)});
}

void Engine::on_initialized(const Result<Answer>& answer, TimePoint now) {
  if (!answer) {
    Error error = answer.error();
    error.code = Errc::init_failed;
    error.advice = "What the CLI says names the field that it does not take.";
    return fail_start(std::move(error));
  }
  server_info_ = *answer;
  ServerInfo info = wire::decode_answer<ServerInfo>(answer->payload, answer->keep);
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

void Engine::on_request(wire::ControlRequest request, TimePoint now) {
  if (!request.id) {
    ++counts_.bad_lines;
    return note(LogLevel::warning, "bad_request",
                "a request of the CLI has no request_id: " + std::string(request.subtype));
  }
  if (!request.missing.empty()) {
    return refuse(request, "Missing required field: " + request.missing);
  }
  Ask ask{.kind = Ask::Kind::hook,
          .name = {},
          .id = request.id,
          .if_failed = kProceed,
          .opened = now,
          .keep = request.keep};
  if (auto* hook = std::get_if<wire::HookCallback>(&request.body)) {
    confirmed_ = true;
    ask.name = hook->callback_id;
    auto number = hook_number(hook->callback_id);
    if (!number || *number >= setup_.hooks.size()) {
      ++counts_.unknown_requests;
      note(LogLevel::error, "unknown_callback", "the CLI called the unknown hook " + ask.name);
      return write(wire::encode_success(request.id, kProceed));
    }
    ask.if_failed = setup_.hooks[*number].if_failed;
    ask.deadline = now + setup_.hooks[*number].timeout;
    return open_ask(std::move(ask), std::move(request), *number);
  }
  if (auto* tool = std::get_if<ToolRequest>(&request.body)) {
    confirmed_ = true;
    ask.kind = Ask::Kind::permission;
    ask.name = tool->tool_name;
    ask.if_failed = wire::encode_permission(deny("The permission callback failed."), tool->input);
    if (setup_.timeouts.permission) ask.deadline = now + *setup_.timeouts.permission;
    if (!setup_.permissions) {
      note(LogLevel::warning, "no_permission_callback", "denied " + ask.name + ": nobody to ask");
      return write(wire::encode_success(
          request.id,
          wire::encode_permission(deny("This host has no permission callback."), tool->input)));
    }
    return open_ask(std::move(ask), std::move(request), 0);
  }
  if (auto* call = std::get_if<wire::McpMessage>(&request.body)) {
    confirmed_ = true;
    ask.kind = Ask::Kind::mcp;
    ask.name = call->server_name;
    ask.if_failed = wire::encode_mcp_error(call->message, "The server's handler failed");
    if (std::ranges::find(setup_.mcp_servers, ask.name) == setup_.mcp_servers.end()) {
      return refuse(request, "There is no MCP server named " + ask.name);
    }
    return open_ask(std::move(ask), std::move(request), 0);
  }
  ++counts_.unknown_requests;
  // A dialog that we did not declare is for somebody else to answer.
  if (request.subtype == wire::kUserDialog) {
    return note(LogLevel::debug, "undeclared_dialog", "left unanswered");
  }
  if (is_ours(request.subtype)) {
    note(LogLevel::error, "bad_request",
         "the CLI sent a request that only we may send: " + std::string(request.subtype));
  }
  refuse(request, "Unsupported control request subtype: " + std::string(request.subtype),
         wire::kUnsupportedRequest);
}

void Engine::open_ask(Ask ask, wire::ControlRequest request, std::size_t hook) {
  if (asks_.is_full()) {
    note(LogLevel::warning, "asks_full",
         std::to_string(asks_.size()) + " callbacks are at work: " + ask.name +
             " was answered for at once");
    return write(wire::encode_success(ask.id, ask.if_failed));
  }
  auto id = asks_.open(std::move(ask));
  if (!id) {
    return note(LogLevel::warning, "double_request",
                "the CLI asked twice with the id " + std::string(request.id.json.text()));
  }
  events_.push_back(Asked{*id, std::move(request), hook});
}

void Engine::refuse(const wire::ControlRequest& request, std::string_view why,
                    std::string_view code) {
  note(LogLevel::warning, "refused_request", std::string(why));
  write(wire::encode_error(request.id, why, code));
}

void Engine::on_cancel(const wire::ControlCancel& cancel) {
  auto ask = asks_.take(cancel.id.json.text());
  if (!ask) return note(LogLevel::debug, "late_cancel", "nothing to withdraw");
  events_.push_back(AskWithdrawn{ask->first});
}

}  // namespace claude::core
