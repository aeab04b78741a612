// Each builder sets its keys in the order in which CLI 2.1.325 writes them.
#include "lines.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "catalog.h"

namespace claude::sim {
namespace {

// The one that stands for the turn, where a line has room for one only.
Json leading_prompt(const Turn& turn) {
  return turn.prompts[0].named ? Json(turn.prompts[0].uuid) : named_prompts(turn)[0];
}

// Adds the prompts' ids to the first line of a kind that answers them.
void add_prompt_ids(Json& line, const Turn& turn, bool& named_yet) {
  const Json uuids = named_prompts(turn);
  if (!std::exchange(named_yet, true) && !uuids.empty()) {
    line["user_message_uuid"] = leading_prompt(turn);
    line["user_message_uuids"] = uuids;
  }
}

// Who says the line, in which session, and when.
void add_origin(Json& line, Session& session, const Agent& agent) {
  line["parent_tool_use_id"] = nullptr;
  if (!agent.id.empty()) {
    line["parent_tool_use_id"] = agent.parent_tool_use_id;
    line["agent_id"] = agent.id;
  }
  line["session_id"] = session.id;
  line["uuid"] = session.ids.uuid();
  line["timestamp"] = timestamp();
}

void add_agent(Json& line, const Agent& agent) {
  if (agent.id.empty()) return;
  line["subagent_type"] = agent.type;
  line["task_description"] = agent.description;
}

void merge(Json& line, const Json& changes) {
  if (!changes.is_object()) return;
  for (const auto& [key, value] : changes.items()) {
    if (value.is_null())
      line.erase(key);
    else
      line[key] = value;
  }
}

Json skill_names(const Session& session) {
  Json names = Json::array();
  for (const Json& skill : session.settings.skills) names.push_back(skill.at("name"));
  bool first = true;
  for (const Json& name : catalog().at("skills")) {
    names.push_back(name);
    if (std::exchange(first, false))
      for (const Json& more : session.settings.plugin_skills) names.push_back(more);
  }
  return names;
}

long long ms_since(Time then) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - then).count();
}

}  // namespace

Json named_prompts(const Turn& turn) {
  Json uuids = Json::array();
  for (const Prompt& prompt : turn.prompts) {
    for (const Prompt& earlier : prompt.joined)
      if (earlier.named) uuids.push_back(earlier.uuid);
    if (prompt.named && !prompt.goes_on) uuids.push_back(prompt.uuid);
  }
  return uuids;
}

Json style_names(const Session& session) {
  Json names = catalog().at("output_styles");
  for (const Json& name : session.settings.output_styles) names.push_back(name);
  return names;
}

Json plugin_rows(const Session& session) {
  Json rows = session.settings.plugins;
  for (const Json& plugin : catalog().at("plugins")) rows.push_back(plugin);
  return rows;
}

Json text_block(Json text) {
  Json block = Json::object();
  block["type"] = "text";
  block["text"] = std::move(text);
  return block;
}

Json system_line(const char* subtype) {
  Json line = Json::object();
  line["type"] = "system";
  line["subtype"] = subtype;
  return line;
}

Json initialize_payload(const Session& session, bool hooks_sent, const Json& parked) {
  Json payload = Json::object();
  payload["commands"] = command_rows(session.settings);
  payload["agents"] = agent_rows(session.agents);
  payload["output_style"] = session.settings.output_style;
  payload["available_output_styles"] = style_names(session);
  payload["user_output_styles_dir"] = session.home + "/.claude/output-styles";
  payload["models"] = model_rows(session.model);
  payload["account"] = catalog().at("account");
  payload["pid"] = getpid();
  payload["claude_code_version"] = session.scenario.version;
  payload["current_permission_mode"] = session.permissions.mode;
  if (hooks_sent) payload["hooks_applied"] = true;
  payload["hook_on_failure_supported"] = true;
  payload["other_hook_ask_outranks_host"] = true;
  if (!parked.empty()) payload["sdk_mcp_manifests_parked"] = parked;
  payload["feedback_mode"]["kind"] = "disabled";
  payload["analytics_disabled"] = true;
  payload["remote_control_auto_enable"] = false;
  payload["remote_control_auto_connect_default"] = false;
  payload["remote_control_available"] = false;
  payload["remote_control_auto_on_by_default"] = false;
  payload["ide_rc_auto_enable_gate"] = false;
  payload["fast_mode_state"] = "off";
  payload["fast_mode_disabled_reason"] = "sdk_opt_in_required";
  payload["session_state"] = session.turn ? "running" : "idle";
  payload["capabilities"] = catalog().at("initialize_capabilities");
  merge(payload, session.scenario.top("initialize"));
  return payload;
}

