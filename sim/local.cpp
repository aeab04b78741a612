// Slash commands that the CLI answers itself: no model, a result at once.
#include <algorithm>
#include <array>

#include "dialogs.h"
#include "turn.h"

namespace claude::sim {
namespace {

struct Command {
  std::string said;  // its name as the prompt says it
  std::string name;
  std::string arguments;
};

std::string known_name(const std::string& said) {
  if (said == "cost" || said == "stats") return "usage";
  if (said == "reset" || said == "new") return "clear";
  return said;
}

std::optional<Command> command_of(const std::string& prompt) {
  if (!prompt.starts_with("/")) return std::nullopt;
  const std::size_t blank = prompt.find(' ');
  const std::string said = prompt.substr(1, blank - 1);
  Command command{said, known_name(said), ""};
  if (blank != prompt.npos) command.arguments = prompt.substr(blank + 1);
  for (const char* name : {"compact", "clear", "context", "usage", "model", "rename", "help"})
    if (command.name == name) return command;
  return std::nullopt;  // the model gets what the CLI does not know
}

std::string in_output_tags(const std::string& text) {
  return "<local-command-stdout>" + text + "</local-command-stdout>";
}

Ending ended(const Command& command, const std::string& text) {
  Ending ending;
  ending.without_model = true;
  ending.result = text;
  if (command.name != "help") ending.local_command = command.said;
  return ending;
}

// claude-haiku-5-5 is Haiku 5.5.
std::string display_name(const std::string& model) {
  std::string name = model.starts_with("claude-") ? model.substr(7) : model;
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  for (std::size_t at = name.rfind('-'); at != name.npos; at = name.rfind('-'))
    name[at] = name.find('-') == at ? ' ' : '.';
  return name;
}

// What the command does, and what it says of it.
std::string run(Session& session, const Command& command) {
  if (command.name == "model") {
    session.model = session.resolved_model(command.arguments);
    return "Set model to `" + display_name(session.model) + "` for this session only";
  }
  if (command.name == "rename") {
    session.rename(command.arguments);
    return "Session renamed to: " + session.title;
  }
  if (command.name == "context")
    return "## Context Usage\n\n**Model:** " + session.model + "  \n**Tokens:** 10.4k / 1m (1%)";
  if (command.name == "usage") return total_cost(session);
  return "/" + command.name + " isn't available in this environment.";
}

void send_answer(Session& session, const Command& command, const std::string& text,
                 bool failed = false) {
  Json line = synthetic_assistant(session, text);
  line["message"]["stop_reason"] = "end_turn";
  line["message"]["stop_sequence"] = nullptr;
  Json ordered = Json::object();
  for (const char* key : {"type", "message", "parent_tool_use_id"}) ordered[key] = line[key];
  ordered["local_command_source"] =
      failed ? "<local-command-stderr>" + text + "</local-command-stderr>" : in_output_tags(text);
  for (const char* key : {"session_id", "uuid", "timestamp"}) ordered[key] = line[key];
  if (failed) ordered["local_command_outcome"]["kind"] = "failed";
  if (command.name == "help") {
    ordered["local_command_outcome"]["kind"] = "unavailable_headless";
  } else {
    ordered["local_command_run"]["command"] = command.name;
    ordered["local_command_run"]["args"] = command.arguments;
  }
  session.output.put(dump(ordered) + "\n");  // it is no part of the conversation
}

Task<void> call_hook(Session& session, Agent agent, HookCall hook) {
  [[maybe_unused]] const std::vector<HookReply> replies =
      co_await session.hooks.call(session, agent, hook);
}

HookCall hook_of(const char* event, const char* subject, Json fields, Turn& turn) {
  return HookCall{event, subject, std::move(fields), "", &turn.abort};
}

Json field(const char* key, const char* value) {
  Json fields = Json::object();
  fields[key] = value;
  return fields;
}

Task<Ending> clear(Session& session, Turn& turn, Command command) {
  const Agent nobody;
  HookCall ends = hook_of("SessionEnd", "clear", field("reason", "clear"), turn);
  co_await call_hook(session, nobody, ends);
  Json reset = Json::object();
  reset["type"] = "conversation_reset";
  reset["new_conversation_id"] = session.ids.uuid();
  reset["uuid"] = reset["new_conversation_id"];
  reset["trigger"] = "clear";
  reset["user_message_uuid"] = turn.prompts[0].uuid;
  reset["timestamp"] = timestamp();
  reset["session_id"] = session.id;
  session.send(reset);
  send_task_list(session);
  session.id = session.ids.uuid();
  session.prompt_id.clear();
  session.ledger.clear();
  // The title stays; the CLI says so twice.
  for (int i = 0; i < 2 && !session.title.empty(); ++i) session.rename(session.title);
  HookCall starts = hook_of("SessionStart", "clear", field("source", "clear"), turn);
  co_await call_hook(session, nobody, starts);
  session.send(init_line(session, turn));
  co_return ended(command, "");
}

Json compact_fields(const Command& command) {
  Json fields = Json::object();
  fields["trigger"] = "manual";
  fields["custom_instructions"] = command.arguments.empty() ? Json() : Json(command.arguments);
  return fields;
}

// The summary is written by a fork of the conversation, which ends as a subagent does.
Json fork_fields(const Session& session, const Agent& fork, const std::string& summary) {
  Json fields = Json::object();
  fields["stop_hook_active"] = false;
  fields["agent_transcript_path"] = session.transcript.path_of_agent(fork.id);
  fields["last_assistant_message"] = summary;
  fields["background_tasks"] = Json::array();
  fields["session_crons"] = Json::array();
  return fields;
}

void send_boundary(Session& session, const std::string& summary_uuid) {
  const std::vector<std::string> kept = session.transcript.rounds().kept();
  Json line = system_line("compact_boundary");
  line["session_id"] = session.id;
  line["uuid"] = session.ids.uuid();
  Json& about = line["compact_metadata"];
  about["trigger"] = "manual";
  about["pre_tokens"] = 120;
  about["post_tokens"] = 20;
  about["cumulative_dropped_tokens"] = 0;
  about["duration_ms"] = 0;
  if (!kept.empty()) {
    Json& segment = about["preserved_segment"];
    segment["head_uuid"] = kept.front();
    segment["anchor_uuid"] = summary_uuid;
    segment["tail_uuid"] = kept.back();
    Json& messages = about["preserved_messages"];
    messages["anchor_uuid"] = summary_uuid;
    messages["uuids"] = messages["all_uuids"] = kept;
  }
  line["logical_parent_uuid"] = kept.empty() ? session.ids.uuid() : kept.back();
  session.send(line);
}

void send_status(Session& session, const Json& status, const char* result,
                 const std::string& error = {}) {
  Json line = system_line("status");
  line["status"] = status;
  if (result) line["compact_result"] = result;
  if (!error.empty()) line["compact_error"] = error;
  session.send_signed_late(line);
}

// Of hooks that were heard, with what they say to people.
std::string heard_of(const char* event, const std::vector<HookReply>& replies) {
  if (replies.empty()) return {};
  std::string line = std::string(event) + " [callback] completed successfully";
  for (const HookReply& reply : replies)
    if (const std::string said = text_of(reply.output, "systemMessage"); !said.empty())
      line += ": " + said;
  return line;
}

bool is_blocked(const std::vector<HookReply>& replies) {
  return std::ranges::any_of(
      replies, [](const HookReply& reply) { return member(reply.output, "decision") == "block"; });
}

// `shown`: what the result says of it.
Ending not_compacted(Session& session, const Turn& turn, const Command& command,
                     const std::string& text, const std::string& shown) {
  session.send(init_line(session, turn));
  send_answer(session, command, text, true);
  return ended(command, shown);
}

Task<Ending> compact(Session& session, Turn& turn, Command command) {
  const std::string summary = "<summary>A scripted summary.</summary>";
  const Agent nobody;
  if (session.transcript.is_empty())
    co_return not_compacted(session, turn, command, "Error: No messages to compact", "");
  Agent fork;
  fork.id = session.ids.task('a');
  send_status(session, "compacting", nullptr);
  HookCall before = hook_of("PreCompact", "manual", compact_fields(command), turn);
  const std::vector<HookReply> allowed = co_await session.hooks.call(session, nobody, before);
  if (is_blocked(allowed)) {
    const std::string text = "Compaction blocked by PreCompact hook: [callback]";
    send_status(session, nullptr, "failed", "skipped: " + text);
    co_return not_compacted(session, turn, command, text, text);
  }
  session.ledger.add(session.model, session.ledger.price(Json(), Json(), session.model), 0, true);
  HookCall forked = hook_of("SubagentStop", "", fork_fields(session, fork, summary), turn);
  co_await call_hook(session, fork, forked);
  Json start = Json::object();
  start["source"] = "compact";
  start["model"] = session.model;
  HookCall started = hook_of("SessionStart", "compact", start, turn);
  co_await call_hook(session, nobody, started);
  Json done = Json::object();
  done["trigger"] = "manual";
  done["compact_summary"] = summary;
  HookCall after = hook_of("PostCompact", "manual", done, turn);
  const std::vector<HookReply> told_after = co_await session.hooks.call(session, nobody, after);
  send_status(session, nullptr, "success");
  session.send(init_line(session, turn));
  const std::string summary_uuid = session.ids.uuid();
  send_boundary(session, summary_uuid);
  Json told = replayed_line(session,
                            "This session is being continued from a previous conversation that ran "
                            "out of context. " +
                                summary,
                            summary_uuid);
  told["isReplay"] = false;
  told["isSynthetic"] = true;
  session.send(told);
  const std::string first = heard_of("PreCompact", allowed);
  const std::string last = heard_of("PostCompact", told_after);
  const std::string heard = first + (first.empty() || last.empty() ? "" : "\n") + last;
  session.send(replayed_line(session, in_output_tags("Compacted " + heard), session.ids.uuid()));
  co_return ended(command, "");
}

}  // namespace

Task<std::optional<Ending>> run_local_command(Session& session, Turn& turn) {
  std::optional<Ending> ending;
  if (turn.prompts[0].composed) co_return ending;
  const std::optional<Command> command = command_of(turn.prompts[0].text);
  if (!command) co_return ending;
  if (command->name == "compact") {
    ending = co_await compact(session, turn, *command);
  } else if (command->name == "clear") {
    ending = co_await clear(session, turn, *command);
  } else {
    const Json init = init_line(session, turn);  // as it was before the command
    const std::string text = run(session, *command);
    session.send(init);
    send_answer(session, *command, text);
    ending = ended(*command, text);
  }
  co_return ending;
}

}  // namespace claude::sim
