// The envelope of an answer, and the faults that a scenario may put on it.
#include "reply.h"

namespace claude::sim {
namespace {

void send(Session& session, const Json& line, long long times) {
  for (long long i = 0; i < times; ++i) session.send(line);
}

Task<void> send_later(Session& session, Json line, long long times, long long ms) {
  co_await Wait(session.loop, nullptr, nullptr, Clock::now() + std::chrono::milliseconds(ms));
  send(session, line, times);
}

}  // namespace

Reply::Reply(Session& session, const Json& line)
    : session_(session), id_(member(line, "request_id")), has_id_(has(line, "request_id")) {
  const std::string subtype = text_of(member(line, "request"), "subtype");
  fault_ = member(session.scenario.fault("answers"), subtype.c_str());
}

Json Reply::envelope(const char* subtype) const {
  Json response = Json::object();
  response["subtype"] = subtype;
  if (has_id_) response["request_id"] = id_;
  return response;
}

void Reply::error(const std::string& text, const char* code, const Json& extra) {
  Json response = envelope("error");
  response["error"] = text;
  if (code) response["error_code"] = code;
  response.update(extra);
  deliver(std::move(response));
}

void Reply::answer(Json payload) {
  if (has(fault_, "error")) {
    const std::string code = text_of(fault_, "error_code");
    return error(text_of(fault_, "error"), code.empty() ? nullptr : code.c_str());
  }
  if (has(fault_, "response")) payload = fault_["response"];
  Json response = envelope("success");
  if (!payload.is_null()) response["response"] = std::move(payload);
  response.update(beside_);
  deliver(std::move(response));
}

void Reply::deliver(Json response) {
  if (has(fault_, "request_id")) response["request_id"] = fault_["request_id"];
  Json line = Json::object();
  line["type"] = "control_response";
  if (flag_of(fault_, "top_level_id")) {
    response.erase("request_id");
    line["request_id"] = id_;
  }
  line["response"] = std::move(response);
  const long long times = number_of(fault_, "times", 1);
  const long long delay = number_of(fault_, "delay_ms");
  if (delay > 0)
    session_.loop.spawn(send_later(session_, line, times, delay));
  else
    send(session_, line, times);
}

}  // namespace claude::sim
