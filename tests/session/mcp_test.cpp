// MCP servers inside this process: any function from JSON to JSON.
#include <set>
#include <thread>

#include "session/fixture.h"
#include "session/memory_transport.h"

namespace claude::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Json answer_to(const Json& message, Json result) {
  return Json::object({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", std::move(result)}});
}

// A server with the tool "add"; `call` does it.
McpHandler server(std::function<Json(const Json& arguments)> call) {
  return [call = std::move(call)](const Json& message) {
    const std::string_view method = message["method"].text();
    if (method == "initialize") {
      return answer_to(
          message,
          Json::object({{"protocolVersion", "2025-11-25"},
                        {"capabilities", Json::object({{"tools", Json::object()}})},
                        {"serverInfo", Json::object({{"name", "calc"}, {"version", "1"}})}}));
    }
    if (method == "tools/list") {
      Json tool = Json::object({{"name", "add"}, {"inputSchema", Json::object()}});
      return answer_to(message, Json::object({{"tools", Json::array({tool})}}));
    }
    if (method != "tools/call") return Json();
    Json text = Json::object({{"type", "text"}, {"text", call(message["params"]["arguments"])}});
    return answer_to(message, Json::object({{"content", Json::array({text})}}));
  };
}

Json sum(const Json& arguments) {
  return std::to_string(arguments["a"].integer() + arguments["b"].integer());
}

class McpRouting : public SimTest {
 protected:
  McpRouting() {
    options.allowed_tools = {"mcp__calc__add"};
    play_turn(R"([{"mcp": {"server": "calc", "tool": "add", "arguments": {"a": 2, "b": 3}}},
                  {"text": "Five."}])");
  }
};

// S133 S137
TEST_F(McpRouting, AServerIsAFunctionUnderAName) {
  options.mcp_servers.add("calc", server(sum));
  Session session = start();
  EXPECT_THAT(watch(session.send("add")).tool_results(), ElementsAre("5"));

  WireJson initialize = wire->our_requests("initialize").at(0)["request"];
  EXPECT_EQ(initialize["sdkMcpServers"], WireJson::parse(R"(["calc"])"));
  Result<McpStatus> status = session.mcp_status().get();
  ASSERT_TRUE(status);
  ASSERT_EQ(status->servers.size(), 1u);
  EXPECT_EQ(status->servers[0].name, "calc");
  EXPECT_EQ(status->servers[0].status, "connected");
  EXPECT_EQ(status->servers[0].tools.at(0).name, "add");
}

// S134
TEST_F(McpRouting, RequestsAndAnswersHaveTheirFormOnTheWire) {
  options.mcp_servers.add("calc", server(sum));
  watch(start().send("add"));

  WireJson asked = wire->their_requests("mcp_message").back();
  EXPECT_EQ(asked["request"]["server_name"], "calc");
  EXPECT_EQ(asked["request"]["message"]["method"], "tools/call");
  WireJson answer = wire->answer_to(asked);
  EXPECT_EQ(answer["subtype"], "success");
  EXPECT_EQ(answer["response"]["mcp_response"]["id"], asked["request"]["message"]["id"]);
  EXPECT_EQ(answer["response"]["mcp_response"]["result"]["content"][0]["text"], "5");
}

// S136
TEST_F(McpRouting, AnExceptionIsAJsonRpcErrorThatTheModelReads) {
  options.mcp_servers.add("calc", server([](const Json&) -> Json {
                            throw std::runtime_error("the calculator is broken");
                          }));
  Seen seen = watch(start().send("add"));
  EXPECT_THAT(seen.tool_results(), ElementsAre(HasSubstr("the calculator is broken")));
  EXPECT_EQ(seen.said(), "Five.") << "the turn goes on";
  WireJson answer = wire->answer_to(wire->their_requests("mcp_message").back());
  EXPECT_EQ(answer["subtype"], "success");
  EXPECT_EQ(answer["response"]["mcp_response"]["error"]["code"], -32603);
}

TEST_F(McpRouting, CallsOfOneMessageRunAtTheSameTime) {
  // Both have to be inside at once for either to leave.
  MemoryCli cli;
  options.transport = cli.factory();
  Gate first;
  Gate second;
  options.mcp_servers.add("calc", [&](const Json& message) {
    first.open();
    second.wait();
    return answer_to(message, "one");
  });
  options.mcp_servers.add("other", [&](const Json& message) {
    second.open();
    first.wait();
    return answer_to(message, "two");
  });
  Session session = start();
  cli.next();
  cli.ask("a", {{"subtype", "mcp_message"},
                {"server_name", "calc"},
                {"message", {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "x"}}}});
  cli.ask("b", {{"subtype", "mcp_message"},
                {"server_name", "other"},
                {"message", {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "x"}}}});
  std::set<std::string> answered;
  for (int i = 0; i < 2; ++i) answered.insert(cli.next()["response"]["request_id"]);
  EXPECT_THAT(answered, ElementsAre("a", "b"));
}

