// Control requests of the SDK: one function a subtype; the table at the end names them.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "catalog.h"
#include "input.h"
#include "lines.h"
#include "turn.h"

namespace claude::sim {
namespace {

// The answer to one request. A scenario may bend it: none, late, twice, another one.
class Reply {
 public:
  Reply(Session& session, const Json& line)
      : session_(session), id_(member(line, "request_id")), has_id_(has(line, "request_id")) {
    const std::string subtype = text_of(member(line, "request"), "subtype");
    fault_ = member(session.scenario.fault("answers"), subtype.c_str());
  }

  void ack() { answer(Json()); }
  void success(Json payload) { answer(std::move(payload)); }
  void error(const std::string& text, const char* code = nullptr, Json extra = Json::object()) {
    Json response = envelope("error");
    response["error"] = text;
    if (code) response["error_code"] = code;
    response.update(extra);
    deliver(std::move(response));
  }
  // Beside the payload, as initialize has it.
  void also(const char* key, Json value) { beside_[key] = std::move(value); }

 private:
  Json envelope(const char* subtype) const {
    Json response = Json::object();
    response["subtype"] = subtype;
    if (has_id_) response["request_id"] = id_;
    return response;
  }

  void answer(Json payload) {
    if (has(fault_, "response")) payload = fault_["response"];
    if (has(fault_, "error")) {
      Json response = envelope("error");
      response["error"] = fault_["error"];
      if (has(fault_, "error_code")) response["error_code"] = fault_["error_code"];
      return deliver(std::move(response));
    }
    Json response = envelope("success");
    if (!payload.is_null()) response["response"] = std::move(payload);
    response.update(beside_);
    deliver(std::move(response));
  }

  void deliver(Json response) {
    if (has(fault_, "request_id")) response["request_id"] = fault_["request_id"];
    Json line = Json::object();
    line["type"] = "control_response";
    if (flag_of(fault_, "top_level_id")) {
      response.erase("request_id");
      line["request_id"] = id_;
    }
    line["response"] = std::move(response);
    const long long times = number_of(fault_, "times", 1);
    const long long delay = number_of(fault_, "delay_ms");
    if (delay > 0)
      session_.loop.spawn(deliver_later(session_, line, times, delay));
    else
      send(session_, line, times);
  }

  static void send(Session& session, const Json& line, long long times) {
    for (long long i = 0; i < times; ++i) session.send(line);
  }

  static Task<void> deliver_later(Session& session, Json line, long long times, long long ms) {
    co_await Wait(session.loop, nullptr, nullptr, Clock::now() + std::chrono::milliseconds(ms));
    send(session, line, times);
  }

