// Keeps the lines, and finds in them what the user's code was asked and answered.
#include "transcript.h"

#include <algorithm>

namespace claude {
namespace {

constexpr std::string_view kPermission = "can_use_tool";
constexpr std::string_view kHook = "hook_callback";
constexpr std::string_view kMcp = "mcp_message";

std::string first_text(std::initializer_list<const Json*> places) {
  for (const Json* place : places) {
    if (place->is_string()) return std::string(place->text());
  }
  return {};
}

// From the envelope: an error in place of an answer is a refusal, too.
void read_answer(SimAnswer& found, const Json& response) {
  found.answer = response["response"];
  const Json& answer = found.answer;
  const Json& verdict = answer["hookSpecificOutput"];
  const Json& rpc_error = answer["mcp_response"]["error"];
  found.denied = answer["behavior"].text() == "deny" || answer["decision"].text() == "block" ||
                 verdict["permissionDecision"].text() == "deny" ||
                 !answer["continue"].boolean(true) || !rpc_error.is_null() ||
                 !response["error"].is_null();
  found.reason =
      first_text({&answer["message"], &answer["reason"], &answer["stopReason"],
                  &verdict["permissionDecisionReason"], &rpc_error["message"], &response["error"]});
}

SimAnswer asked(const Json& request) {
  SimAnswer found;
  found.request = request;
  found.about = first_text({&request["tool_name"], &request["input"]["tool_name"],
                            &request["input"]["hook_event_name"], &request["message"]["method"]});
  return found;
}

}  // namespace

void Sim::Tap::pass_on_to(std::shared_ptr<Observer> observer) {
  std::lock_guard lock(mutex_);
  next_ = std::move(observer);
}

std::shared_ptr<Observer> Sim::Tap::next() const {
  std::lock_guard lock(mutex_);
  return next_;
}

void Sim::Tap::on_start(const Options& options) {
  next()->on_start(options);
}

void Sim::Tap::on_line(Direction direction, std::string_view line, Clock::time_point now) {
  {
    std::lock_guard lock(mutex_);
    lines_.emplace_back(direction, line);
  }
  next()->on_line(direction, line, now);
}

void Sim::Tap::on_state(SessionState from, SessionState to, Clock::time_point now) {
  next()->on_state(from, to, now);
}

void Sim::Tap::on_callback(std::string_view name, std::chrono::nanoseconds took, bool failed) {
  next()->on_callback(name, took, failed);
}

void Sim::Tap::on_diagnostic(std::string_view kind, std::string_view detail) {
  next()->on_diagnostic(kind, detail);
}

std::vector<Json> Sim::Tap::lines(Direction direction) const {
  std::lock_guard lock(mutex_);
  std::vector<Json> found;
  for (const auto& [way, line] : lines_) {
    if (way == direction) found.push_back(Json::parse(line).value_or(Json(line)));
  }
  return found;
}

std::vector<Json> Sim::sent() const {
  return tap_->lines(Direction::to_cli);
}

std::vector<Json> Sim::received() const {
  return tap_->lines(Direction::from_cli);
}

std::vector<std::string> Sim::prompts() const {
  std::vector<std::string> texts;
  for (const Json& line : sent()) {
    if (line["type"].text() != "user") continue;
    const Json& content = line["message"]["content"];
    std::string text(content.text());
    for (const Json& block : content.items()) text += block["text"].text();
    texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<SimAnswer> Sim::answers_to(std::string_view kind) const {
  const std::vector<Json> ours = sent();
  std::vector<SimAnswer> found;
  for (const Json& line : received()) {
    if (line["request"]["subtype"].text() != kind) continue;
    found.push_back(asked(line["request"]));
    const auto answer = std::ranges::find_if(ours, [&](const Json& sent) {
      return sent["response"]["request_id"].text() == line["request_id"].text();
    });
    if (answer != ours.end()) read_answer(found.back(), (*answer)["response"]);
  }
  return found;
}

std::vector<SimAnswer> Sim::permissions() const {
  return answers_to(kPermission);
}

std::vector<SimAnswer> Sim::hooks() const {
  return answers_to(kHook);
}

std::vector<SimAnswer> Sim::mcp_messages() const {
  return answers_to(kMcp);
}

}  // namespace claude
