// Lines without an SDK; see client.h.
#include "limit/client.h"

#include <cstring>
#include <utility>

namespace limit {
namespace {

// What stands between `before` and the next `after`.
std::string_view between(std::string_view text, std::string_view before, char after) {
  std::size_t at = text.find(before);
  if (at == text.npos) return {};
  text.remove_prefix(at + before.size());
  return text.substr(0, text.find(after));
}

template <class Value, class Result>
Value get(Result&& result) {
  Value value;
  if (std::forward<Result>(result).get(value)) fail("a line is not as expected");
  return value;
}

bool is_paced() {
  static const bool paced = bench::env("BENCH_WORKLOAD", "stream") == "paced";
  return paced;
}

}  // namespace

void Client::answer(std::string_view request_id, std::string_view json) {
  reply_ = R"({"type":"control_response","response":{"subtype":"success","request_id":")";
  reply_ += request_id;
  reply_ += R"(","response":)";
  reply_ += json;
  reply_ += "}}\n";
  cli_.send(reply_);
}

std::string mcp_answer(std::string_view method, std::string_view id, std::string_view text) {
  std::string result = "{}";
  if (method == "initialize") {
    result = R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},)"
             R"("serverInfo":{"name":"bench","version":"1"}})";
  } else if (method == "tools/list") {
    result = R"({"tools":[{"name":"echo","inputSchema":{"type":"object"}}]})";
  } else if (method == "tools/call") {
    result = R"({"content":[{"type":"text","text":")" + std::string(text) + R"("}]})";
  }
  return R"({"mcp_response":{"jsonrpc":"2.0","id":)" + std::string(id.empty() ? "0" : id) +
         R"(,"result":)" + result + "}}";
}

void RawClient::on_line(char* line, std::size_t size) {
  if (!initialized) return void(initialized = true);
  std::string_view text(line, size);
  if (answers_requests_ && on_control(text)) return;
  if (is_paced() && text.starts_with(R"({"type":"stream_event")"))
    tally_.add_arrival(between(text, R"("text":")", '"'));
  ++tally_.messages;
  done = ++seen_ == wanted_;
}

bool RawClient::on_control(std::string_view line) {
  if (line.starts_with(R"({"type":"control_response")")) return ++answers, true;
  if (!line.starts_with(R"({"type":"control_request")")) return false;
  std::string_view id = between(line, R"("request_id":")", '"');
  line.remove_prefix(line.find(R"("request":)"));
  std::string_view subtype = between(line, R"("subtype":")", '"');
  if (subtype == "hook_callback") {
    answer(id, R"({"continue":true})");
  } else if (subtype == "can_use_tool") {
    std::string json = R"({"behavior":"allow","updatedInput":)";
    json += between(line, R"("input":)", '}');
    answer(id, json += "}}");
  } else {
    answer(id, mcp_answer(between(line, R"("method":")", '"'),
                          between(line, R"("jsonrpc":"2.0","id":)", '}'),
                          between(line, R"("text":")", '"')));
  }
  return true;
}

void ParsingClient::on_line(char* line, std::size_t size) {
  if (!initialized) return void(initialized = true);
  auto parsed = get<simdjson::ondemand::document>(
      parser_.iterate(line, size, size + simdjson::SIMDJSON_PADDING));
  auto type = get<std::string_view>(parsed["type"]);
  if (type == "control_request") return on_request(parsed);
  if (type == "control_response") return void(++answers);
  ++tally_.messages;
  std::string_view text;
  if (type == "stream_event") {
    if (!parsed["event"]["delta"]["text"].get(text)) add_text(text);
  } else if (type == "assistant" || type == "user") {
    const char* member = type == "user" ? "content" : "text";
    for (simdjson::ondemand::value block : parsed["message"]["content"])
      if (!block[member].get(text)) add_text(text);
  } else if (type == "result") {
    add_text(get<std::string_view>(parsed["result"]));
    done = true;
  }
}

void ParsingClient::add_text(std::string_view text) {
  tally_.checksum += text.size();
  if (is_paced()) tally_.add_arrival(text);
}

void ParsingClient::on_request(simdjson::ondemand::document& line) {
  auto id = get<std::string_view>(line["request_id"]);
  auto request = get<simdjson::ondemand::object>(line["request"]);
  auto subtype = get<std::string_view>(request["subtype"]);
  if (subtype == "hook_callback") {
    get<std::string_view>(request["callback_id"]);
    get<std::string_view>(request["input"]["tool_name"]);
    answer(id, R"({"continue":true})");
  } else if (subtype == "can_use_tool") {
    get<std::string_view>(request["tool_name"]);
    auto input = get<simdjson::ondemand::object>(request["input"]);
    std::string json = R"({"behavior":"allow","updatedInput":)";
    json += get<std::string_view>(input.raw_json());
    answer(id, json += "}");
  } else {
    auto message = get<simdjson::ondemand::object>(request["message"]);
    auto method = get<std::string_view>(message["method"]);
    std::string_view text;
    if (method == "tools/call")
      text = get<std::string_view>(message["params"]["arguments"]["text"]);
    std::int64_t number = 0;  // a notification has none
    if (message["id"].get(number)) number = 0;
    answer(id, mcp_answer(method, std::to_string(number), text));
  }
}

}  // namespace limit