Json init_line(Session& session, const Turn& turn) {
  Json line = system_line("init");
  line["cwd"] = session.cwd;
  line["session_id"] = session.id;
  line["tools"] = session.tools();
  line["mcp_servers"] = session.mcp.init_rows();
  line["model"] = session.model;
  line["permissionMode"] = session.permissions.mode;
  line["slash_commands"] = Json::array();
  for (const Json& command : command_rows(session.settings))
    line["slash_commands"].push_back(command.at("name"));
  line["terminal_slash_commands"] = catalog().at("terminal_slash_commands");
  line["apiKeySource"] = "ANTHROPIC_API_KEY";
  if (session.args.has("--betas")) line["betas"] = session.args.list("--betas");
  line["claude_code_version"] = session.scenario.version;
  line["output_style"] = session.settings.output_style;
  line["agents"] = Json::array();
  for (const Json& agent : agent_rows(session.agents)) line["agents"].push_back(agent.at("name"));
  line["skills"] = skill_names(session);
  line["plugins"] = plugin_rows(session);
  line["capabilities"] = catalog().at("init_capabilities");
  line["analytics_disabled"] = true;
  line["product_feedback_disabled"] = true;
  line["uuid"] = session.ids.uuid();
  const std::string transcript = session.transcript.path();
  line["memory_paths"]["auto"] = transcript.substr(0, transcript.rfind('/')) + "/memory/";
  line["original_cwd"] = session.permissions.root;
  line["additional_directories"] = Json::array();
  for (const auto& added : session.permissions.added)
    line["additional_directories"].push_back(added.path);
  line["messaging_socket_path"] = "/tmp/cc-socks/" + std::to_string(getpid()) + ".sock";
  line["fast_mode_state"] = "off";
  line["fast_mode_disabled_reason"] = "sdk_opt_in_required";
  line["per_turn_effort_active"] = is_known_model(session.model);
  line["ultrathink_available"] = false;
  line["ultrathink_typed_raises"] = false;
  line["view_mode"] = "default";
  if (Json uuids = named_prompts(turn); !uuids.empty()) line["user_message_uuids"] = uuids;
  merge(line, session.scenario.top("init"));
  return line;
}

Json assistant_line(Session& session, Turn& turn, const Agent& agent, const std::string& message_id,
                    const Json& block, const Usage& usage, bool aborted) {
  Json line = Json::object();
  line["type"] = "assistant";
  Json& message = line["message"];
  message["id"] = message_id;
  message["type"] = "message";
  message["role"] = "assistant";
  message["model"] = agent.model.empty() ? session.model : agent.model;
  message["content"] = Json::array({block});
  message["stop_reason"] = nullptr;
  message["stop_sequence"] = nullptr;
  message["usage"] = message_usage(usage, 1);
  message["context_management"] = nullptr;
  add_origin(line, session, agent);
  line["request_id"] = request_id_of(message_id);
  add_agent(line, agent);
  if (aborted) line["aborted"] = true;
  if (agent.id.empty()) name_prompts(line, turn);
  return line;
}

std::string request_id_of(const std::string& message_id) {
  return "req_" + message_id.substr(message_id.find('_') + 1);
}

void name_prompts(Json& line, Turn& turn) {
  add_prompt_ids(line, turn, turn.named_in_assistant);
}

Json synthetic_assistant(Session& session, const std::string& text) {
  Json line = Json::object();
  line["type"] = "assistant";
  line["message"] = catalog().at("synthetic_message");
  Json& message = line["message"];
  message["id"] = session.ids.uuid();
  message["content"][0]["text"] = text;
  line["parent_tool_use_id"] = nullptr;
  line["session_id"] = session.id;
  line["uuid"] = session.ids.uuid();
  line["timestamp"] = timestamp();
  return line;
}

Json user_line(Session& session, const Agent& agent, Json content) {
  Json line = Json::object();
  line["type"] = "user";
  line["message"]["role"] = "user";
  line["message"]["content"] = std::move(content);
  add_origin(line, session, agent);
  add_agent(line, agent);
  return line;
}

Json replayed_line(Session& session, Json content, const std::string& uuid) {
  Json line = Json::object();
  line["type"] = "user";
  line["message"]["role"] = "user";
  line["message"]["content"] = std::move(content);
  line["session_id"] = session.id;
  line["parent_tool_use_id"] = nullptr;
  line["uuid"] = uuid;
  line["timestamp"] = timestamp();
  line["isReplay"] = true;
  return line;
}

Json stream_line(Session& session, Turn& turn, const Agent& agent, const std::string& message_id,
                 Json event) {
  const bool starts = text_of(event, "type") == "message_start";
  const bool thinks = has(member(event, "delta"), "thinking") ||
                      text_of(member(event, "content_block"), "type") == "thinking";
  Json line = Json::object();
  line["type"] = "stream_event";
  line["event"] = std::move(event);
  line["session_id"] = session.id;
  line["parent_tool_use_id"] = nullptr;
  if (!agent.id.empty()) line["parent_tool_use_id"] = agent.parent_tool_use_id;
  line["uuid"] = session.ids.uuid();
  if (starts) line["ttft_ms"] = ms_since(turn.started);
  if (starts || thinks) line["thinking_display"] = "updates";
  line["api_message_id"] = message_id;
  if (starts && agent.id.empty()) {
    add_prompt_ids(line, turn, turn.named_in_stream);
    if (has(line, "user_message_uuid")) line["owed_rows"] = Json::array();
  }
  return line;
}

