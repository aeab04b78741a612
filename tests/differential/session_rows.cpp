// Files in the order in which their ids were heard of.
#include "session_rows.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace claude::differential {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> session_files(const fs::path& home, const Transcript& transcript) {
  std::string heard;
  for (const Entry& entry : transcript.entries) heard += entry.line.dump();
  const auto first_heard = [&](const fs::path& file) {
    const std::string name = file.stem();
    return heard.find(name.starts_with("agent-") ? name.substr(6) : name);
  };
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(home / ".claude" / "projects"))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  std::ranges::sort(files, {}, first_heard);
  return files;
}

json kept(const json& row) {
  json line{{"type", "row of " + row["type"].get<std::string>()}};
  for (const char* key :
       {"uuid",           "parentUuid",   "isSidechain",      "isMeta",        "agentId",
        "sessionId",      "message",      "attachment",       "toolUseResult", "requestId",
        "permissionMode", "promptSource", "userType",         "entrypoint",    "cwd",
        "version",        "timestamp",    "isCompactSummary", "subtype",       "forkedFrom"})
    if (row.contains(key)) line[key] = row[key];
  return line;
}

// A prompt that joined a turn, or a file that one names.
bool is_of_a_prompt(const json& attachment) {
  static const std::set<std::string> kTypes{"queued_command", "file", "already_read_file",
                                            "directory"};
  return kTypes.contains(attachment["type"]);
}

// What the model is told of the surroundings, and the echoes of local commands.
bool is_bookkeeping(const json& row) {
  static const json::json_pointer kContent("/message/content");
  if (row["type"] == "attachment") return !is_of_a_prompt(row["attachment"]);
  if (row["type"] == "system") return row["subtype"] != "compact_boundary";
  if (!row.contains(kContent) || !row[kContent].is_string()) return false;
  const std::string text = row[kContent];
  return text.starts_with("<local-command-") || text.starts_with("<command-name>");
}

void add_rows(const fs::path& file, Transcript& transcript) {
  std::map<json, json> message_before;  // by the id of a row that is bookkeeping
  std::ifstream lines(file);
  for (std::string text; std::getline(lines, text);) {
    const json row = json::parse(text);
    if (!row.contains("uuid") || !row.contains("parentUuid")) continue;
    json line = kept(row);
    if (const auto found = message_before.find(row["parentUuid"]); found != message_before.end())
      line["parentUuid"] = found->second;
    if (is_bookkeeping(row))
      message_before[row["uuid"]] = line["parentUuid"];
    else
      transcript.entries.push_back({true, std::move(line)});
  }
}

}  // namespace

void add_session_rows(Transcript& transcript, const fs::path& home) {
  for (const fs::path& file : session_files(home, transcript)) add_rows(file, transcript);
}

}  // namespace claude::differential
