// Sending requests, matching answers by id, and what the end of stdin means for them.
#include "asks.h"

#include <algorithm>

#include "session.h"

namespace claude::sim {

AskPtr Asks::send(Ask::Kind kind, Json request, std::shared_ptr<Gate> gate,
                  std::string request_id) {
  auto ask = std::make_shared<Ask>();
  const Json& ids = session_.scenario.fault("request_ids");
  ask->request_id = !request_id.empty()  ? request_id
                    : sent_ < ids.size() ? ids[sent_].get<std::string>()
                                         : session_.ids.uuid();
  ++sent_;
  ask->kind = kind;
  ask->request = request;
  ask->gate = gate ? std::move(gate) : std::make_shared<Gate>();
  Json line = Json::object();
  line["type"] = "control_request";
  line["request_id"] = ask->request_id;
  line["request"] = std::move(request);
  session_.send(line);
  open_.push_back(ask);
  if (ended_) finish(ask, Answer{});
  return ask;
}

void Asks::withdraw(const AskPtr& ask) {
  forget(ask);
  Json line = Json::object();
  line["type"] = "control_cancel_request";
  line["request_id"] = ask->request_id;
  session_.send(line);
}

void Asks::forget(const AskPtr& ask) {
  std::erase(open_, ask);
}

void Asks::finish(const AskPtr& ask, Answer answer) {
  ask->answer = std::move(answer);
  forget(ask);
  ask->gate->open();
}

// The id counts only inside `response`; any subtype but "error" is a success.
void Asks::take_response(const Json& line) {
  const Json& response = member(line, "response");
  const Json& id = member(response, "request_id");
  auto found =
      std::ranges::find_if(open_, [&](const AskPtr& ask) { return id == ask->request_id; });
  if (found == open_.end()) return;
  Answer answer;
  answer.closed = false;
  answer.success = member(response, "subtype") != "error";
  answer.payload = member(response, "response");
  answer.error = text_of(response, "error");
  finish(AskPtr(*found), std::move(answer));
}

void Asks::end_of_input() {
  ended_ = true;
  for (const AskPtr& ask : std::vector<AskPtr>(open_)) finish(ask, Answer{});
}

}  // namespace claude::sim