Json lifecycle_line(Session& session, const std::string& uuid, const char* state) {
  Json line = Json::object();
  line["type"] = "command_lifecycle";
  line["command_uuid"] = uuid;
  line["state"] = state;
  line["uuid"] = session.ids.uuid();
  line["session_id"] = session.id;
  return line;
}

Json result_line(Session& session, Turn& turn, const Ending& ending) {
  Json line = Json::object();
  const bool timed = !ending.without_model && ending.subtype == "success" &&
                     ending.api_error.empty() && turn.deferred.is_null() && turn.ttft_ms > 0;
  const Json uuids = named_prompts(turn);
  const bool counted_first = ending.without_model || ending.cut_short;
  if (counted_first) line["is_error"] = ending.is_error;
  line["duration_api_ms"] = session.ledger.api_ms();
  if (counted_first) line["num_turns"] = ending.without_model ? 0 : turn.user_lines + 1;
  line["stop_reason"] = turn.stop_reason;
  line["session_id"] = session.id;
  line["total_cost_usd"] = session.ledger.total_cost();
  if (session.ledger.total_cost() == 0) line["total_cost_usd"] = 0;
  line["usage"] = session.ledger.turn_usage();
  line["modelUsage"] = session.ledger.model_usage();
  line["permission_denials"] = turn.denials;
  if (!ending.terminal_reason.empty()) line["terminal_reason"] = ending.terminal_reason;
  line["fast_mode_state"] = "off";
  line["fast_mode_disabled_reason"] = "sdk_opt_in_required";
  if (!turn.prompts[0].origin.is_null()) line["origin"] = turn.prompts[0].origin;
  line["subagent_stats"] =
      session.subagent_stats.is_null() ? catalog().at("subagent_stats") : session.subagent_stats;
  line["safety_stops"] = session.safety_stops;
  if (!counted_first) {
    line["is_error"] = ending.is_error;
    line["num_turns"] = (ending.most_turns > 0 ? ending.most_turns : turn.user_lines) + 1;
  }
  line["subtype"] = ending.subtype;
  if (!ending.without_model && ending.errors.is_null() && turn.deferred.is_null())
    line["api_error_status"] = nullptr;
  if (!ending.api_error_type.empty()) {
    line["api_error_status"] = ending.api_error_status;
    line["api_error_type"] = ending.api_error_type;
  }
  if (ending.errors.is_null())
    line["result"] = ending.result;
  else
    line["errors"] = ending.errors;
  if (!ending.structured.is_null()) line["structured_output"] = ending.structured;
  if (!ending.local_command.empty()) line["local_command"] = ending.local_command;
  if (!turn.deferred.is_null()) line["deferred_tool_use"] = turn.deferred;
  if (!ending.errors.is_null() && !uuids.empty()) line["user_message_uuid"] = leading_prompt(turn);
  if (timed) line["ttft_ms"] = turn.ttft_ms;
  line["type"] = "result";
  line["duration_ms"] = ms_since(turn.started);
  line["uuid"] = session.ids.uuid();
  if (timed) {
    line["ttft_stream_ms"] = turn.ttft_ms;
    line["time_to_request_ms"] = 0;
    line["first_content_frame_ms"] = turn.ttft_ms;
  }
  if (!uuids.empty()) {
    if (ending.errors.is_null()) line["user_message_uuid"] = leading_prompt(turn);
    line["user_message_uuids"] = uuids;
  }
  if (!uuids.empty() && timed) {
    line["request_sent_wall_ms"] = wall_ms();
    line["first_request_input_tokens"] = session.ledger.first_input();
    line["first_request_cache_read_input_tokens"] = 0;
  }
  line["queued_turn_count"] = 0;
  line["result_index"] = session.results++;
  line["model_usage_since_last_result"] = session.ledger.since_last_result();
  return line;
}

void fail_at_start(Session& session, const std::string& text) {
  complain(text + "\n");
  Json line = Json::object();
  line["type"] = "result";
  line["subtype"] = "error_during_execution";
  line["duration_ms"] = 0;
  line["duration_api_ms"] = 0;
  line["is_error"] = true;
  line["num_turns"] = 0;
  line["stop_reason"] = nullptr;
  line["session_id"] = session.id;
  line["total_cost_usd"] = 0;
  line["usage"] = session.ledger.turn_usage();
  line["modelUsage"] = Json::object();
  line["permission_denials"] = Json::array();
  line["uuid"] = session.ids.uuid();
  line["errors"] = Json::array({text});
  line["result_index"] = session.results++;
  session.send(line);
  session.exit(1);
}

}  // namespace claude::sim
