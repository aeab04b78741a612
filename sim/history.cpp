// Names and places as CLI 2.1.325 has them.
#include "history.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "ids.h"
#include "world.h"

namespace claude::sim {
namespace {

namespace fs = std::filesystem;

// A file name with what is no letter or digit as '-'. A long one is cut and ends with a hash of
// the whole. The CLI counts in UTF-16.
std::string folder_name(const std::string& cwd) {
  constexpr std::size_t kLongest = 200;
  std::string name;
  std::int32_t hash = 0;
  for (std::size_t i = 0; i < cwd.size(); ++i) {
    const auto byte = static_cast<unsigned char>(cwd[i]);
    if ((byte & 0xC0) == 0x80) continue;
    name += std::isalnum(byte) && byte < 0x80 ? cwd[i] : '-';
    if (byte >= 0xF0) name += '-';
    hash = static_cast<std::int32_t>(static_cast<std::uint32_t>(hash) * 31u + byte);
  }
  if (name.size() <= kLongest) return name;
  std::string digits;
  for (std::int64_t rest = std::abs(static_cast<std::int64_t>(hash)); rest > 0; rest /= 36)
    digits.insert(digits.begin(), "0123456789abcdefghijklmnopqrstuvwxyz"[rest % 36]);
  return name.substr(0, kLongest) + "-" + digits;
}

std::vector<Json> rows_of(const fs::path& file) {
  std::vector<Json> rows;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    Json row = parse(line);
    if (row.is_object()) rows.push_back(std::move(row));
  }
  return rows;
}

bool is_message(const Json& row) {
  return has(row, "uuid") && has(row, "parentUuid") && text_of(row, "type") != "attachment";
}

Json deferred_call(const std::vector<Json>& rows) {
  Json deferred;
  for (const Json& row : rows) {
    const Json& attachment = member(row, "attachment");
    if (text_of(attachment, "type") == "hook_deferred_tool") deferred = attachment;
    for (const Json& block : member(member(row, "message"), "content"))
      if (member(block, "tool_use_id") == member(deferred, "toolUseID")) deferred = nullptr;
  }
  return deferred;
}

bool is_result(const Json& row) {
  for (const Json& block : member(member(row, "message"), "content"))
    if (has(block, "tool_use_id")) return true;
  return false;
}

// Behind a result the CLI adds a row of its own, once: after the first message of the model.
void find_loose_ends(Past& past) {
  if (past.rows.empty() || !past.deferred.is_null()) return;
  std::set<std::string> said;  // messages of the model
  for (const Json& row : past.rows) {
    if (!is_message(row)) continue;
    const bool of_user = text_of(row, "type") == "user";
    if (!of_user) said.insert(text_of(member(row, "message"), "id"));
    past.breaks_off =
        of_user && !flag_of(row, "isCompactSummary") && (!is_result(row) || said.size() > 1);
    for (const Json& block : member(member(row, "message"), "content")) {
      if (text_of(block, "type") == "tool_use") past.unanswered.push_back(text_of(block, "id"));
      std::erase(past.unanswered, text_of(block, "tool_use_id"));
    }
  }
  past.breaks_off |= !past.unanswered.empty();
}

// Of the messages, only those that lead to the leaf, and all results of the calls among them: an
// earlier cut may have left others behind.
void keep_chain(Past& past) {
  std::map<std::string, std::string> parents;
  for (const Json& row : past.rows)
    if (has(row, "uuid")) parents[text_of(row, "uuid")] = text_of(row, "parentUuid");
  std::set<std::string> chain;
  for (std::string at = past.leaf; !at.empty(); at = parents[at]) chain.insert(at);
  std::erase_if(past.rows, [&](const Json& row) {
    const bool wanted = chain.contains(text_of(row, "uuid")) ||
                        (is_result(row) && chain.contains(text_of(row, "parentUuid")));
    return is_message(row) && !wanted;
  });
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  return files;
}

// The session with this id, whatever folder it was begun in; a folder's own come first.
fs::path file_of(const std::string& id, const std::string& cwd) {
  const fs::path here = fs::path(project_folder(cwd)) / (id + ".jsonl");
  std::error_code failed;
  if (fs::exists(here, failed)) return here;
  for (const auto& project : fs::directory_iterator(config_folder() + "/projects", failed))
    if (const fs::path file = project.path() / (id + ".jsonl"); fs::exists(file, failed))
      return file;
  return {};
}

fs::path file_titled(const std::string& title, const std::string& cwd) {
  for (const fs::path& file : files_in(project_folder(cwd)))
    for (const Json& row : rows_of(file))
      if (member(row, "customTitle") == title) return file;
  return {};
}

fs::path newest_file(const std::string& cwd) {
  const std::vector<fs::path> files = files_in(project_folder(cwd));
  const auto newest = std::ranges::max_element(files, {}, [](const fs::path& file) {
    std::error_code failed;
    return fs::last_write_time(file, failed);
  });
  return newest == files.end() ? fs::path() : *newest;
}

// The host may say which turn it means to forget: then nothing else may be among what is forgotten.
std::string foreign_among(const std::vector<Json>& dropped, const std::string& turn) {
  const auto first = std::ranges::find_if(dropped, is_message);
  if (turn.empty() || first == dropped.end() || member(*first, "uuid") == turn) return {};
  return turn +
         ": range does not start with the declared turn prompt; first discarded entry 1 [type=" +
         text_of(*first, "type") + ", uuid=" + text_of(*first, "uuid") + "]";
}

// Forgets what came after the message that --resume-session-at names.
void cut(Past& past, const std::string& uuid, const std::string& dropped_turn) {
  const auto named =
      std::ranges::find_if(past.rows, [&](const Json& row) { return member(row, "uuid") == uuid; });
  if (named == past.rows.end()) {
    past.problem = "No message found with message.uuid of: " + uuid;
    return;
  }
  const std::string foreign = foreign_among({named + 1, past.rows.end()}, dropped_turn);
  past.rows.erase(std::remove_if(named + 1, past.rows.end(), is_message), past.rows.end());
  if (!foreign.empty())
    past.problem = "Resume rejected by --resume-drops-turn: resuming at " + uuid +
                   " would discard entries not attributable to turn " + foreign;
}

}  // namespace

