// Lines that are too long or cannot be read: whoever waits for one is told that it will not come.
//
// Nothing else would end his wait: the CLI believes that it has said it, or waits itself.
#include "core/engine.h"

#include "wire/names.h"

#include <string>
#include <utility>

namespace claude::core {
namespace {

constexpr const char* kOutput = "the CLI's output";

wire::RequestId id_of(const wire::Frame::Id& id) {
  return {id.text ? std::string_view(*id.text) : std::string_view(), RawJson(id.json)};
}

}  // namespace

void Engine::on_oversized(const wire::Framer::Oversized& line, const Now& now) {
  warn_of_long_line(line.bytes - 1);
  line_warned_ = false;
  ++counts_.long_lines;
  const std::string what = "line of " + std::to_string(line.bytes) +
                           " bytes is above the limit of " +
                           std::to_string(setup_.limits.line_bytes) + " and was skipped";
  note(LogLevel::error, "line_too_long", "a " + what);
  on_unread(*line.frame,
            {.code = Errc::line_too_long,
             .message = "A " + what,
             .where = kOutput,
             .advice = "Raise Limits::line_bytes."},
            now);
}

void Engine::on_bad_line(const wire::BadLine& line, const Now& now) {
  ++counts_.bad_lines;
  note(LogLevel::warning, "bad_line", line.problem + ": " + line.beginning);
  on_unread(line.frame,
            {.code = Errc::invalid_json,
             .message = "A line cannot be read (" + line.problem + ")",
             .where = kOutput,
             .advice = "Options::log shows how it begins. What the CLI has done is done: look at "
                       "that before you ask for it again."},
            now);
}

void Engine::on_unread(const wire::Frame& frame, Error why, const Now& now) {
  if (frame.type == wire::kResult) {
    why.message += ": it was the result";
    on_unread_result(why);
  } else if (frame.type == wire::kControlRequest) {
    on_unread_request(frame, why.message);
  } else if (frame.type == wire::kControlResponse) {
    on_unread_response(frame, std::move(why), now);
  }
}

void Engine::on_unread_result(const Error& why) {
  // Before that it can only say why the CLI does not start: no prompt has been sent yet.
  if (state_ != SessionState::running) return;
  const std::vector<TurnId> ended = turns_.take_unanswered();
  if (ended.empty()) post<ResultLost>();
  for (TurnId turn : ended) {
    post<TurnEnded>(TurnEnded{.turn = turn, .result = {}, .error = why, .cost_usd = {}});
  }
}

void Engine::on_unread_request(const wire::Frame& frame, std::string_view why) {
  const wire::RequestId id = id_of(frame.id);
  if (!id || !may_answer(id, frame.subtype)) return;
  // As one that can be read: it is for somebody else to answer.
  if (frame.subtype == wire::kUserDialog) return;
  const bool is_hook = frame.subtype == wire::kHookCallback;
  refuse_unread(id, is_hook ? std::string_view(frame.callback_id) : std::string_view(), why);
}

void Engine::on_unread_response(const wire::Frame& frame, Error why, const Now& now) {
  const wire::RequestId id = id_of(frame.answered_id.json.empty() ? frame.id : frame.answered_id);
  auto taken = calls_.take(id.text);
  if (!taken) return;
  auto& [call, entry] = *taken;
  why.message += ": it was the answer";
  why.where = entry.subtype;
  if (call == initialize_) return on_no_initialize_answer(std::move(why), now.time());
  note(LogLevel::error, "operation_failed", entry.subtype + ": " + why.message);
  post<CallEnded>(call, std::unexpected(std::move(why)));
}

// None, or none that could be read.
void Engine::on_no_initialize_answer(Error why, TimePoint now) {
  if (!confirmed_) return fail_start(std::move(why));
  note(LogLevel::warning, "no_initialize_answer",
       "initialize was not answered, but the CLI is there: going on without its capabilities");
  become_running(now);
}

}  // namespace claude::core
