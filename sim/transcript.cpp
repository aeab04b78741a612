// Each row has its keys in the order of CLI 2.1.325; what only its own screens use is left out.
#include "transcript.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "backups.h"
#include "lines.h"
#include "session.h"
#include "world.h"

namespace claude::sim {
namespace {

namespace fs = std::filesystem;

std::string entrypoint() {
  return variable("CLAUDE_CODE_ENTRYPOINT", "sdk-cli");
}

void append(const std::string& path, const std::string& text) {
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, text.data(), text.size());
  ::close(file);
}

// A fork has the messages of its past under an id of its own.
bool is_inherited(const Json& row) {
  return has(row, "uuid") && has(row, "parentUuid");
}

// Of a message that is not complete.
bool is_open(const Json& row) {
  return member(row, "type") == "assistant" && member(row["message"], "stop_reason").is_null();
}

// Nothing before it is part of the conversation any more.
Json boundary_row(const Json& line) {
  Json row = Json::object();
  row["parentUuid"] = nullptr;
  row["logicalParentUuid"] = line["logical_parent_uuid"];
  row["isSidechain"] = false;
  row["type"] = "system";
  row["subtype"] = "compact_boundary";
  row["content"] = "Conversation compacted";
  row["isMeta"] = false;
  row["timestamp"] = timestamp();
  row["uuid"] = line["uuid"];
  row["level"] = "info";
  return row;
}

}  // namespace

void Transcript::open(const Past& past) {
  kept_ = !session_.args.has("--no-session-persistence");
  folder_ = past.folder.empty() ? project_folder(session_.cwd) : past.folder;
  Thread& main = thread_of("");
  main.leaf = past.leaf;
  unanswered_ = past.unanswered;
  breaks_off_ = past.breaks_off;
  for (const Json& row : past.rows)
    if (has(row, "uuid")) rounds_.add(row);
  if (past.id == session_.id) return;
  for (Json row : past.rows) {
    if (!is_inherited(row)) continue;
    row["sessionId"] = session_.id;
    main.waiting.push_back(std::move(row));
  }
}

Transcript::Thread& Transcript::thread_of(const std::string& agent_id) {
  const auto [found, made] = threads_.try_emplace(agent_id);
  if (made) found->second.agent_id = agent_id;
  if (made) found->second.id = session_.id;
  return found->second;
}

std::string Transcript::path() const {
  return folder_ + "/" + session_.id + ".jsonl";
}

std::string Transcript::folder() const {
  const std::string file = path();
  return file.substr(0, file.rfind('.'));
}

bool Transcript::is_empty() const {
  const auto main = threads_.find("");
  return main == threads_.end() || main->second.leaf.empty() || main->second.id != session_.id;
}

std::string Transcript::path_of_agent(const std::string& agent_id) const {
  return folder() + "/subagents/agent-" + agent_id + ".jsonl";
}

Json Transcript::message_row(const Thread& thread, const char* type) const {
  const bool of_user = std::string_view(type) == "user";
  Json row = Json::object();
  row["parentUuid"] = thread.leaf.empty() || thread.id != session_.id ? Json() : Json(thread.leaf);
  row["isSidechain"] = !thread.agent_id.empty();
  if (of_user && !session_.prompt_id.empty()) row["promptId"] = session_.prompt_id;
  if (!thread.agent_id.empty()) row["agentId"] = thread.agent_id;
  if (of_user) row["type"] = type;
  return row;
}

void Transcript::add_message(Thread& thread, Json row) {
  row["userType"] = "external";
  row["entrypoint"] = entrypoint();
  row["cwd"] = session_.cwd;
  row["sessionId"] = session_.id;
  row["version"] = session_.scenario.version;
  row["gitBranch"] = "HEAD";
  thread.leaf = text_of(row, "uuid");
  thread.id = session_.id;
  if (thread.agent_id.empty()) rounds_.add(row);
  thread.waiting.push_back(std::move(row));
}

void Transcript::add_note(Json row) {
  Thread& main = thread_of("");
  row["sessionId"] = session_.id;
  main.waiting.push_back(std::move(row));
  flush(main);
}

void Transcript::add_reminder(const std::string& text) {
  const Agent nobody;
  Json line = user_line(session_, nobody, text);
  line["isSynthetic"] = true;
  add_line(line);
}