std::string config_folder() {
  return variable("CLAUDE_CONFIG_DIR", variable("HOME", "/root") + "/.claude");
}

std::string project_folder(const std::string& cwd) {
  return config_folder() + "/projects/" + folder_name(cwd);
}

Past find_past(const Args& args, const Scenario& scenario, const std::string& cwd) {
  Past past;
  fs::path file;
  if (args.has("--resume")) {
    const std::string wanted = args.value("--resume");
    file = is_uuid(wanted) ? file_of(wanted, cwd) : file_titled(wanted, cwd);
    past.id = is_uuid(wanted) ? wanted : file.stem().string();
    const Json& known = scenario.top("sessions");
    const bool told = std::ranges::find(known, Json(wanted)) != known.end();
    if (file.empty() && !is_uuid(wanted))
      past.problem =
          "Error: --resume requires a valid session ID or session title when used with --print. "
          "Usage: claude -p --resume <session-id|title>. Provided value \"" +
          wanted + "\" is not a UUID and does not match any session title.";
    else if (file.empty() && !told)
      past.problem = "No conversation found with session ID: " + wanted;
  } else if (args.has("--continue")) {
    file = newest_file(cwd);
    past.id = file.stem().string();
  }
  if (file.empty()) return past;
  past.folder = file.parent_path().string();
  past.rows = rows_of(file);
  past.length = past.rows.size();
  if (args.has("--resume-session-at"))
    cut(past, args.value("--resume-session-at"), args.value("--resume-drops-turn"));
  for (const Json& row : past.rows)
    if (is_message(row)) past.leaf = text_of(row, "uuid");
  keep_chain(past);
  past.deferred = deferred_call(past.rows);
  if (!args.has("--resume-session-at")) find_loose_ends(past);
  return past;
}

bool id_is_taken(const Args& args, const std::string& cwd) {
  std::error_code failed;
  return args.has("--session-id") &&
         fs::exists(project_folder(cwd) + "/" + args.value("--session-id") + ".jsonl", failed);
}

}  // namespace claude::sim
