// The words and texts of the CLI for each kind of error (section 7 of its behaviour).
#include "api_errors.h"

#include <algorithm>
#include <cstdlib>

#include "world.h"

namespace claude::sim {
namespace {

// How the CLI names an API error to its host.
const char* error_word(long long status) {
  if (status == 400) return "unknown";
  if (status == 401 || status == 403) return "authentication_failed";
  if (status == 404) return "model_not_found";
  if (status == 429) return "rate_limit";
  if (status >= 500) return "server_error";
  return "invalid_request";
}

bool is_too_long(const std::string& message) {
  return message.starts_with("prompt is too long");
}

// Another API than Anthropic's own is named.
std::string gateway() {
  const std::string address = variable("ANTHROPIC_BASE_URL");
  if (address.empty()) return "";
  const std::size_t slashes = address.find("//");
  const std::string host = address.substr(slashes == address.npos ? 0 : slashes + 2);
  return " If it persists, check your inference gateway (" + host.substr(0, host.find('/')) + ").";
}

std::string error_text(long long status, const std::string& message, const std::string& model) {
  const std::string code = std::to_string(status);
  if (is_too_long(message)) return "Prompt is too long";
  if (status == 413)
    return "Request too large (max 32MB). Accumulated images and attachments in the conversation "
           "pushed the request over the limit. Remove older images or compact the conversation.";
  if (status == 401 || status == 403)
    return "Failed to authenticate. API Error: " + code + " " + message;
  if (status == 404)
    return "There's an issue with the selected model (" + model +
           "). It may not exist or you may not have access to it. Run --model to pick a different "
           "model.";
  if (status == 429) return "API Error: Request rejected (429) · " + message;
  if (status >= 500)
    return "API Error: " + code + " " + message +
           ". This is a server-side issue, usually temporary — try again in a moment." + gateway();
  return "API Error: " + code + " " + message;
}

Json progress_of(const Agent& agent) {
  Json line = Json::object();
  line["type"] = "tool_progress";
  line["tool_use_id"] = "agent_" + agent.message_id;
  line["tool_name"] = "Agent";
  line["parent_tool_use_id"] = agent.parent_tool_use_id;
  line["elapsed_time_seconds"] = 0;
  line["subagent_type"] = agent.type;
  return line;
}

}  // namespace

std::string early_end(const Session& session, const Agent& agent, const std::string& text,
                      const std::string& kind, const std::string& request_id) {
  return "Agent terminated early due to an API error: " + text + " (error type " + kind +
         ", request id " + request_id +
         ", model sent to the API: " + (agent.model.empty() ? session.model : agent.model) + ")";
}

Ending api_failure(Session& session, Turn& turn, const Agent& agent, const Json& error) {
  const long long status = number_of(error, "status", 500);
  const std::string type = text_of(error, "type", "api_error");
  const std::string message = text_of(error, "message", "simulated");
  const std::string text = error_text(status, message, session.model);
  const char* word = is_too_long(message) ? "invalid_request" : error_word(status);
  Ending ending;
  ending.is_error = true;
  Json line = synthetic_assistant(session, text);
  line["error"] = word;
  line["request_id"] = "req_sim";
  if (!agent.id.empty()) {
    line["agent_id"] = agent.id;
    session.transcript.add_line(line);
    const std::string kind = std::string(word) + ", HTTP " + std::to_string(status);
    ending.result = early_end(session, agent, text, kind, "req_sim");
    return ending;
  }
  line["is_api_error_message"] = true;
  line["api_error_status"] = status;
  line["api_error_type"] = type;
  name_prompts(line, turn);
  session.send(line);
  ending.terminal_reason = is_too_long(message) ? "prompt_too_long"
                           : status == 413      ? "image_error"
                                                : "api_error";
  ending.result = text;
  ending.api_error = word;
  ending.api_error_status = status;
  ending.api_error_type = type;
  return ending;
}

void send_retry(Session& session, const Agent& agent, const Json& error, long long attempt,
                long long all) {
  if (agent.background) return;
  Json told = Json::object();
  told["attempt"] = attempt;
  told["max_retries"] = all;
  told["retry_delay_ms"] = 500 << std::min(attempt - 1, 6LL);
  const long long status = number_of(error, "status", 500);
  const char* word = status == 529 ? "overloaded" : error_word(status);
  told["error_status"] = status;
  if (!agent.id.empty()) {
    told["agent_id"] = agent.id;
    told["error_category"] = word;
    Json line = progress_of(agent);
    line["subagent_retry"] = told;
    return session.send_signed_late(line);
  }
  told["error"] = word;
  Json line = system_line("api_retry");
  line.update(told);
  session.send_signed_late(line);
}

void end_retries(Session& session, const Agent& agent) {
  if (!agent.id.empty() && !agent.background) session.send_signed_late(progress_of(agent));
}

Retries retries_of(const Json& step) {
  const Json& error = step.at("error");
  const long long status = number_of(error, "status", 500);
  const bool retryable = status == 401 || status == 429 || status >= 500;
  const std::string limit = variable("CLAUDE_CODE_MAX_RETRIES");
  const long long most = limit.empty() ? 10 : std::atoll(limit.c_str());
  const long long times = number_of(error, "times");
  if (retryable && times > 0 && times <= most) return {times, most, true};
  const long long said = number_of(step, "retries", limit.empty() ? 0 : most);
  return {retryable ? said : 0, limit.empty() ? std::max(said, 1LL) : most, false};
}

}  // namespace claude::sim
