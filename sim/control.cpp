// Control requests of the SDK that change something: one function a subtype; the table at the end
// names them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

#include "input.h"
#include "lines.h"
#include "reply.h"
#include "turn.h"

namespace claude::sim {
namespace {

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
    return reply.error(
        "initialize: hooks must map hook events to arrays of matchers carrying "
        "hookCallbackIds arrays and string matchers");
  if (!servers.is_null() &&
      (!servers.is_array() ||
       !std::ranges::all_of(servers, [](const Json& name) { return name.is_string(); })))
    return reply.error("initialize: sdkMcpServers must be an array of strings");
  for (const auto& [name, agent] : member(request, "agents").items())
    if (has(agent, "prompt")) session.agents[name] = agent;
  session.take_role();
  session.forward_subagent_text |= flag_of(request, "forwardSubagentText");
  if (const std::string title = text_of(request, "title"); !title.empty()) {
    session.rename(title);
    session.transcript.add_title(title);
  }
  if (const Json& schema = member(request, "jsonSchema"); schema.is_object()) {
    session.schema = schema;
    session.schema_late = true;
  } else if (!schema.is_null()) {
    fail_at_start(session,
                  "An internal error ended the session (WeakMap keys must be objects or "
                  "non-registered symbols).");
  }
  // The servers are greeted before the host hears that we are up.
  const Json& manifests = member(request, "sdkMcpServerManifests");
  for (const std::string name : servers)
    session.mcp.add_sdk_server(name, member(manifests, name.c_str()));
  start_configured_servers(session);
  reply.also("pending_permission_requests", Json::array());
  reply.also("pending_user_dialog_requests", Json::array());
  Json parked = Json::object();
  for (const auto& [name, manifest] : manifests.items()) parked[name] = "parked";
  reply.success(initialize_payload(session, hooks.is_object(), parked));
  if (std::exchange(session.initialized, true)) return send_task_list(session);
  session.work.open();
  if (session.hooks.any("ConfigChange")) session.loop.spawn(watch_settings(session));
}

Task<void> abort_after_agents(Session& session, Turn* turn) {
  co_await Yield(session.loop);  // their last words come first
  if (session.turn == turn) turn->abort.fire();
}

void interrupt_turn(Session& session, const Json& request, Reply& reply) {
  Json receipt = Json::object();
  receipt["still_queued"] = Json::array();
  const bool drop = flag_of(request, "cancel_queued");
  const bool running = interrupt(session);
  const std::vector<Turn*> agents = stop_agents(session);
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
  reply.success(receipt);
  for (Turn* agent : agents) agent->abort.fire();
  if (running && agents.empty()) session.turn->abort.fire();
  if (running && !agents.empty()) session.loop.spawn(abort_after_agents(session, session.turn));
}

void set_permission_mode(Session& session, const Json& request, Reply& reply) {
  const std::string mode = text_of(request, "mode");
  if (!is_permission_mode(mode))
    return reply.error(
        "Cannot set permission mode: must be one of acceptEdits, auto, "
        "bypassPermissions, default, dontAsk, plan",
        "invalid_mode");
  if (mode == "bypassPermissions" && !session.permissions.bypass_allowed)
    return reply.error(
        "Cannot set permission mode to bypassPermissions because the session was "
        "not launched with --dangerously-skip-permissions",
        "bypass_not_launched");
  const bool changes = session.permissions.mode != mode;
  session.permissions.set_mode(mode);
  Json payload = Json::object();
  payload["mode"] = mode;
  reply.success(payload);
  if (changes) send_mode(session);
}

// Once there is a conversation, a change of the model shows in it.
void change_model(Session& session, const std::string& shown, const std::string& model) {
  const bool began = session.results > 0 || session.turn;
  if (std::exchange(session.model, model) == model || !began) return;
  const std::string name = shown == model ? model : shown + " (" + model + ")";
  const std::string text =
      "<local-command-stdout>Set model to `" + name + "`</local-command-stdout>";
  session.send(replayed_line(session, text, session.ids.uuid()));
}

HookCall switch_hook(const Session& session, const char* event, const std::string& from,
                     const std::string& to, const std::string& wanted) {
  const long long tokens = session.ledger.last_tokens();
  HookCall hook{event, "", Json::object(), "", nullptr};
  hook.fields["from_model"] = from;
  hook.fields["to_model"] = to;
  hook.fields["requested_model"] = wanted;
  hook.fields["source"] = "sdk";
  hook.fields["context_tokens"] = tokens;
  hook.fields["prompt_cache_warm"] = true;
  hook.fields["cache_ttl"] = "5m";
  hook.fields["estimated_cache_write_usd"] = cache_write_usd(to, tokens);
  hook.fields["pricing"] = "catalog";
  return hook;
}

// With hooks for it, a switch waits for them.
Task<void> switch_model(Session& session, std::string wanted, Reply reply) {
  const std::string from = session.model, to = session.resolved_model(wanted);
  const Agent nobody;
  HookCall before = switch_hook(session, "PreModelSwitch", from, to, wanted);
  co_await session.hooks.call(session, nobody, before);
  change_model(session, wanted, to);
  Json payload = Json::object();
  payload["model"] = to;
  reply.success(payload);
  HookCall after = switch_hook(session, "PostModelSwitch", from, to, wanted);
  co_await session.hooks.call(session, nobody, after);
}

void set_model(Session& session, const Json& request, Reply& reply) {
  const Json& wanted = member(request, "model");
  if (!wanted.is_null() && !wanted.is_string()) {
    Json extra = Json::object();
    extra["model"] = session.model;
    return reply.error("set_model: model must be a string", "invalid_request", extra);
  }
  const std::string name = wanted.is_string() ? wanted.get<std::string>() : session.default_model;
  const bool heard = session.hooks.any("PreModelSwitch") || session.hooks.any("PostModelSwitch");
  if (heard && session.results > 0 && session.resolved_model(name) != session.model)
    return session.loop.spawn(switch_model(session, name, reply));
  change_model(session, name, session.resolved_model(name));
  Json payload = Json::object();
  payload["model"] = session.model;
  reply.success(payload);
}

void set_max_thinking_tokens(Session&, const Json& request, Reply& reply) {
  const Json& tokens = member(request, "max_thinking_tokens");
  if (!tokens.is_null() && !tokens.is_number_integer())
    return reply.error(
        "set_max_thinking_tokens: max_thinking_tokens must be an integer or null "
        "and thinking_display must be \"summarized\", \"omitted\", \"highlights\", "
        "or null");
  reply.ack();
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

void apply_flag_settings(Session& session, const Json& request, Reply& reply) {
  const Json& settings = member(request, "settings");
  if (!settings.is_object())
    return reply.error("apply_flag_settings requires `settings` to be an object, got undefined");
  if (member(settings, "model").is_string()) {
    const std::string model = session.resolved_model(text_of(settings, "model"));
    change_model(session, model, model);
  }
  session.settings.flags.merge_patch(settings);
  session.permissions.replace_rules(member(session.settings.flags, "permissions"), "flagSettings");
  reply.ack();
}

void update_settings(Session& session, const Json& request, Reply& reply) {
  const std::string source = text_of(request, "source");
  if (source != "localSettings" && source != "userSettings")
    return reply.error("update_settings: unsupported source " + source);
  const std::string allowed = source == "localSettings" ? "outputStyle" : "effortLevel";
  for (const auto& [key, value] : member(request, "settings").items())
    if (key != allowed) return reply.error("update_settings keys not allowed: " + key);
  Json values = member(request, "settings");
  if (source == "userSettings") {  // the effort is one model's
    Json of_model = Json::object();
    of_model["modelSettings"][session.model] = values;
    values = of_model;
  }
  write_settings(session.settings, session.permissions.root, source, values);
  reply.success(Json::object());
}

void rename_session(Session& session, const Json& request, Reply& reply) {
  session.transcript.add_title(text_of(request, "title"));
  session.rename(text_of(request, "title"));
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
  const std::string id = text_of(request, "task_id");
  Turn* agent = stop_agent(session, id);
  if (!agent) stop_background_task(session, id);
  reply.success(Json::object());
  if (agent) agent->abort.fire();
}

// The model answers it beside the conversation, with a turn of the scenario.
void side_question(Session& session, const Json& request, Reply& reply) {
  TurnScript script = session.scenario.turn_for(text_of(request, "question"));
  Json payload = Json::object();
  payload["response"] = script.steps.done() ? "ok" : text_of(script.steps.peek(), "text", "ok");
  payload["synthetic"] = false;
  Json line = system_line("control_request_progress");
  line["request_id"] = reply.id();
  line["status"] = "started";
  session.send_signed(line);
  reply.success(payload);
}

Task<void> leave_when_over(Session& session, bool aborted) {
  while (session.turn)
    co_await Wait(session.loop, nullptr, nullptr, Clock::now() + std::chrono::milliseconds(1));
  stop_commands(session);
  session.exit(aborted ? 1 : 0);
}

void end_session(Session& session, const Json&, Reply& reply) {
  const bool running = interrupt(session);
  reply.ack();
  if (running) session.turn->abort.fire();
  session.queue.clear();
  session.loop.spawn(leave_when_over(session, running));
}

void ack_only(Session&, const Json&, Reply& reply) {
  reply.ack();
}

const std::map<std::string, Handler, std::less<>>& handlers() {
  static const std::map<std::string, Handler, std::less<>> kHandlers{
      {"initialize", initialize},
      {"interrupt", interrupt_turn},
      {"set_permission_mode", set_permission_mode},
      {"set_model", set_model},
      {"set_max_thinking_tokens", set_max_thinking_tokens},
      {"rewind_files", rewind_files},
      {"apply_flag_settings", apply_flag_settings},
      {"update_settings", update_settings},
      {"seed_read_state", ack_only},
      {"rename_session", rename_session},
      {"set_has_subscribers", ack_only},
      {"set_prompt_suggestions_paused", ack_only},
      {"cancel_async_message", cancel_async_message},
      {"stop_task", stop_task},
      {"side_question", side_question},
      {"end_session", end_session},
  };
  return kHandlers;
}

}  // namespace

void take_control_request(Session& session, const Json& line) {
  const Json& request = member(line, "request");
  Reply reply(session, line);
  const std::string subtype = text_of(request, "subtype");
  const auto found = handlers().find(subtype);
  Handler handler = found != handlers().end() ? found->second : mcp_request(subtype);
  if (!handler) handler = inquiry(subtype);
  if (handler) return handler(session, request, reply);
  reply.error("Unsupported control request subtype: " + text_of(request, "subtype", "undefined"),
              "unsupported_request");
}

}  // namespace claude::sim
