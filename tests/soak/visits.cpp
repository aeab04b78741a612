// The visits that go as they should.
#include "soak/visits.h"

#include <atomic>

namespace claude::soak {
namespace {

// An MCP server with one tool, which adds.
Json calculator(const Json& message) {
  auto answer = [&](Json result) {
    return Json::object({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", std::move(result)}});
  };
  const std::string_view method = message["method"].text();
  if (method == "initialize") {
    return answer(
        Json::object({{"protocolVersion", "2025-11-25"},
                      {"capabilities", Json::object({{"tools", Json::object()}})},
                      {"serverInfo", Json::object({{"name", "calc"}, {"version", "1"}})}}));
  }
  if (method == "tools/list") {
    Json tool = Json::object({{"name", "add"}, {"inputSchema", Json::object()}});
    return answer(Json::object({{"tools", Json::array({tool})}}));
  }
  const Json& given = message["params"]["arguments"];
  const std::string sum = std::to_string(given["a"].integer() + given["b"].integer());
  return answer(
      Json::object({{"content", Json::array({Json::object({{"type", "text"}, {"text", sum}})})}}));
}

void talk(Options options) {
  std::atomic<int> hooked = 0;
  std::atomic<int> asked = 0;
  options.partial_messages = true;
  options.mcp_servers.add("calc", calculator);
  options.hooks.pre_tool_use([&](const PreToolUse&) {
    ++hooked;
    return proceed();
  });
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    ++asked;
    return allow();
  };
  Session session = must(Session::start(std::move(options)), "start");
  Turn turn = session.send("Make it and add");
  bool added = false;
  for (const Message& message : turn)
    added |= message.raw().find("\"5\"") != std::string_view::npos;
  must(must(turn.result(), "the first turn").ok(), "the first turn is well");
  must(added, "the tool of ours has added");
  must(hooked == 2 && asked == 2, "the hook and the permission callback ran for both tools");

  must(session.set_model("opus").get(), "set_model");
  must(session.set_permission_mode(PermissionMode::plan).get(), "set_permission_mode");
  must(session.mcp_status().get(), "mcp_status");
  must(said(session.send("Bye"), "Bye."), "the second turn says bye");
  must(session.close() == EndStage::input_closed, "the CLI goes with its input");
}

void interrupt(Options options) {
  Session session = must(Session::start(std::move(options)), "start");
  Turn turn = session.send("Work");
  must(turn.next().has_value(), "the turn begins");
  must(session.interrupt().get(), "interrupt");
  must(must(turn.result(), "the interrupted turn").interrupted(), "the turn was interrupted");
  must(said(session.send("Hello"), "Hi."), "the next turn works");
}

}  // namespace

bool said(Turn turn, std::string_view text) {
  return must(turn.result(), "a turn").message.result.value_or("") == text;
}

const Visit kTalk{"talk", R"({"turns": [
    {"model": [{"tool": "Bash", "input": {"command": "make"}, "output": "made"},
               {"mcp": {"server": "calc", "tool": "add", "arguments": {"a": 2, "b": 3}}},
               {"text": "Five.", "chunks": 5}]},
    {"model": [{"text": "Bye."}]}]})",
                  talk};

const Visit kInterrupt{"interrupt", R"({"turns": [
    {"model": [{"text": "Working."}, {"hang": true}]},
    {"model": [{"text": "Hi."}]}]})",
                       interrupt};

}  // namespace claude::soak