void Transcript::close_past() {
  constexpr const char* kLost =
      "[Tool call interrupted: the session ended before this call's result was recorded, so its "
      "outcome is unknown. Check whether it took effect before relying on it or running it again.]";
  const Agent nobody;
  for (const std::string& call : std::exchange(unanswered_, {})) {
    Json block = Json::object();
    block["type"] = "tool_result";
    block["content"] = kLost;
    block["is_error"] = true;
    block["tool_use_id"] = call;
    Json line = user_line(session_, nobody, Json::array({block}));
    line["tool_use_result"] = kLost;
    add_line(line);
  }
  if (std::exchange(breaks_off_, false))
    add_line(synthetic_assistant(session_, "No response requested."));
}

void Transcript::add_prompt(const Prompt& prompt) {
  close_past();
  if (!prompt.reminder.empty()) add_reminder(prompt.reminder);
  Thread& main = thread_of("");
  Json row = message_row(main, "user");
  row["message"] = prompt.message;
  row["uuid"] = prompt.uuid;
  row["timestamp"] = timestamp();
  if (prompt.goes_on) row["isMeta"] = true;
  row["permissionMode"] = session_.permissions.mode;
  row["promptSource"] = prompt.goes_on || !prompt.origin.is_null() ? "system" : "sdk";
  last_prompt_ = prompt.text;
  readable_.add_prompt(prompt.text);
  add_message(main, std::move(row));
  if (session_.checkpoints) {
    Json note = Json::object();
    note["type"] = "file-history-snapshot";
    note["messageId"] = prompt.uuid;
    note["snapshot"]["messageId"] = prompt.uuid;
    note["snapshot"]["trackedFileBackups"] = Json::object();
    note["snapshot"]["timestamp"] = timestamp();
    note["isSnapshotUpdate"] = false;
    main.waiting.push_back(std::move(note));
  }
  flush(main);
}

void Transcript::add_folded_prompt(const Prompt& prompt) {
  last_prompt_ = prompt.text;
  readable_.add_prompt(prompt.text);
  Json attachment = Json::object();
  attachment["type"] = "queued_command";
  attachment["prompt"] = member(prompt.message, "content");
  attachment["source_uuid"] = prompt.uuid;
  attachment["delivery_id"] = session_.ids.uuid();
  attachment["commandMode"] = "prompt";
  attachment["timestamp"] = timestamp();
  add_attachment(attachment);
}

void Transcript::add_attachment(const Json& attachment) {
  Thread& main = thread_of("");
  Json row = message_row(main, "attachment");
  row["attachment"] = attachment;
  row["type"] = "attachment";
  row["uuid"] = session_.ids.uuid();
  row["timestamp"] = timestamp();
  add_message(main, std::move(row));
  flush(main);
}

void Transcript::add_prompt_of_agent(const std::string& agent_id, const std::string& prompt,
                                     const std::string& uuid) {
  Thread& thread = thread_of(agent_id);
  Json row = message_row(thread, "user");
  row["message"]["role"] = "user";
  row["message"]["content"] = prompt;
  row["uuid"] = uuid;
  row["timestamp"] = timestamp();
  add_message(thread, std::move(row));
  flush(thread);
}

void Transcript::add_line(const Json& line) {
  const std::string type = text_of(line, "type");
  if (text_of(line, "subtype") == "compact_boundary")
    return add_message(thread_of(""), boundary_row(line));
  const bool assistant = type == "assistant";
  if (!assistant && type != "user") return;
  if (flag_of(line, "isReplay")) return;
  Thread& thread = thread_of(text_of(line, "agent_id"));
  const bool main = thread.agent_id.empty();
  if (assistant && main) readable_.add_message(line);
  Json row = message_row(thread, assistant ? "assistant" : "user");
  row["message"] = member(line, "message");
  // The CLI drops this from what the model said, and leaves it in what itself made up.
  if (row["message"].is_object() && member(row["message"], "model") != "<synthetic>")
    row["message"].erase("context_management");
  // A result follows the row that says its call, whatever came in between.
  for (const Json& block : member(member(line, "message"), "content")) {
    if (has(block, "id")) thread.calls[text_of(block, "id")] = text_of(line, "uuid");
    const auto said = thread.calls.find(text_of(block, "tool_use_id"));
    if (said != thread.calls.end()) row["parentUuid"] = said->second;
  }
  if (has(line, "request_id")) row["requestId"] = line["request_id"];
  if (assistant) row["type"] = type;
  const bool summary = has(line, "isReplay");  // of a compaction: said to be no replay
  if (summary) row["isCompactSummary"] = true;
  if (flag_of(line, "isSynthetic") && !summary) row["isMeta"] = true;
  // A scenario may have it say lines of any form.
  row["uuid"] = member(line, "uuid");
  row["timestamp"] = member(line, "timestamp");
  if (has(line, "tool_use_result")) row["toolUseResult"] = line["tool_use_result"];
  add_message(thread, std::move(row));
  if (!assistant) flush(thread);
}

