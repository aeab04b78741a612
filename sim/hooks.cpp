// Matchers, the input of each event, the shape of an answer, and waiting for several at once.
#include "hooks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <set>
#include <sstream>

#include "lines.h"
#include "session.h"

namespace claude::sim {
namespace {

constexpr double kDefaultTimeout = 600;
constexpr std::chrono::seconds kHeartbeat(30);

// The host hears that the CLI still waits for its PreToolUse hook.
void send_heartbeat(Session& session, const HookCall& call, int number) {
  Json line = Json::object();
  line["type"] = "tool_progress";
  line["tool_use_id"] =
      "hook-PreToolUse-" + call.tool_use_id + "-heartbeat-" + std::to_string(number);
  line["tool_name"] = "PreToolUse";
  line["parent_tool_use_id"] = call.tool_use_id;
  line["elapsed_time_seconds"] = (kHeartbeat * (number + 1)).count();
  line["heartbeat"] = true;
  session.send_signed(line);
}

double timeout_of(const Json& entry) {
  const Json& value = member(entry, "timeout");
  double seconds = 0;
  if (value.is_number()) seconds = value.get<double>();
  if (value.is_string()) seconds = std::atof(value.get<std::string>().c_str());
  return seconds == 0 ? kDefaultTimeout : seconds;
}

bool is_plain_name(const std::string& matcher) {
  return std::ranges::all_of(matcher, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '|' || c == ',' || c == ' ';
  });
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

bool one_of(const Json& value, std::initializer_list<const char*> allowed) {
  return value.is_null() || std::ranges::any_of(allowed, [&](auto* name) { return value == name; });
}

// The CLI's schema, as far as an answer can fail it.
HookReply::Kind judge(const Json& output, const std::string& event) {
  using Kind = HookReply::Kind;
  if (!output.is_object()) return Kind::failed;
  const Json& go_on = member(output, "continue");
  if (!go_on.is_null() && !go_on.is_boolean()) return Kind::failed;
  if (!one_of(member(output, "decision"), {"approve", "block"})) return Kind::failed;
  if (!has(output, "hookSpecificOutput")) return Kind::output;
  const Json& specific = output["hookSpecificOutput"];
  if (!member(specific, "hookEventName").is_string()) return Kind::failed;
  const std::string named = text_of(specific, "hookEventName");
  if (named == event &&
      !one_of(member(specific, "permissionDecision"), {"allow", "deny", "ask", "defer"}))
    return Kind::failed;
  return named == event ? Kind::output : Kind::misplaced;
}

Json request_of(const std::string& callback_id, const Json& input, const std::string& tool_use_id) {
  Json request = Json::object();
  request["subtype"] = "hook_callback";
  request["callback_id"] = callback_id;
  request["input"] = input;
  request["tool_use_id"] = tool_use_id;
  return request;
}

Json input_of(Session& session, const Agent& agent, const HookCall& call) {
  // Events of tools and stops say more of the state than these.
  static const std::set<std::string, std::less<>> kBare{
      "SessionStart",       "SessionEnd",     "SubagentStart",   "StopFailure",    "PreCompact",
      "PostCompact",        "PreModelSwitch", "PostModelSwitch", "MessageDisplay", "DirectoryAdded",
      "InstructionsLoaded", "ConfigChange",   "WorktreeCreate",  "WorktreeRemove", "Elicitation",
      "ElicitationResult",  "Notification"};
  const bool bare = kBare.contains(call.event);
  Json input = Json::object();
  input["session_id"] = session.id;
  input["transcript_path"] = session.transcript.path();
  input["cwd"] = session.cwd;
  if (!session.prompt_id.empty()) input["prompt_id"] = session.prompt_id;
  if (!bare) input["permission_mode"] = session.permissions.mode;
  if (!agent.id.empty()) {
    input["agent_id"] = agent.id;
    input["agent_type"] = agent.type;
  }
  const bool speaks_of_effort = !bare && !call.event.starts_with("UserPrompt");
  if (speaks_of_effort || call.event == "StopFailure") input["effort"]["level"] = "medium";
  input["hook_event_name"] = call.event;
  input.update(call.fields);
  std::string tool;
  if (const McpServer* server = session.mcp.find_tool(text_of(call.fields, "tool_name"), tool)) {
    input["mcp_server"]["name"] = server->name;
    input["mcp_server"]["source"] = server->source();
  }
  return input;
}

HookReply reply_of(const Ask& ask, const std::string& event) {
  HookReply reply;
  if (ask.answer->closed) {
    reply.kind = HookReply::Kind::closed;
  } else if (!ask.answer->success) {
    reply.kind = HookReply::Kind::failed;
  } else {
    reply.kind = judge(ask.answer->payload, event);
    if (reply.kind == HookReply::Kind::output) reply.output = ask.answer->payload;
  }
  return reply;
}

}  // namespace

void report_failure(Session& session, const std::string& event, const HookReply& reply) {
  std::string text = event + ": Hook callback " + reply.callback_id +
                     " failed: the SDK host replied with an error or an invalid answer. ";
  text += reply.blocks_on_failure ? "onFailure is \"block\", so this failure counts as a block."
                                  : "Its answer was treated as empty.";
  Json line = system_line("informational");
  line["content"] = text;
  line["level"] = "warning";
  line["tag"] = "hook_callback_failed";
  session.send_signed(line);
  complain("Error in hook callback " + reply.callback_id + ": error or invalid answer\n");
}

bool matches(const std::optional<std::string>& matcher, const std::string& subject) {
  if (!matcher || matcher->empty() || *matcher == "*") return true;
  if (is_plain_name(*matcher)) {
    std::string names = *matcher;
    std::ranges::replace(names, '|', ',');
    std::istringstream list(names);
    for (std::string part; std::getline(list, part, ',');)
      if (const std::string name = trimmed(part);
          name == subject || (name == "Task" && subject == "Agent"))
        return true;
    return false;
  }
  try {
    return std::regex_search(subject, std::regex(*matcher));
  } catch (const std::regex_error&) {
    return false;
  }
}

bool Hooks::replace(const Json& hooks) {
  if (hooks.is_null()) return true;
  if (!hooks.is_object()) return false;
  std::vector<Entry> entries;
  for (const auto& [event, list] : hooks.items()) {
    if (!list.is_array()) return false;
    for (const Json& item : list) {
      const Json& ids = member(item, "hookCallbackIds");
      const Json& matcher = member(item, "matcher");
      if (!ids.is_array() || !(matcher.is_null() || matcher.is_string())) return false;
      for (const Json& id : ids) {
        if (!id.is_string()) return false;
        Entry entry{event, std::nullopt, id.get<std::string>(), timeout_of(item),
                    member(item, "onFailure") == "block"};
        if (matcher.is_string()) entry.matcher = matcher.get<std::string>();
        entries.push_back(std::move(entry));
      }
    }
  }
  entries_ = std::move(entries);
  return true;
}

bool Hooks::any(const std::string& event) const {
  return std::ranges::find(entries_, event, &Entry::event) != entries_.end();
}

bool Hooks::any(const std::string& event, const std::string& subject) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    return entry.event == event && matches(entry.matcher, subject);
  });
}

