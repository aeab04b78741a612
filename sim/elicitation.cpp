// The order of CLI 2.1.325: Elicitation hooks, the host, ElicitationResult hooks, Notification
// hooks, which nobody waits for. What hooks say in hookSpecificOutput changes nothing; a block
// declines.
#include "elicitation.h"

#include <algorithm>

#include "lines.h"
#include "session.h"

namespace claude::sim {
namespace {

struct Question {
  std::string server;
  std::string mode;  // form, url
  Json asked;        // as hooks and the host are told
  Json order;        // of the properties of a form
};

Question question_of(const McpServer& server, const Json& params) {
  Question question{server.name, text_of(params, "mode", "form"), Json::object(), nullptr};
  Json& asked = question.asked;
  asked["mcp_server_name"] = server.name;
  asked["message"] = member(params, "message");
  asked["mode"] = question.mode;
  if (question.mode == "url") {
    asked["url"] = member(params, "url");
    asked["elicitation_id"] = member(params, "elicitationId");
    return question;
  }
  asked["requested_schema"] = member(params, "requestedSchema");
  question.order = Json::array();
  for (const auto& [name, property] : member(asked["requested_schema"], "properties").items())
    question.order.push_back(name);
  return question;
}

Task<void> call_hooks(Session& session, HookCall hook) {
  const Agent nobody;
  co_await session.hooks.call(session, nobody, std::move(hook));
}

void notify(Session& session, const std::string& type, const std::string& message) {
  HookCall hook{"Notification", type, Json::object(), "", nullptr};
  hook.fields["message"] = message;
  hook.fields["notification_type"] = type;
  session.loop.spawn(call_hooks(session, std::move(hook)));
}

Task<bool> hook_blocks(Session& session, const Question& question) {
  HookCall hook{"Elicitation", question.server, question.asked, "", nullptr};
  const Agent nobody;
  const std::vector<HookReply> replies = co_await session.hooks.call(session, nobody, hook);
  co_return std::ranges::any_of(
      replies, [](const HookReply& reply) { return member(reply.output, "decision") == "block"; });
}

Task<void> tell_of_answer(Session& session, const Question& question, const Json& answer) {
  HookCall hook{"ElicitationResult", question.server, Json::object(), "", nullptr};
  hook.fields["mcp_server_name"] = question.server;
  if (has(question.asked, "elicitation_id"))
    hook.fields["elicitation_id"] = question.asked["elicitation_id"];
  hook.fields["mode"] = question.mode;
  hook.fields.update(answer);
  co_await call_hooks(session, std::move(hook));
}

Json plain_answer(const char* action) {
  Json answer = Json::object();
  answer["action"] = action;
  return answer;
}

Task<Json> ask_host(Session& session, const Question& question) {
  Json request = Json::object();
  request["subtype"] = "elicitation";
  request.update(question.asked);
  if (!question.order.is_null()) request["property_order"] = question.order;
  const AskPtr ask = session.asks.send(Ask::Kind::elicitation, std::move(request));
  co_await Wait(session.loop, ask->gate.get(), nullptr, std::nullopt);
  const bool interrupted = ask->answer->closed;
  if (interrupted) session.asks.withdraw(ask);
  Json answer = plain_answer("cancel");
  if (const Json& action = member(ask->answer->payload, "action"); action.is_string()) {
    answer["action"] = action;
    if (has(ask->answer->payload, "content")) answer["content"] = ask->answer->payload["content"];
  }
  if (!interrupted) co_await tell_of_answer(session, question, answer);
  notify(
      session, "elicitation_response",
      "Elicitation response for server \"" + question.server + "\": " + text_of(answer, "action"));
  co_return answer;
}

}  // namespace

Task<void> elicit(Session& session, McpServer& server, Json request) {
  const Question question = question_of(server, member(request, "params"));
  const bool blocked = co_await hook_blocks(session, question);
  Json answer = plain_answer("decline");
  if (!blocked) answer = co_await ask_host(session, question);
  session.mcp.answer(server, request["id"], "result", std::move(answer));
}

void tell_of_completion(Session& session, McpServer& server, const Json& params) {
  const std::string id = text_of(params, "elicitationId");
  Json line = system_line("elicitation_complete");
  line["mcp_server_name"] = server.name;
  line["elicitation_id"] = id;
  session.send_signed(line);
  notify(session, "elicitation_complete",
         "MCP server \"" + server.name + "\" confirmed elicitation " + id + " complete");
}

}  // namespace claude::sim