void Transcript::end_message(const std::string& agent_id, const std::string& stop_reason,
                             const Json& usage) {
  Thread& thread = thread_of(agent_id);
  for (Json& row : thread.waiting) {
    if (!is_open(row)) continue;
    row["message"]["stop_reason"] = stop_reason;
    row["message"]["usage"] = usage;
    row["message"]["stop_details"] = nullptr;
  }
  flush(thread);
}

void Transcript::add_title(const std::string& title) {
  Json row = Json::object();
  row["type"] = "custom-title";
  row["customTitle"] = title;
  add_note(std::move(row));
}

void Transcript::add_deferred(const Json& call) {
  Json row = message_row(thread_of(""), "attachment");
  Json& attachment = row["attachment"];
  attachment["type"] = "hook_deferred_tool";
  attachment["toolUseID"] = call["id"];
  attachment["toolName"] = call["name"];
  attachment["toolInput"] = call["input"];
  attachment["hookName"] = "settings";
  attachment["hookEvent"] = "PreToolUse";
  attachment["permissionMode"] = session_.permissions.mode;
  row["type"] = "attachment";
  row["uuid"] = session_.ids.uuid();
  row["timestamp"] = timestamp();
  add_note(std::move(row));
}

void Transcript::add_backup(const std::string& prompt_uuid, const std::string& path,
                            const std::optional<std::string>& content) {
  if (!kept_ || !session_.checkpoints) return;
  Json row = Json::object();
  row["type"] = "file-history-delta";
  row["messageId"] = thread_of("").leaf;
  row["snapshotMessageId"] = prompt_uuid;
  row["trackingPath"] = path;
  Json& backup = row["backup"];
  backup["backupFileName"] = nullptr;
  if (content) {
    const std::string name = session_.ids.uuid() + "@v" + std::to_string(++backups_);
    append(backup_folder(session_.id) + "/" + name, *content);
    backup["backupFileName"] = name;
  }
  backup["version"] = 1;
  backup["backupTime"] = timestamp();
  row["timestamp"] = timestamp();
  add_note(std::move(row));
}

void Transcript::end_turn() {
  if (last_prompt_.empty()) return;
  Json row = Json::object();
  row["type"] = "last-prompt";
  flush(thread_of(""), true);  // a message that was interrupted will not be complete
  row["lastPrompt"] = last_prompt_;
  row["leafUuid"] = thread_of("").leaf;
  add_note(std::move(row));
}

void Transcript::end() {
  for (auto& [agent_id, thread] : threads_) flush(thread, true);
  if (last_prompt_.empty()) return;
  Json row = Json::object();
  row["type"] = "cost-state";
  row["totalCostUSD"] = session_.ledger.total_cost();
  row["totalAPIDuration"] = session_.ledger.api_ms();
  row["modelUsage"] = session_.ledger.model_usage();
  add_note(std::move(row));
}

void Transcript::flush(Thread& thread, bool to_the_end) {
  if (!to_the_end && std::ranges::any_of(thread.waiting, is_open)) return;
  const std::string file = thread.agent_id.empty() ? path() : path_of_agent(thread.agent_id);
  std::string text;
  Json entries = Json::array();
  for (Json& row : std::exchange(thread.waiting, {})) {
    text += dump(row) + "\n";
    entries.push_back(std::move(row));
  }
  if (!kept_ || text.empty()) return;
  append(file, text);
  if (!session_.args.has("--session-mirror")) return;
  Json line = Json::object();
  line["type"] = "transcript_mirror";
  line["filePath"] = file;
  line["entries"] = std::move(entries);
  session_.send(line);
}

}  // namespace claude::sim
