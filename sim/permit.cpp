// can_use_tool, and the PermissionRequest hooks that race it.
#include "turn.h"

namespace claude::sim {
namespace {

constexpr const char* kInvalid =
    "The canUseTool callback returned an invalid permission result. Expected {behavior: 'allow', "
    "updatedInput?: object} or {behavior: 'deny', message: string}. updatedPermissions may hold at "
    "most 4096 updates, rules and directories in all.";

Json request_of(Session& session, const Agent& agent, const ToolCall& call, const Json& fields) {
  const std::string name = call.name == "Task" ? "Agent" : call.name;
  Json request = Json::object();
  request["subtype"] = "can_use_tool";
  request["tool_name"] = name;
  std::string shown = name;
  std::string bare;
  bool calls_program = false;
  if (McpServer* server = session.mcp.find_tool(name, bare)) {
    request["mcp_server"]["name"] = server->name;
    request["mcp_server"]["source"] = server->source();
    calls_program = server->is_program();
    shown = bare;
    shown[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(shown[0])));
  }
  request["display_name"] = shown;
  request["input"] = call.input;
  const bool interactive = has(fields, "requires_user_interaction");
  if (!interactive) request.update(fields);
  // Seen on the CLI where a hook looks at a call of a program, and nowhere else.
  if (calls_program && has(fields, "server_policy_ask_only") &&
      session.hooks.any("PermissionRequest"))
    request["server_policy_ask_only"] = false;
  request["tool_use_id"] = call.id;
  if (!agent.id.empty()) request["agent_id"] = agent.id;
  if (interactive) request["requires_user_interaction"] = true;
  return request;
}

Permit refusal(const std::string& message, const char* source, const char* reason_type) {
  Permit permit;
  permit.message = message;
  permit.source = source;
  permit.reason_type = reason_type;
  return permit;
}

void apply_updates(Session& session, const Json& updates) {
  const std::string mode = session.permissions.apply(updates);
  if (mode.empty()) return;
  Json line = system_line("status");
  line["status"] = nullptr;
  line["permissionMode"] = mode;
  session.send_signed(line);
}

// An allow, by the host or by a hook: with its input, if that fits the tool.
Permit allowed(Session& session, const ToolCall& call, const Json& answer) {
  Permit permit;
  permit.input = has(answer, "updatedInput") ? answer["updatedInput"] : call.input;
  if (!fits_schema(call.name, permit.input)) {
    permit.message = "<tool_use_error>The permission handler returned updatedInput for " +
                     call.name + " that failed schema validation.</tool_use_error>";
    permit.source = "permission_updated_input_invalid";
    permit.bad_input = true;
    return permit;
  }
  permit.allowed = true;
  permit.source = "user_temporary";
  apply_updates(session, member(answer, "updatedPermissions"));
  return permit;
}

Permit judge(Session& session, Turn& turn, const Agent& agent, const ToolCall& call,
             const Answer& answer) {
  if (answer.closed)
    return refusal(
        "Tool permission request failed: AbortError: Tool permission stream closed "
        "before response received",
        "config", "other");
  if (!answer.success)
    return refusal("Tool permission request failed: Error: " + answer.error, "config", "other");
  const Json& said = answer.payload;
  const std::string behavior = text_of(said, "behavior");
  const bool input_fits = !has(said, "updatedInput") || said["updatedInput"].is_object();
  if (behavior == "allow" && input_fits) return allowed(session, call, said);
  if (behavior != "deny" || !member(said, "message").is_string())
    return refusal(kInvalid, "config", "other");
  if (flag_of(said, "interrupt") && !agent.id.empty()) {
    Permit permit;
    permit.ends_agent = true;
    return permit;
  }
  if (flag_of(said, "interrupt")) {
    turn.withdrawn.push_back(call.id);
    turn.abort.fire();
    throw Interrupted{};
  }
  return refusal(text_of(said, "message"), "user_reject", "");
}

// What both sides of the race look at.
struct Race {
  std::shared_ptr<Gate> gate = std::make_shared<Gate>();
  Abort over;     // fires when somebody has won: the hooks must not outlive the turn
  Json decision;  // of a hook
  bool hook_timed_out = false;
};

struct RaceEnd {
  Race& race;
  ~RaceEnd() { race.over.fire(); }
};

HookCall request_hook(const ToolCall& call, const Json& fields) {
  HookCall hook{"PermissionRequest", call.name, Json::object(), call.id, nullptr};
  hook.fields["tool_name"] = call.name;
  hook.fields["tool_input"] = call.input;
  if (has(fields, "permission_suggestions"))
    hook.fields["permission_suggestions"] = fields["permission_suggestions"];
  return hook;
}

// Of the first hook that has one; null: none has.
Json decision_in(const std::vector<HookReply>& replies) {
  for (const HookReply& reply : replies)
    if (const Json& decision = member(member(reply.output, "hookSpecificOutput"), "decision");
        decision.is_object())
      return decision;
  return nullptr;
}

Task<void> race_hooks(Session& session, Agent agent, HookCall call, std::shared_ptr<Race> race) {
  call.abort = &race->over;
  try {
    const std::vector<HookReply> replies = co_await session.hooks.call(session, agent, call);
    race->decision = decision_in(replies);
    for (const HookReply& reply : replies)
      race->hook_timed_out |= reply.kind == HookReply::Kind::timed_out;
  } catch (const Interrupted&) {
  }
  race->gate->open();
}

Permit hook_permit(Session& session, Turn& turn, const ToolCall& call, const Json& decision) {
  if (text_of(decision, "behavior") == "allow") {
    Permit permit = allowed(session, call, decision);
    if (permit.allowed) permit.source = permit.reason_type = "hook";
    return permit;
  }
  if (flag_of(decision, "interrupt")) turn.abort.fire();
  return refusal(text_of(decision, "message", "Permission denied by hook"), "hook", "hook");
}

}  // namespace

Task<std::optional<Permit>> ask_hooks(Session& session, Turn& turn, Agent agent, ToolCall call,
                                      Json fields) {
  HookCall hook = request_hook(call, fields);
  hook.abort = &turn.abort;
  Json decision;
  try {
    decision = decision_in(co_await session.hooks.call(session, agent, hook));
  } catch (const Interrupted&) {
  }
  if (decision.is_null()) co_return std::nullopt;
  co_return hook_permit(session, turn, call, decision);
}

Task<Permit> ask_host(Session& session, Turn& turn, Agent agent, ToolCall call, Json fields) {
  const auto race = std::make_shared<Race>();
  const RaceEnd end{*race};
  Json request = request_of(session, agent, call, fields);
  const AskPtr ask = session.asks.send(Ask::Kind::permission, std::move(request), race->gate);
  if (session.hooks.any("PermissionRequest"))
    session.loop.spawn(race_hooks(session, agent, request_hook(call, fields), race));
  for (;;) {
    co_await Wait(session.loop, race->gate.get(), &turn.abort, std::nullopt);
    race->gate->close();
    if (ask->answer) {
      Permit permit = judge(session, turn, agent, call, *ask->answer);
      co_return permit;
    }
    if (!race->decision.is_null()) {
      session.asks.withdraw(ask);
      Permit permit = hook_permit(session, turn, call, race->decision);
      if (turn.abort.fired()) throw Interrupted{};
      co_return permit;
    }
    if (race->hook_timed_out) {
      session.asks.forget(ask);
      co_return refusal("Tool permission request failed: AbortError", "config", "other");
    }
  }
}

}  // namespace claude::sim