Task<std::vector<HookReply>> Hooks::call(Session& session, Agent agent, HookCall call) const {
  struct Sent {
    AskPtr ask;
    Time deadline;
    bool blocks_on_failure;
    std::string callback_id;
    bool timed_out = false;
  };
  std::vector<Sent> sent;
  const auto gate = std::make_shared<Gate>();
  const Json input = input_of(session, agent, call);
  std::string id = call.tool_use_id;  // the same for all of them
  const Time now = Clock::now();
  const auto kind = call.abort ? Ask::Kind::hook : Ask::Kind::other;  // no turn waits for it
  for (const Entry& entry : entries_) {
    if (entry.event != call.event || !matches(entry.matcher, call.subject)) continue;
    const auto limit = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::max(0.0, entry.timeout_s)));
    if (id.empty()) id = session.ids.uuid();
    AskPtr ask = session.asks.send(kind, request_of(entry.callback_id, input, id), gate);
    sent.push_back(Sent{ask, now + limit, entry.blocks_on_failure, entry.callback_id});
  }
  int beats = 0;
  for (;;) {
    std::optional<Time> next;
    for (const Sent& one : sent) {
      if (one.ask->answer || one.timed_out) continue;
      next = next ? std::min(*next, one.deadline) : one.deadline;
    }
    if (!next) break;
    const Time beat = now + kHeartbeat * (beats + 1);
    const bool beats_next = call.event == "PreToolUse" && beat < *next;
    if (beats_next) next = beat;
    const Woke woke = co_await Wait(session.loop, gate.get(), call.abort, next);
    if (woke == Woke::timed_out && beats_next) send_heartbeat(session, call, beats++);
    gate->close();
    for (Sent& one : sent) {
      if (one.ask->answer || one.timed_out || one.deadline > Clock::now()) continue;
      one.timed_out = true;
      session.asks.withdraw(one.ask);
    }
  }
  std::vector<HookReply> replies;
  for (const Sent& one : sent) {
    HookReply reply;
    if (one.timed_out)
      reply.kind = HookReply::Kind::timed_out;
    else
      reply = reply_of(*one.ask, call.event);
    reply.callback_id = one.callback_id;
    reply.blocks_on_failure = one.blocks_on_failure;
    const bool told_later = call.event == "UserPromptSubmit";  // after the turn's init
    if (reply.kind == HookReply::Kind::failed && !told_later)
      report_failure(session, call.event, reply);
    replies.push_back(std::move(reply));
  }
  co_return replies;
}

}  // namespace claude::sim
