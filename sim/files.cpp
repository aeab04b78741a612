// Files are read and written whole; a checkpoint keeps what each was before a prompt changed it.
#include "files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "patch.h"
#include "permissions.h"

namespace claude::sim {

std::optional<std::string> content_of(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return std::nullopt;
  std::string text;
  char block[65536];
  for (std::size_t got; (got = std::fread(block, 1, sizeof block, file)) > 0;)
    text.append(block, got);
  std::fclose(file);
  return text;
}

namespace {

bool spill(const std::string& path, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return false;
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && whole;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

constexpr const char* kCurrent =
    " (file state is current in your context — no need to Read it back)";

std::string missing(const std::string& cwd) {
  return "File does not exist. Note: your current working directory is " + cwd + ".";
}

std::string reminder(const std::string& text) {
  return "<system-reminder>" + text + "</system-reminder>";
}

std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

ToolOutcome outside() {
  return tool_failure("File is outside of the working directory: the simulator does not touch it.");
}

}  // namespace

ToolOutcome tool_failure(const std::string& text) {
  ToolOutcome outcome;
  outcome.is_error = true;
  outcome.content = text;
  outcome.result = "Error: " + text;
  return outcome;
}

ToolOutcome tool_refusal(const std::string& text, const std::string& shown) {
  ToolOutcome outcome = tool_failure(text);
  outcome.content = "<tool_use_error>" + shown + "</tool_use_error>";
  return outcome;
}

void Files::begin_prompt(const std::string& uuid) {
  std::map<std::string, Content> now;
  if (!checkpoints_.empty())
    for (const auto& [path, content] : checkpoints_.back().before)
      now.emplace(path, content_of(path));
  checkpoints_.push_back({uuid, std::move(now)});
}

void Files::keep(const std::string& path) {
  if (checkpoints_.empty()) return;
  Checkpoint& point = checkpoints_.back();
  const auto file = point.before.emplace(path, content_of(path)).first;
  if (point.changed.insert(path).second && on_change) on_change(point.uuid, path, file->second);
}

void Files::recall(const std::string& path, const Content& content) {
  if (!checkpoints_.empty()) checkpoints_.back().before.emplace(path, content);
}

std::string numbered(const std::string& text, long long first) {
  std::string shown;
  for (const std::string& line : lines_of(text))
    shown += (shown.empty() ? "" : "\n") + std::to_string(first++) + "\t" + line;
  return shown;
}

ToolOutcome Files::read(const Json& input, const std::string& cwd) {
  const std::string path = absolute(text_of(input, "file_path"), cwd);
  if (!covers(path)) return outside();
  if (std::filesystem::is_directory(path))
    return tool_failure("EISDIR: illegal operation on a directory, read '" + path + "'");
  const Content text = content_of(path);
  if (!text) return tool_failure(missing(cwd));
  const auto lines = lines_of(*text);
  const auto total = static_cast<long long>(lines.size());
  const long long first = std::max(number_of(input, "offset", 1), 1LL);
  const long long end = std::min(total, first - 1 + number_of(input, "limit", total));
  if (first == 1 && end == total) read_.insert(path);
  std::string part;
  for (long long i = first - 1; i < end; ++i)
    part += (i == first - 1 ? "" : "\n") + lines[static_cast<std::size_t>(i)];
  ToolOutcome outcome;
  outcome.content = first > end ? "" : numbered(part, first);
  if (text->empty())
    outcome.content = reminder("Warning: the file exists but the contents are empty.");
  else if (first > total)
    outcome.content =
        reminder("Warning: the file exists but is shorter than the provided offset (" +
                 std::to_string(first) + "). The file has " + std::to_string(total) + " lines.");
  outcome.result["type"] = "text";
  Json& file = outcome.result["file"];
  file["filePath"] = input["file_path"];
  file["content"] = part;
  file["numLines"] = std::max(end - first + 1, 0LL);
  file["startLine"] = first;
  file["totalLines"] = total;
  return outcome;
}

ToolOutcome Files::write(const Json& input, const std::string& cwd) {
  const std::string path = absolute(text_of(input, "file_path"), cwd);
  if (!covers(path)) return outside();
  const std::string content = text_of(input, "content");
  const Content before = content_of(path);
  keep(path);
  if (!spill(path, content)) return tool_failure("EACCES: permission denied, open '" + path + "'");
  read_.insert(path);
  ToolOutcome outcome;
  const std::string said = text_of(input, "file_path");
  outcome.content = (before ? "The file " + said + " has been updated successfully."
                            : "File created successfully at: " + said) +
                    kCurrent;
  outcome.result["type"] = before ? "update" : "create";
  outcome.result["filePath"] = said;
  outcome.result["content"] = content;
  outcome.result["structuredPatch"] = before ? patch_of(*before, content) : Json::array();
  outcome.result["originalFile"] = before ? Json(*before) : Json();
  outcome.result["userModified"] = false;
  return outcome;
}

ToolOutcome Files::edit(const Json& input, const std::string& cwd) {
  const std::string path = absolute(text_of(input, "file_path"), cwd);
  if (!covers(path)) return outside();
  const std::string from = text_of(input, "old_string");
  const std::string to = text_of(input, "new_string");
  const Content found = content_of(path);
  const std::string before = found.value_or("");
  const bool all = flag_of(input, "replace_all");
  std::string after = from.empty() ? to : before;
  for (std::size_t at = from.empty() ? after.npos : after.find(from); at != after.npos;
       at = after.find(from, at + to.size())) {
    after.replace(at, from.size(), to);
    if (!all) break;
  }
  keep(path);
  if (!spill(path, after)) return tool_failure("EACCES: permission denied, open '" + path + "'");
  ToolOutcome outcome;
  const std::string said = text_of(input, "file_path");
  const bool known = read_.contains(path) || !found;
  outcome.content = "The file " + said +
                    (all ? " has been updated. All occurrences were successfully replaced."
                         : " has been updated successfully.") +
                    (known ? kCurrent : "");
  outcome.result["filePath"] = said;
  outcome.result["oldString"] = from;
  outcome.result["newString"] = to;
  outcome.result["originalFile"] = before;
  outcome.result["structuredPatch"] = patch_of(before, after);
  outcome.result["userModified"] = false;
  outcome.result["replaceAll"] = all;
  if (!known) outcome.result["contentNotInModelContext"] = true;
  return outcome;
}

std::optional<ToolOutcome> Files::edit_problem(const Json& input, const std::string& cwd) const {
  const std::string path = absolute(text_of(input, "file_path"), cwd);
  const std::string from = text_of(input, "old_string");
  const auto refused = [](const std::string& text) { return tool_refusal(text, text); };
  if (!covers(path)) return std::nullopt;
  if (from == text_of(input, "new_string"))
    return refused("No changes to make: old_string and new_string are exactly the same.");
  const Content before = content_of(path);
  if (from.empty() && before && !before->empty())
    return refused("Cannot create new file - file already exists.");
  if (from.empty()) return std::nullopt;
  if (!before) return refused(missing(cwd));
  const std::size_t found = count_of(from, *before);
  if (found == 0) return refused("String to replace not found in file.\nString: " + from);
  if (found > 1 && !flag_of(input, "replace_all"))
    return refused("Found " + std::to_string(found) +
                   " matches of the string to replace, but replace_all is false. To replace all "
                   "occurrences, set replace_all to true. To replace only one occurrence, please "
                   "provide more context to uniquely identify the instance.\nString: " +
                   from);
  return std::nullopt;
}

bool Files::has_checkpoint(const std::string& uuid) const {
  for (const Checkpoint& point : checkpoints_)
    if (point.uuid == uuid) return true;
  return false;
}

std::map<std::string, Files::Content> Files::target(const std::string& uuid) const {
  std::map<std::string, Content> files;
  bool reached = false;
  for (const Checkpoint& point : checkpoints_) {
    reached |= point.uuid == uuid;
    if (!reached) continue;
    for (const auto& [path, content] : point.before) files.emplace(path, content);
  }
  return files;
}

Json Files::preview(const std::string& uuid) const {
  Json changed = Json::array();
  std::size_t insertions = 0;
  std::size_t deletions = 0;
  for (const auto& [path, content] : target(uuid)) {
    const Content now = content_of(path);
    if (now == content) continue;
    changed.push_back(path);
    const LineCounts lines = changed_lines(now.value_or(""), content.value_or(""));
    insertions += lines.added;
    deletions += lines.removed;
  }
  Json answer = Json::object();
  answer["canRewind"] = true;
  answer["filesChanged"] = changed;
  answer["insertions"] = insertions;
  answer["deletions"] = deletions;
  return answer;
}

void Files::rewind(const std::string& uuid) {
  for (const auto& [path, content] : target(uuid)) {
    if (content)
      spill(path, *content);
    else
      std::remove(path.c_str());
  }
}

}  // namespace claude::sim
