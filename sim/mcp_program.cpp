// MCP servers that are programs: starting them, and what they say by themselves.
#include <utility>

#include "elicitation.h"
#include "session.h"
#include "world.h"

namespace claude::sim {
namespace {

Program::Command command_of(const Json& config, const std::string& cwd) {
  Program::Command command;
  command.argv.push_back(text_of(config, "command"));
  for (const Json& word : member(config, "args"))
    if (word.is_string()) command.argv.push_back(word);
  command.environment = world().environment;
  for (const auto& [name, value] : member(config, "env").items())
    if (value.is_string()) command.environment[name] = value;
  command.cwd = cwd;
  return command;
}

}  // namespace

bool McpServers::start_program(McpServer& server) {
  end_program(server);
  server.error.clear();
  server.program = std::make_unique<Program>(
      session_.loop, command_of(server.config, session_.cwd),
      [this, &server](std::string_view line) { take_program_line(server, line); },
      [this, &server] { end_program(server); });
  if (server.program->started()) return true;
  server.program.reset();
  server.error = "Executable not found in $PATH: \"stdio\"";  // the CLI names the wrong word
  return false;
}

// The answer comes over the program's pipe: the ask is none of the control channel's.
AskPtr McpServers::post_to_program(McpServer& server, Json message) {
  auto ask = std::make_shared<Ask>();
  ask->kind = Ask::Kind::mcp;
  ask->gate = std::make_shared<Gate>();
  if (server.program) server.program->write_line(dump(message));
  if (server.program && has(message, "method") && has(message, "id")) {
    server.calls.push_back(ask);
  } else {
    ask->answer.emplace();
    ask->answer->success = server.program != nullptr;
    ask->answer->closed = !server.program;
    ask->gate->open();
  }
  ask->request["server_name"] = server.name;
  ask->request["message"] = std::move(message);
  return ask;
}

void McpServers::take_program_line(McpServer& server, std::string_view line) {
  const Json message = parse(line);
  if (!message.is_object()) return;
  if (has(message, "method")) return take_message(server.name, message);
  for (const AskPtr& call : std::vector<AskPtr>(server.calls)) {
    if (call->request["message"]["id"] != member(message, "id")) continue;
    std::erase(server.calls, call);
    Answer answer{true, false, Json::object(), {}};
    answer.payload["mcp_response"] = message;
    call->answer = std::move(answer);
    call->gate->open();
  }
}

void McpServers::end_program(McpServer& server) {
  server.program.reset();
  if (server.status == "pending") server.error = "Connection closed";
  for (const AskPtr& call : std::exchange(server.calls, {})) {
    call->answer = Answer{};
    call->gate->open();
  }
}

void McpServers::cancel_calls_of_programs(const char* reason) {
  for (auto& server : servers_)
    for (const AskPtr& call : std::vector<AskPtr>(server->calls))
      if (text_of(call->request["message"], "method") == "tools/call") {
        std::erase(server->calls, call);
        cancel(call, reason);
      }
}

// A server of the SDK is refused everything.
void McpServers::take_request(McpServer& server, const Json& message) {
  const std::string method = text_of(message, "method");
  const Json& id = member(message, "id");
  if (server.is_program() && method == "notifications/elicitation/complete")
    return tell_of_completion(session_, server, member(message, "params"));
  if (id.is_null()) return;
  if (server.is_program() && method == "elicitation/create")
    return session_.loop.spawn(elicit(session_, server, message));
  if (server.is_program() && method == "roots/list") {
    Json roots = Json::object();
    roots["roots"][0]["uri"] = "file://" + session_.cwd;
    return answer(server, id, "result", std::move(roots));
  }
  if (server.is_program() && method == "ping") return answer(server, id, "result", Json::object());
  Json error = Json::object();
  error["code"] = -32601;
  error["message"] = "Method not found";
  answer(server, id, "error", std::move(error));
}

}  // namespace claude::sim