  Session& session_;
  Json id_;
  bool has_id_;
  Json fault_;
  Json beside_ = Json::object();
};

void send_mode(Session& session) {
  Json line = system_line("status");
  line["status"] = nullptr;
  line["permissionMode"] = session.permissions.mode;
  session.send_signed(line);
}

void initialize(Session& session, const Json& request, Reply& reply) {
  const Json& hooks = member(request, "hooks");
  const Json& servers = member(request, "sdkMcpServers");
  if (!session.hooks.replace(hooks))
    return reply.error("initialize: hooks must map hook events to arrays of matchers carrying "
                       "hookCallbackIds arrays and string matchers");
  if (!servers.is_null() &&
      (!servers.is_array() ||
       !std::ranges::all_of(servers, [](const Json& name) { return name.is_string(); })))
    return reply.error("initialize: sdkMcpServers must be an array of strings");
  for (const auto& [name, agent] : member(request, "agents").items())
    if (has(agent, "prompt")) session.agents[name] = agent;
  session.forward_subagent_text |= flag_of(request, "forwardSubagentText");
  session.title = text_of(request, "title", session.title);
  // The servers are greeted before the host hears that we are up.
  for (const Json& name : servers) session.mcp.add_sdk_server(name);
  start_configured_servers(session);
  reply.also("pending_permission_requests", Json::array());
  reply.also("pending_user_dialog_requests", Json::array());
  reply.success(initialize_payload(session, hooks.is_object()));
}

void interrupt_turn(Session& session, const Json& request, Reply& reply) {
  Json receipt = Json::object();
  receipt["still_queued"] = Json::array();
  const bool drop = flag_of(request, "cancel_queued");
  Json cancelled = Json::array();
  for (const Prompt& prompt : session.queue) {
    if (!prompt.named) continue;
    if (drop) session.send(lifecycle_line(session, prompt.uuid, "cancelled"));
    (drop ? cancelled : receipt["still_queued"]).push_back(prompt.uuid);
  }
  if (drop) {
    session.queue.clear();
    receipt["cancelled"] = cancelled;
  }
  const bool running = interrupt(session);
  reply.success(receipt);
  if (running) session.turn->abort.fire();
}

void set_permission_mode(Session& session, const Json& request, Reply& reply) {
  const std::string mode = text_of(request, "mode");
  if (!is_permission_mode(mode))
    return reply.error("Cannot set permission mode: must be one of acceptEdits, auto, "
                       "bypassPermissions, default, dontAsk, plan",
                       "invalid_mode");
  if (mode == "bypassPermissions" && !session.bypass_allowed)
    return reply.error("Cannot set permission mode to bypassPermissions because the session was "
                       "not launched with --dangerously-skip-permissions",
                       "bypass_not_launched");
  session.permissions.mode = mode;
  Json payload = Json::object();
  payload["mode"] = mode;
  reply.success(payload);
  send_mode(session);
}

void announce_model(Session& session) {
  if (session.results == 0) return;
  Json line = user_line(session, Agent{},
                        "<local-command-stdout>Set model to `" + session.model +
                            "`</local-command-stdout>");
  line["isReplay"] = true;
  session.send(line);
}

void set_model(Session& session, const Json& request, Reply& reply) {
  const Json& wanted = member(request, "model");
  if (!wanted.is_null() && !wanted.is_string()) {
    Json extra = Json::object();
    extra["model"] = session.model;
    return reply.error("set_model: model must be a string or null", "invalid_request", extra);
  }
  session.model =
      wanted.is_string() ? session.resolved_model(wanted.get<std::string>()) : session.default_model;
  announce_model(session);
  Json payload = Json::object();
  payload["model"] = session.model;
  reply.success(payload);
}

void set_max_thinking_tokens(Session&, const Json& request, Reply& reply) {
  const Json& tokens = member(request, "max_thinking_tokens");
  if (!tokens.is_null() && !tokens.is_number_integer())
    return reply.error("set_max_thinking_tokens: max_thinking_tokens must be an integer or null "
                       "and thinking_display must be \"summarized\", \"omitted\", \"highlights\", "
                       "or null");
  reply.ack();
}

void mcp_status(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["mcpServers"] = session.mcp.status_rows();
  reply.success(payload);
}

void mcp_set_servers(Session& session, const Json& request, Reply& reply) {
  Json payload = Json::object();
  payload["added"] = Json::array();
  payload["removed"] = Json::array();
  payload["errors"] = Json::object();
  const Json& servers = member(request, "servers");
  for (const std::string& name : session.mcp.names()) {
    if (has(servers, name.c_str())) continue;
    session.mcp.remove(name);
    payload["removed"].push_back(name);
  }
  for (const auto& [name, config] : servers.items()) {
    if (session.mcp.find(name)) continue;
    payload["added"].push_back(name);
    if (text_of(config, "type") == "sdk")
      session.mcp.add_sdk_server(name);
    else
      session.mcp.add_other_server(name);
  }
  reply.success(payload);
}

void mcp_message(Session& session, const Json& request, Reply& reply) {
  reply.ack();
  const std::string method = text_of(member(request, "message"), "method");
  if (method == "notifications/tools/list_changed")
    session.mcp.refresh_tools(text_of(request, "server_name"));
}

void need_server(Session& session, const Json& request, Reply& reply) {
  const std::string name = text_of(request, "serverName");
  if (!session.mcp.find(name)) return reply.error("Server not found: " + name);
  reply.ack();
}

void mcp_reconnect(Session& session, const Json& request, Reply& reply) {
  const std::string name = text_of(request, "serverName");
  if (!session.mcp.find(name)) return reply.error("Server not found: " + name);
  reply.error("SDK servers should be handled in print.ts");
}

void rewind_files(Session& session, const Json& request, Reply& reply) {
  const std::string uuid = text_of(request, "user_message_id");
  const bool dry = flag_of(request, "dry_run");
  std::string problem;
  if (!session.checkpoints)
    problem = "File rewinding is not enabled.";
  else if (!session.files.has_checkpoint(uuid))
    problem = "No file checkpoint found for this message.";
  Json payload = Json::object();
  if (!problem.empty()) {
    if (!dry) return reply.error(problem);
    payload["canRewind"] = false;
    payload["error"] = problem;
    return reply.success(payload);
  }
  if (dry) return reply.success(session.files.preview(uuid));
  session.files.rewind(uuid);
  payload["canRewind"] = true;
  payload["skippedLinks"] = 0;
  reply.success(payload);
}

void get_context_usage(Session& session, const Json&, Reply& reply) {
  Json payload = Json::parse(R"json({"categories": [
    {"id": "system_prompt", "name": "System prompt", "tokens": 1941, "color": "promptBorder",
     "kind": "used"},
    {"id": "free_space", "name": "Free space", "tokens": 998059, "color": "promptBorder",
     "kind": "free"}],
    "totalTokens": 1941, "maxTokens": 1000000, "rawMaxTokens": 1000000,
    "autocompactSource": "model-default", "percentage": 1, "gridRows": [], "model": "",
    "memoryFiles": [], "mcpTools": [], "agents": []})json");
  payload["model"] = session.model;
  reply.success(payload);
}

