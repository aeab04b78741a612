// The words are those of CLI 2.1.325.
#include "refusals.h"

#include <utility>

#include "api_errors.h"
#include "batch.h"

namespace claude::sim {
namespace {

void notify(Session& session) {
  Json line = system_line("informational");
  line["content"] =
      "Opus 5.5's safeguards stopped the response above · continuing once with that noted";
  line["level"] = "notice";
  session.send_signed(line);
}

void notify_of_end(Session& session, const Turn& turn, const std::string& message_id) {
  Json line = system_line("model_refusal_no_fallback");
  line["original_model"] = session.model;
  line["request_id"] = request_id_of(message_id);
  line["api_refusal_category"] = nullptr;
  line["api_refusal_explanation"] = nullptr;
  line["content"] = "";
  line["refused_user_message_uuid"] = turn.prompts[0].uuid;
  session.send_signed(line);
}

// Of a subagent that the turn waits for only its file has it.
void tell_of_agent(Session& session, const Agent& agent, Json line) {
  line["parent_tool_use_id"] = agent.parent_tool_use_id;
  line["agent_id"] = agent.id;
  line["subagent_type"] = agent.type;
  line["task_description"] = agent.description;
  if (agent.background)
    session.send(line);
  else
    session.transcript.add_line(line);
}

}  // namespace

Task<void> go_on_after_refusal(Session& session, Turn& turn, Agent agent, Spoken spoken) {
  const bool stopped_some = spoken.calls && co_await spoken.calls->stop();
  if (agent.id.empty()) notify(session);
  std::string text =
      "Your response above was stopped by a safety classifier — this is not a tool or API error. "
      "The rest of it was withheld, and tool calls in it that had not finished did not run. Do not "
      "produce that content again, even reworded.";
  if (stopped_some)
    text +=
        " Exception: a tool call whose result reads \"Interrupted\" was already running when the "
        "response was stopped; it may have partially or fully completed.";
  urge(session, turn, agent, text, spoken.message_id);
  for (const auto& tell : std::exchange(turn.after_rejections, {})) tell();
}

Ending refused_again(Session& session, Turn& turn, const Agent& agent,
                     const std::string& message_id) {
  const std::string request_id = request_id_of(message_id);
  const std::string text =
      "API Error: Opus 5.5's safeguards flagged this message "
      "(https://www.anthropic.com/legal/aup). This sometimes happens with safe, normal "
      "conversations. Claude Code can't respond to this message with Opus 5.5.\n\nTry rephrasing "
      "the request in a new session or change your model.\n\nLearn more: "
      "https://support.claude.com/en/articles/8106465\n\nRequest ID: " +
      request_id + "\n\nMessage ID: " + message_id;
  const char* word = "invalid_request";
  Json line = synthetic_assistant(session, text);
  line["message"]["stop_reason"] = "refusal";
  line["error"] = word;
  line["request_id"] = request_id;
  line["is_api_error_message"] = true;
  Ending ending;
  ending.is_error = true;
  if (!agent.id.empty()) {
    tell_of_agent(session, agent, line);
    ending.result = early_end(session, agent, text, word, request_id);
    return ending;
  }
  notify_of_end(session, turn, message_id);
  line["refused_message_id"] = message_id;
  session.send(line);
  turn.stop_reason = "refusal";
  ending.terminal_reason = "api_error";
  ending.result = text;
  ending.api_error = word;
  return ending;
}

}  // namespace claude::sim
