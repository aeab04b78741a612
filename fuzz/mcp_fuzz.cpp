// An MCP server in this process, and a CLI that sends it any message: through a whole session, from
// the CLI's line to the line that answers. The server says back what it was told, or throws.
//
// Laws: the session lives; each message is handed over once, as nlohmann-json reads it, and gets
// one answer, whether JSON-RPC wants one (a request) or not (a notification), because the CLI waits
// for it; a request that the server throws at gets a JSON-RPC error with its own id.
#include <claude/session.h>

#include "fail.h"
#include "json/limits.h"
#include "json/oracle.h"
#include "session/memory_transport.h"

#include <algorithm>

namespace {

using namespace claude;
using test::Oracle;
using test::WireJson;

constexpr std::string_view kBefore =
    R"({"type":"control_request","request_id":"it","request":{"subtype":"mcp_message",)"
    R"("server_name":"echo","message":)";

// One session for all inputs: that one does no harm to the next is a law, too.
struct Talk {
  Talk() {
    options.cli_path = "/bin/sh";  // looked for, never started
    options.transport = cli.factory();
    auto echo = [this](const Json& message) {
      heard.push_back(message);
      if (message["method"].text() == "throw") throw std::runtime_error(what);
      return Json::object({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", message}});
    };
    options.mcp_servers.add("echo", echo, true);  // inline: answers keep the order of the lines
    session = Session::start(options).value();
    cli.next();  // initialize
  }

  // What the session answers to these bytes.
  std::vector<WireJson> answers_to(const std::string& bytes) {
    heard.clear();
    cli.inject(bytes);
    cli.ask("the end", {{"subtype", "mcp_message"}, {"server_name", "nobody"}, {"message", 0}});
    std::vector<WireJson> answers;
    while (true) {
      WireJson answer = cli.next().at("response");
      if (answer.at("request_id") == "the end") return answers;
      answers.push_back(std::move(answer));
    }
  }

  test::MemoryCli cli;
  Options options;
  std::optional<Session> session;
  std::string what;         // the server throws
  std::vector<Json> heard;  // by the server, of these bytes
};

// What only one of the two reads: see second_opinion.cpp.
bool is_a_matter_of_taste(const std::string& text) {
  return text.contains('\0') || text.contains("\\ud") || text.contains("\\uD") ||
         static_cast<std::size_t>(std::ranges::count_if(
             text, [](char c) { return c == '[' || c == '{'; })) >= json::kMaxDepth - 2;
}

std::string broken_law(Talk& talk, const std::string& text) {
  const std::vector<WireJson> answers = talk.answers_to(std::string(kBefore) + text + "}}\n");
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  if (answers.size() > lines) return "more answers than lines";
  const Oracle asked = Oracle::parse(text, nullptr, false);
  if (asked.is_discarded() || lines > 1 || is_a_matter_of_taste(text)) return "";

  if (answers.size() != 1) return "a message without an answer";
  if (talk.heard.size() != 1) return "a message that the server did not get";
  if (!test::same(talk.heard[0], asked)) return "the server got another message";
  if (answers[0].at("request_id") != "it") return "an answer to something else";
  if (answers[0].at("subtype") != "success") return "a refusal";
  const WireJson& answer = answers[0].at("response").at("mcp_response");
  if (answer.at("jsonrpc") != "2.0") return "no JSON-RPC";
  const bool request = asked.is_object() && asked.contains("id");
  if (answer.at("id") != (request ? asked["id"] : Oracle())) return "another id";
  const bool thrown = asked.is_object() && asked.value("method", Oracle()) == "throw";
  if (!thrown) return answer.at("result") == asked ? "" : "another result";
  return answer.at("error").at("code") == -32603 ? "" : "another error";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Talk* talk = new Talk;  // never closed: its threads live as long as the process
  const std::string text(reinterpret_cast<const char*>(data), size);
  talk->what = std::string(text.rbegin(), text.rend());  // need not be UTF-8
  must_be_none(broken_law(*talk, text));
  return 0;
}
