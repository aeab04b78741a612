// Steps in their order; between two of them the host reads only as far as a step tells it to.
#include "player.h"

#include <signal.h>

namespace claude::differential {
namespace {

const json kEmpty = json::object();

const json& part(const json& value, const char* key, const json& otherwise = kEmpty) {
  auto found = value.find(key);
  return found == value.end() ? otherwise : *found;
}

// What the step says beside its own words.
json without(json step, std::initializer_list<const char*> words) {
  for (const char* word : words) step.erase(word);
  return step;
}

}  // namespace

bool contains(const json& whole, const json& part) {
  if (part.is_object()) {
    if (!whole.is_object()) return false;
    for (const auto& [key, value] : part.items())
      if (!whole.contains(key) || !contains(whole[key], value)) return false;
    return true;
  }
  if (part.is_array()) {
    if (!whole.is_array() || whole.size() < part.size()) return false;
    for (std::size_t i = 0; i < part.size(); ++i)
      if (!contains(whole[i], part[i])) return false;
    return true;
  }
  return whole == part;
}

json said_value(const json& value, const Transcript& past) {
  if (!value.is_object() || !value.contains("of")) return value;
  for (const Entry& entry : past.entries)
    if (entry.from_cli && contains(entry.line, value["of"])) return entry.line[value["key"]];
  throw std::invalid_argument("no line for " + value.dump());
}

Transcript Player::play() {
  if (const json& fields = part(host_, "initialize"); fields.is_object()) {
    json request = fields;
    request["subtype"] = "initialize";
    send_control({{"control", request}});
  }
  static const json kNoSteps = json::array();
  for (const json& step : part(host_, "steps", kNoSteps)) {
    if (!transcript_.stuck.empty()) break;
    play_step(step);
  }
  finish();
  return std::move(transcript_);
}

void Player::play_step(const json& step) {
  if (step.contains("prompt")) return send_prompt(step);
  if (step.contains("control")) return send_control(step);
  if (step.contains("send")) return send(step["send"]);
  if (step.contains("until")) return read_until(step["until"]);
  if (step.contains("signal")) return send_signal(step["signal"]);
  if (step.contains("end_input")) return end_input();
  if (!step.contains("answer")) throw std::invalid_argument("no step of a host: " + step.dump());
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!contains(held_[i]["request"], step["answer"])) continue;
    const json id = held_[i]["request_id"];
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
    return send_answer(id, step);
  }
  transcript_.stuck = "nobody waits for the answer of " + step.dump();
}

// A string is sent as it is: what is no JSON, say.
void Player::send(const json& line) {
  if (input_ended_) return;
  transcript_.entries.push_back({false, line});
  cli_.write_line(line.is_string() ? line.get<std::string>() : line.dump());
}

void Player::send_prompt(const json& step) {
  json line{{"type", "user"}, {"message", {{"role", "user"}, {"content", step["prompt"]}}}};
  line.update(without(step, {"prompt", "comment"}));
  send(line);
}

void Player::send_control(const json& step) {
  const std::string id = "host_" + std::to_string(++requests_);
  json request = step["control"];
  for (json& field : request) field = said_value(field, transcript_);
  send({{"type", "control_request"}, {"request_id", id}, {"request", request}});
  if (step.value("wait", true))
    read_until({{"type", "control_response"}, {"response", {{"request_id", id}}}});
}

void Player::send_answer(const json& request_id, const json& answer) {
  json response{{"subtype", "success"}, {"request_id", request_id}};
  if (answer.contains("error")) {
    response["subtype"] = "error";
    response["error"] = answer["error"];
  } else if (answer.contains("response")) {
    response["response"] = answer["response"];
  }
  send({{"type", "control_response"}, {"response", response}});
}

void Player::read_until(const json& pattern) {
  for (json line = read(); !line.is_null(); line = read()) {
    serve(line);
    if (contains(line, pattern)) return;
  }
  transcript_.stuck = "no line came that contains " + pattern.dump();
}

json Player::read() {
  const auto text = cli_.read_line();
  if (!text) return nullptr;
  json line = json::parse(*text, nullptr, false);
  if (line.is_discarded()) line = *text;
  transcript_.entries.push_back({true, line});
  return line;
}

void Player::serve(const json& line) {
  if (!line.is_object() || line.value("type", "") != "control_request") return;
  const json& request = line["request"];
  const json* scripted = scripted_answer(request);
  if (scripted && scripted->contains("hold"))
    held_.push_back(line);
  else
    send_answer(line["request_id"],
                scripted ? *scripted : json{{"response", default_answer(request)}});
}

const json* Player::scripted_answer(const json& request) {
  static const json kNone = json::array();
  const json& answers = part(host_, "answers", kNone);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!contains(request, part(answers[i], "to"))) continue;
    if (used_[i]++ > 0 && !answers[i].value("repeat", false)) continue;
    return &answers[i];
  }
  return nullptr;
}

// A host without an opinion: hooks say nothing, tools may run, MCP servers do what `mcp` says.
json Player::default_answer(const json& request) const {
  const std::string subtype = request.value("subtype", "");
  if (subtype == "can_use_tool") return {{"behavior", "allow"}, {"updatedInput", request["input"]}};
  if (subtype == "mcp_message")
    return {{"mcp_response", mcp_answer(request["server_name"], request["message"])}};
  if (subtype == "elicitation") return {{"action", "decline"}};
  return json::object();
}

json Player::mcp_answer(const std::string& server, const json& message) const {
  static const json kNoTools = json::array();
  const json& spec = part(part(host_, "mcp"), server.c_str());
  const std::string method = message.value("method", "");
  json result = json::object();
  if (method == "initialize")
    result = {{"protocolVersion", message["params"]["protocolVersion"]},
              {"capabilities", {{"tools", json::object()}}},
              {"serverInfo", {{"name", server}, {"version", "1.0"}}}};
  if (method == "tools/list") result["tools"] = part(spec, "tools", kNoTools);
  if (method == "tools/call") {
    const std::string tool = message["params"]["name"];
    result = part(part(spec, "results"), tool.c_str());
  }
  return {{"jsonrpc", "2.0"}, {"id", message.value("id", json(0))}, {"result", result}};
}

void Player::send_signal(const std::string& name) {
  cli_.signal(name == "INT" ? SIGINT : name == "HUP" ? SIGHUP : SIGTERM);
  ends_by_itself_ = true;
}

void Player::end_input() {
  cli_.close_stdin();
  input_ended_ = true;
}

// All that is left to be said, and the end as a line of its own.
void Player::finish() {
  if (!ends_by_itself_) end_input();
  for (json line = read(); !line.is_null(); line = read()) serve(line);
  const std::optional<int> code = cli_.wait();
  if (!code) {
    transcript_.stuck += " and the process did not end";
    return;
  }
  transcript_.entries.push_back(
      {true, {{"type", "exit"}, {"code", *code}, {"stderr", cli_.stderr_text()}}});
}

}  // namespace claude::differential
