// Starting claude-sim, and lines as JSON values.
#include "host.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace claude::test {

std::vector<std::string> command_of(const Start& start) {
  std::vector<std::string> argv{CLAUDE_SIM};
  if (start.streams)
    for (const char* word :
         {"--input-format", "stream-json", "--output-format", "stream-json", "--verbose"})
      argv.emplace_back(word);
  if (start.streams && start.stdio) {
    argv.emplace_back("--permission-prompt-tool");
    argv.emplace_back("stdio");
  }
  argv.insert(argv.end(), start.flags.begin(), start.flags.end());
  return argv;
}

Environment environment_of(const Start& start, const TempDir& folder) {
  Environment environment = start.environment;
  environment["HOME"] = folder.path().string();
  const char* path = std::getenv("PATH");
  environment["PATH"] = path ? path : "";
  if (!start.scenario.empty()) environment["CLAUDE_SIM_SCENARIO_JSON"] = start.scenario;
  if (!start.turns.empty())
    environment["CLAUDE_SIM_SCENARIO_JSON"] = R"({"turns": )" + start.turns + "}";
  return environment;
}

Host::Host(const Start& start)
    : process_(command_of(start), environment_of(start, folder_), folder_.path()) {}

void Host::send(const json& line) {
  process_.write_line(line.dump());
}

json Host::next() {
  const std::optional<std::string> line = process_.read_line();
  if (!line) return nullptr;
  json value = json::parse(*line, nullptr, false);
  if (value.is_discarded()) return *line;
  return value;
}

json Host::until(std::string_view wanted) {
  for (;;) {
    const json line = next();
    if (line.is_null()) {
      ADD_FAILURE() << "no " << wanted << " came; stderr: " << process_.stderr_text();
      return line;
    }
    seen_.push_back(kind(line));
    if (seen_.back() == wanted) return line;
  }
}

json Host::initialize(const json& fields) {
  return ask("initialize", fields);
}

void Host::prompt(const std::string& text, const std::string& uuid) {
  json line{{"type", "user"}, {"message", {{"role", "user"}, {"content", text}}}};
  if (!uuid.empty()) line["uuid"] = uuid;
  send(line);
}

json Host::ask(const std::string& subtype, const json& fields) {
  json request{{"subtype", subtype}};
  request.update(fields);
  const std::string id = "req_" + std::to_string(++requests_);
  send({{"type", "control_request"}, {"request_id", id}, {"request", request}});
  for (;;) {
    const json line = until("control_response");
    if (line.is_null() || line["response"].value("request_id", "") == id)
      return line.is_null() ? line : line["response"];
  }
}

void Host::answer(const json& request, const json& payload) {
  send({{"type", "control_response"},
        {"response",
         {{"subtype", "success"}, {"request_id", request["request_id"]}, {"response", payload}}}});
}

void Host::refuse(const json& request, const std::string& error) {
  send({{"type", "control_response"},
        {"response",
         {{"subtype", "error"}, {"request_id", request["request_id"]}, {"error", error}}}});
}

int Host::wait() {
  return process_.wait().value_or(-1);
}

int Host::end() {
  process_.close_stdin();
  for (json line = next(); !line.is_null(); line = next()) seen_.push_back(kind(line));
  return wait();
}

std::string kind(const json& line) {
  if (!line.is_object()) return "no JSON object";
  const std::string type = line.value("type", "");
  if (type == "system") return "system/" + line.value("subtype", "");
  if (type == "command_lifecycle") return "lifecycle/" + line.value("state", "");
  if (type == "stream_event") return "stream/" + line["event"].value("type", "");
  if (type == "control_request") {
    const json& request = line["request"];
    const std::string subtype = request.value("subtype", "");
    if (subtype == "hook_callback") return "hook/" + request["input"].value("hook_event_name", "");
    if (subtype == "mcp_message")
      return "mcp/" + request["message"].value("method", std::string("response"));
    return "control_request/" + subtype;
  }
  return type;
}

}  // namespace claude::test
