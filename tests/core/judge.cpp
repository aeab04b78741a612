// The laws, one by one. See engine.h.
#include "core/judge.h"

#include <algorithm>

#include "core/describe.h"
#include "wire/names.h"

namespace claude::core {

using nlohmann::json;

namespace {

// Without what a schedule breaks a request with: what is left of it can be read.
std::string mended(std::string_view line) {
  std::string good(line);
  std::ranges::replace(good, '\xff', '?');
  if (const auto at = good.find("1e999"); at != good.npos) good.replace(at, 5, "1");
  return good;
}

}  // namespace

void Judge::wrote(const std::vector<std::string>& lines, std::optional<std::size_t> expected) {
  if (expected && lines.size() != *expected) broken("an answer was not written exactly once");
  for (const std::string& line : lines) {
    if (ended_) broken("a line was written after the end: " + line);
    json read = json::parse(line, nullptr, false);
    if (!read.is_object()) return broken("a line is no JSON object: " + line);
    if (lines_++ == 0 && read["request"]["subtype"] != "initialize") {
      broken("the first line is not initialize: " + line);
    }
    if (read["type"] == "control_response") {
      wrote_answer(read["response"]);
    } else {
      wrote_other(read);
    }
  }
}

void Judge::heard(std::string_view line) {
  json read = json::parse(mended(line), nullptr, false);
  if (read.is_discarded() && line.contains(wire::kControlRequest)) return heard_pieces();
  if (!read.is_object()) return;
  json asked = read.contains("message") ? read["message"] : read;
  if (!asked.is_object() || asked["type"] != "control_request" || !asked.contains("request_id"))
    return;
  std::string id = asked["request_id"].dump();
  const json& request = asked["request"];
  bool is_dialog = request.is_object() && request.value("subtype", "") == wire::kUserDialog;
  if (!is_dialog && !has_open_ask(id)) asked_.insert(id);
}

bool Judge::has_open_ask(const std::string& id) const {
  return std::ranges::any_of(open_asks_, [&](const auto& open) { return open.second == id; });
}

void Judge::wrote_answer(const json& response) {
  std::string id = response["request_id"].dump();
  auto open = std::ranges::find(open_asks_, id, &std::pair<const AskId, std::string>::second);
  if (open == open_asks_.end()) {
    if (asked_.erase(id) > 0) return;
    if (unclear_ == 0) return broken("an answer to nothing: " + response.dump());
    --unclear_;
    return;
  }
  answered_for_.insert(open->first);
  open_asks_.erase(open);
}

void Judge::wrote_other(const json& line) {
  if (line["type"] == "control_request" && !sent_ids_.insert(line["request_id"]).second) {
    broken("an id was used twice: " + line.dump());
  }
}

void Judge::saw(const Event& event) {
  if (ended_) broken("after the end came: " + describe(event));
  if (auto* call = std::get_if<CallEnded>(&event)) {
    if (open_calls_.erase(call->call) != 1) broken("not once: " + describe(event));
  } else if (auto* turn = std::get_if<TurnEnded>(&event)) {
    if (open_turns_.erase(turn->turn) != 1) broken("not once: " + describe(event));
    if (turn->result.has_value() == turn->error.has_value()) broken("both: " + describe(event));
  } else if (auto* asked = std::get_if<Asked>(&event)) {
    if (asked->ask <= last_ask_) broken("an ask has an old number: " + describe(event));
    last_ask_ = asked->ask;
    std::string id = json::parse(asked->request.id.json.text()).dump();
    if (has_open_ask(id)) broken("two asks have one id: " + describe(event));
    if (asked_.erase(id) == 0) broken("nobody asked: " + describe(event));
    open_asks_.emplace(asked->ask, id);
  } else if (auto* withdrawn = std::get_if<AskWithdrawn>(&event)) {
    if (open_asks_.erase(withdrawn->ask) + answered_for_.erase(withdrawn->ask) != 1) {
      broken("no ask to withdraw: " + describe(event));
    }
  } else if (auto* changed = std::get_if<StateChanged>(&event)) {
    running_ = changed->to == SessionState::running;
  } else if (std::holds_alternative<SessionEnded>(event)) {
    ended_ = true;
  }
}

void Judge::step_over(TimePoint now) {
  answered_for_.clear();
  unclear_ = 0;
  if (!asked_.empty()) broken("neither answered nor asked: " + *asked_.begin());
  if (engine_.next_deadline() <= now) broken("something is overdue and still there");
  if (engine_.open_asks() > limits_.open_asks) broken("too many asks are open");
  if (engine_.open_asks() != open_asks_.size()) broken("an ask is neither answered nor open");
  if (running_ && engine_.pending_calls() > limits_.pending_operations) {
    broken("too many calls are pending");
  }
  if (engine_.has_open_turns() != !open_turns_.empty()) broken("a turn was lost");
}

void Judge::all_over() {
  if (!ended_) broken("the session did not end");
  if (!open_calls_.empty()) broken("a call never ended");
  if (!open_turns_.empty()) broken("a turn never ended");
  if (!open_asks_.empty()) broken("an ask was neither answered nor withdrawn");
}

}  // namespace claude::core