void get_binary_version(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["version"] = session.scenario.version;
  payload["buildTime"] = "2026-11-13T18:52:23Z";
  reply.success(payload);
}

void list_models(Session&, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["models"] = catalog().at("models");
  reply.success(payload);
}

void get_session_cost(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["text"] = "Total cost:            $" + Json(session.ledger.total_cost()).dump();
  reply.success(payload);
}

void get_usage(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  Json& usage = payload["session"];
  usage["total_cost_usd"] = session.ledger.total_cost();
  usage["total_api_duration_ms"] = session.ledger.api_ms();
  usage["total_duration_ms"] = session.ledger.api_ms();
  usage["total_lines_added"] = 0;
  usage["total_lines_removed"] = 0;
  usage["model_usage"] = session.ledger.model_usage();
  payload["subscription_type"] = nullptr;
  payload["rate_limits_available"] = false;
  payload["rate_limits"] = nullptr;
  payload["behaviors"] = nullptr;
  reply.success(payload);
}

void get_settings(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["effective"] = Json::object();
  payload["sources"] = Json::array();
  payload["applied"]["model"] = session.model;
  reply.success(payload);
}

void apply_flag_settings(Session& session, const Json& request, Reply& reply) {
  const Json& settings = member(request, "settings");
  if (!settings.is_object())
    return reply.error("apply_flag_settings requires `settings` to be an object, got undefined");
  if (member(settings, "model").is_string()) {
    session.model = session.resolved_model(text_of(settings, "model"));
    announce_model(session);
  }
  reply.ack();
}

void update_settings(Session&, const Json& request, Reply& reply) {
  const std::string source = text_of(request, "source");
  if (source != "localSettings" && source != "userSettings")
    return reply.error("update_settings: unsupported source " + source);
  reply.success(Json::object());
}

void list_permission_rules(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["state"]["rules"] = session.permissions.rules();
  payload["state"]["workspaceDirectories"] = Json::array();
  payload["state"]["originalCwd"] = session.cwd;
  payload["state"]["managedOnly"] = false;
  reply.success(payload);
}

void read_file(Session& session, const Json& request, Reply& reply) {
  const std::string path = text_of(request, "path");
  Json input = Json::object();
  input["file_path"] = path;
  const ToolOutcome outcome = session.files.read(input, session.cwd);
  if (outcome.is_error) return reply.error("read denied: " + path);
  Json payload = Json::object();
  payload["contents"] = outcome.result.at("file").at("content");
  payload["absPath"] = outcome.result.at("file").at("filePath");
  payload["lossy"] = false;
  payload["requested_path"] = path;
  reply.success(payload);
}

void rename_session(Session& session, const Json& request, Reply& reply) {
  session.title = text_of(request, "title");
  Json line = system_line("session_title_changed");
  line["title"] = session.title;
  session.send_signed(line);
  reply.ack();
}

void cancel_async_message(Session& session, const Json& request, Reply& reply) {
  const std::string uuid = text_of(request, "message_uuid");
  const auto found = std::ranges::find(session.queue, uuid, &Prompt::uuid);
  Json payload = Json::object();
  payload["cancelled"] = found != session.queue.end();
  if (found != session.queue.end()) {
    session.send(lifecycle_line(session, uuid, "cancelled"));
    session.queue.erase(found);
  }
  reply.success(payload);
}

void stop_task(Session& session, const Json& request, Reply& reply) {
  stop_background_task(session, text_of(request, "task_id"));
  reply.success(Json::object());
}

