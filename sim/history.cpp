// Names and places as CLI 2.1.325 has them.
#include "history.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>

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
    Json row = Json::parse(line, nullptr, false);
    if (row.is_object()) rows.push_back(std::move(row));
  }
  return rows;
}

bool is_message(const Json& row) {
  return has(row, "uuid") && has(row, "parentUuid");
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

// Forgets what came after the message that --resume-session-at names.
void cut(Past& past, const std::string& uuid) {
  const auto named =
      std::ranges::find_if(past.rows, [&](const Json& row) { return member(row, "uuid") == uuid; });
  if (named == past.rows.end())
    past.problem = "No message found with message.uuid of: " + uuid;
  else
    past.rows.erase(named + 1, past.rows.end());
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
  if (args.has("--resume-session-at")) cut(past, args.value("--resume-session-at"));
  for (const Json& row : past.rows)
    if (is_message(row)) past.leaf = text_of(row, "uuid");
  return past;
}

bool id_is_taken(const Args& args, const std::string& cwd) {
  std::error_code failed;
  return args.has("--session-id") &&
         fs::exists(project_folder(cwd) + "/" + args.value("--session-id") + ".jsonl", failed);
}

}  // namespace claude::sim