// S135 S138
TEST_F(McpRouting, TheMessageInsideIsNobodysBusiness) {
  MemoryCli cli;
  options.transport = cli.factory();
  options.mcp_servers.add("odd", [](const Json& message) {
    return Json::object({{"you", "said"}, {"this", message}});
  });
  Session session = start();
  cli.next();
  // No JSON-RPC at all.
  WireJson odd = WireJson::parse(R"({"no": ["json", {"rpc": 1.5}], "id": {"not": "even this"}})");
  cli.ask("a", {{"subtype", "mcp_message"}, {"server_name", "odd"}, {"message", odd}});

  WireJson answer = cli.next()["response"];
  EXPECT_EQ(answer["subtype"], "success");
  EXPECT_EQ(answer["response"]["mcp_response"]["you"], "said");
  EXPECT_EQ(answer["response"]["mcp_response"]["this"], odd);
}

// The CLI would wait for an answer that does not come.
TEST_F(McpRouting, ARequestThatIsNotAnsweredGetsAJsonRpcError) {
  MemoryCli cli;
  options.transport = cli.factory();
  Json given;
  options.mcp_servers.add("calc", [&](const Json&) { return given; });
  Session session = start();
  cli.next();
  auto answer = [&](const Json& returned, const WireJson& message) {
    given = returned;
    cli.ask("a", {{"subtype", "mcp_message"}, {"server_name", "calc"}, {"message", message}});
    return cli.next()["response"]["response"]["mcp_response"];
  };
  const WireJson request = {{"jsonrpc", "2.0"}, {"id", 7}, {"method", "tools/list"}};
  const Json of_another = Json::object({{"jsonrpc", "2.0"}, {"id", 8}, {"result", Json::object()}});
  const Json without_result = Json::object({{"jsonrpc", "2.0"}, {"id", 7}});
  for (const Json& returned : {Json(), Json::object(), of_another, without_result}) {
    const WireJson refused = answer(returned, request);
    EXPECT_EQ(refused["id"], 7);
    EXPECT_EQ(refused["error"]["code"], -32603);
  }
  EXPECT_THAT(log.at(LogLevel::warning),
              Contains(AllOf(HasSubstr("calc"), HasSubstr("tools/list"))).Times(4));
  const WireJson notification = {{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}};
  EXPECT_TRUE(answer(Json(), notification).is_null()) << "nobody waits for an answer";
  const Json error = Json::object({{"id", 7}, {"error", Json::object({{"code", -32601}})}});
  EXPECT_EQ(answer(error, request)["error"]["code"], -32601) << "that is one";
}

TEST_F(McpRouting, AServerThatNobodyAddedIsRefused) {
  MemoryCli cli;
  options.transport = cli.factory();
  options.mcp_servers.add("calc", server(sum));
  Session session = start();
  cli.next();
  cli.ask("a", {{"subtype", "mcp_message"},
                {"server_name", "unknown"},
                {"message", {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}}}});
  WireJson answer = cli.next()["response"];
  EXPECT_EQ(answer["request_id"], "a");
  EXPECT_EQ(answer["subtype"], "error");
  EXPECT_THAT(answer["error"], HasSubstr("unknown"));
}

TEST_F(McpRouting, AMessageThatTakesTooMuchMemoryAsAValueIsRefused) {
  MemoryCli cli;
  options.transport = cli.factory();
  options.observer = nullptr;
  options.mcp_servers.add("calc", server(sum));
  Session session = start();
  cli.next();
  cli.inject(R"({"type":"control_request","request_id":"a","request":{"subtype":"mcp_message",)"
             R"("server_name":"calc","message":{"jsonrpc":"2.0","params":[{})");
  std::string empty;
  for (int i = 0; i < 10'000; ++i) empty += ",{}";
  for (int i = 0; i < 100; ++i) cli.inject(empty);
  cli.inject("],\"id\":7}}}\n");

  const WireJson answer = cli.next()["response"]["response"]["mcp_response"];
  EXPECT_EQ(answer["id"], 7);
  EXPECT_THAT(answer["error"]["message"], HasSubstr("would take more than"));
}

TEST_F(McpRouting, AServerMaySpeakByItself) {
  options.mcp_servers.add("calc", server(sum));
  Session session = start();
  Result<Json> sent =
      session
          .send_mcp("calc", Json::object({{"jsonrpc", "2.0"},
                                          {"method", "notifications/tools/list_changed"}}))
          .get();
  ASSERT_TRUE(sent) << sent.error().to_string();

  WireJson line = wire->our_requests("mcp_message").at(0)["request"];
  EXPECT_EQ(line["server_name"], "calc");
  EXPECT_EQ(line["message"]["method"], "notifications/tools/list_changed");
}

TEST_F(McpRouting, AnInlineServerRunsOnTheThreadThatReads) {
  std::set<std::thread::id> ran;
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.lease = std::chrono::seconds(30)});
  McpHandler usual = server(sum);
  options.mcp_servers.add(
      "calc",
      [&](const Json& message) {
        ran.insert(std::this_thread::get_id());
        return usual(message);
      },
      true);
  EXPECT_EQ(said(start().send("add")), "Five.");
  EXPECT_THAT(ran, ElementsAre(std::this_thread::get_id()));
}

}  // namespace
}  // namespace claude::test
