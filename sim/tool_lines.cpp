// Builders and senders of the lines that a tool call leaves behind.
#include "tool_lines.h"

#include <algorithm>

namespace claude::sim {
namespace {

Json block_of(const ToolCall& call, const ToolOutcome& outcome) {
  Json block = Json::object();
  const bool id_last = outcome.is_error || outcome.id_at_end;
  if (!id_last) block["tool_use_id"] = call.id;
  block["type"] = "tool_result";
  block["content"] = outcome.content;
  if (outcome.is_error)
    block["is_error"] = true;
  else if (outcome.says_ok)
    block["is_error"] = false;
  if (id_last) block["tool_use_id"] = call.id;
  return block;
}

}  // namespace

std::string canonical(const std::string& name) {
  return name == "Task" ? "Agent" : name;
}

Json meta_of(const ToolCall& call, const Permit& permit) {
  Json meta = Json::object();
  meta["id"] = call.id;
  if (!permit.allowed && !permit.bad_input)
    meta["non_execution_kind"] = permit.nobody_to_ask ? "user-rejected" : "permission-rule";
  if (permit.reason_type == "classifier") meta["non_execution_kind"] = "automode-unavailable";
  Json& decision = meta["permission_decision"];
  decision["decision"] = permit.allowed ? "accept" : "reject";
  decision["source"] = permit.source;
  if (!permit.reason_type.empty()) decision["reason_type"] = permit.reason_type;
  return meta;
}

Json tool_result_line(Session& session, const Agent& agent, const ToolCall& call,
                      const ToolOutcome& outcome, const Json& meta) {
  Json line = user_line(session, agent, Json::array({block_of(call, outcome)}));
  Json tail = Json::object();
  if (!agent.id.empty()) {
    // A subagent's results say less, and who it is comes last.
    line.erase("subagent_type");
    line.erase("task_description");
    tail["subagent_type"] = agent.type;
    tail["task_description"] = agent.description;
  }
  if (agent.id.empty() || outcome.is_error) line["tool_use_result"] = outcome.result;
  if (!meta.is_null()) line["tool_result_meta"] = Json::array({meta});
  line.update(tail);
  return line;
}

void send_result(Session& session, Turn& turn, const Agent& agent, const ToolCall& call,
                 const ToolOutcome& outcome, const Json& meta) {
  session.send(tool_result_line(session, agent, call, outcome, meta));
  if (agent.id.empty()) ++turn.user_lines;
}

ToolOutcome rejection(const std::string& text, const char* result) {
  ToolOutcome outcome = tool_failure(text);
  outcome.result = result;
  return outcome;
}

Json rejection_meta(const ToolCall& call, const char* kind) {
  Json meta = Json::object();
  meta["id"] = call.id;
  meta["non_execution_kind"] = kind;
  return meta;
}

void note_denial(Turn& turn, const ToolCall& call) {
  Json row = Json::object();
  row["tool_name"] = canonical(call.name);
  row["tool_use_id"] = call.id;
  row["tool_input"] = call.input;
  turn.denials.push_back(row);
}

void announce_denial(Session& session, const Agent& agent, const ToolCall& call,
                     const Decision& decision) {
  if (decision.reason_type == "classifier" && !std::exchange(session.judge_missed, true)) {
    Json note = system_line("informational");
    note["content"] = "Auto mode can't check actions in this session.";
    note["isMeta"] = false;
    note["timestamp"] = timestamp();
    note["uuid"] = session.ids.uuid();
    note["level"] = "warning";
    note["tag"] = "auto_mode_no_server_check";
    note["session_id"] = session.id;
    session.send(note);
  }
  Json line = system_line("permission_denied");
  line["tool_name"] = canonical(call.name);
  line["tool_use_id"] = call.id;
  if (!agent.id.empty()) line["agent_id"] = agent.id;
  if (!decision.reason_type.empty()) line["decision_reason_type"] = decision.reason_type;
  for (const char* key : {"decision_reason_type", "decision_reason"})  // of a question to nobody
    if (has(decision.ask_fields, key)) line[key] = decision.ask_fields[key];
  if (decision.reason_type == "asyncAgent")
    line["decision_reason"] =
        "no approval surface in this session; permission request denied automatically";
  if (decision.reason_type == "classifier") {
    line["decision_reason_code"] = "auto_mode_no_check_in_session";
    line["decision_reason"] = "Classifier unavailable";
  }
  line["message"] = decision.message;
  session.send_signed(line);
}

void count_lines(AgentTally& tally, const Json& result) {
  const Json& content = member(result, "content");
  if (text_of(result, "type") == "create" && content.is_string()) {
    const std::string text = content;
    tally.lines_added += static_cast<int>(std::ranges::count(text, '\n')) +
                         (text.empty() || text.ends_with('\n') ? 0 : 1);
  }
  for (const Json& hunk : member(result, "structuredPatch"))
    for (const Json& line : member(hunk, "lines")) {
      tally.lines_added += line.get_ref<const std::string&>().starts_with('+') ? 1 : 0;
      tally.lines_removed += line.get_ref<const std::string&>().starts_with('-') ? 1 : 0;
    }
}

Permissions permissions_of(const Session& session, const Agent& agent) {
  Permissions permissions = session.permissions;
  const std::string mode = text_of(member(session.agents, agent.type.c_str()), "permissionMode");
  if (is_permission_mode(mode) && (permissions.mode == "default" || permissions.mode == "plan"))
    permissions.mode = mode;
  return permissions;
}

}  // namespace claude::sim