void get_task_output(Session& session, const Json& request, Reply& reply) {
  for (const auto& task : session.tasks) {
    if (task->id != text_of(request, "task_id")) continue;
    Json payload = Json::object();
    payload["output"] = task->output;
    payload["total_bytes"] = task->output.size();
    payload["truncated"] = false;
    return reply.success(payload);
  }
  reply.error("get_task_output: no shell or Monitor task with that task_id in this session");
}

void side_question(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["response"] = "ok";
  payload["synthetic"] = false;
  Json line = system_line("control_request_progress");
  line["status"] = "started";
  session.send_signed(line);
  reply.success(payload);
}

Task<void> leave_when_over(Session& session, bool aborted) {
  while (session.turn)
    co_await Wait(session.loop, nullptr, nullptr, Clock::now() + std::chrono::milliseconds(1));
  session.exit(aborted ? 1 : 0);
}

void end_session(Session& session, const Json&, Reply& reply) {
  const bool running = interrupt(session);
  reply.ack();
  if (running) session.turn->abort.fire();
  session.queue.clear();
  session.loop.spawn(leave_when_over(session, running));
}

void ack_only(Session&, const Json&, Reply& reply) { reply.ack(); }
void empty_success(Session&, const Json&, Reply& reply) { reply.success(Json::object()); }

void title_null(Session&, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["title"] = nullptr;
  reply.success(payload);
}

void get_plan(Session&, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["exists"] = false;
  reply.success(payload);
}

void file_suggestions(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["suggestions"] = Json::array();
  payload["cwd"] = session.cwd;
  reply.success(payload);
}

void reload_plugins(Session& session, const Json&, Reply& reply) {
  Json payload = Json::object();
  payload["commands"] = catalog().at("commands");
  payload["agents"] = catalog().at("agents");
  payload["plugins"] = catalog().at("plugins");
  payload["mcpServers"] = session.mcp.status_rows();
  payload["error_count"] = 0;
  reply.success(payload);
}

using Handler = void (*)(Session&, const Json&, Reply&);

const std::map<std::string, Handler, std::less<>>& handlers() {
  static const std::map<std::string, Handler, std::less<>> kHandlers{
      {"initialize", initialize},
      {"interrupt", interrupt_turn},
      {"set_permission_mode", set_permission_mode},
      {"set_model", set_model},
      {"set_max_thinking_tokens", set_max_thinking_tokens},
      {"mcp_status", mcp_status},
      {"mcp_set_servers", mcp_set_servers},
      {"mcp_message", mcp_message},
      {"mcp_reconnect", mcp_reconnect},
      {"mcp_toggle", need_server},
      {"mcp_read_resource", need_server},
      {"rewind_files", rewind_files},
      {"get_context_usage", get_context_usage},
      {"get_binary_version", get_binary_version},
      {"list_models", list_models},
      {"get_session_cost", get_session_cost},
      {"get_usage", get_usage},
      {"get_settings", get_settings},
      {"apply_flag_settings", apply_flag_settings},
      {"update_settings", update_settings},
      {"list_permission_rules", list_permission_rules},
      {"file_suggestions", file_suggestions},
      {"read_file", read_file},
      {"seed_read_state", ack_only},
      {"rename_session", rename_session},
      {"generate_session_title", title_null},
      {"reload_plugins", reload_plugins},
      {"set_has_subscribers", ack_only},
      {"set_prompt_suggestions_paused", ack_only},
      {"cancel_async_message", cancel_async_message},
      {"stop_task", stop_task},
      {"background_tasks", empty_success},
      {"get_task_output", get_task_output},
      {"get_plan", get_plan},
      {"side_question", side_question},
      {"end_session", end_session},
  };
  return kHandlers;
}

}  // namespace

void start_configured_servers(Session& session) {
  const auto configs = session.args.flags.find("--mcp-config");
  if (configs == session.args.flags.end()) return;
  for (const std::string& text : configs->second) {
    const Json config = Json::parse(text, nullptr, false);
    for (const auto& [name, server] : member(config, "mcpServers").items()) {
      if (text_of(server, "type") == "sdk")
        session.mcp.add_sdk_server(name);
      else
        session.mcp.add_other_server(name);
    }
  }
}

void take_control_request(Session& session, const Json& line) {
  const Json& request = member(line, "request");
  Reply reply(session, line);
  const auto found = handlers().find(text_of(request, "subtype"));
  if (found != handlers().end()) return found->second(session, request, reply);
  reply.error("Unsupported control request subtype: " + text_of(request, "subtype", "undefined"),
              "unsupported_request");
}

}  // namespace claude::sim
