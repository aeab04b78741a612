// Files are read and written whole; a checkpoint keeps what each was before a prompt changed it.
#include "files.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "permissions.h"

namespace claude::sim {
namespace {

std::optional<std::string> slurp(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return std::nullopt;
  std::string text;
  char block[65536];
  for (std::size_t got; (got = std::fread(block, 1, sizeof block, file)) > 0;)
    text.append(block, got);
  std::fclose(file);
  return text;
}

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

// Lines without the empty one after a last newline.
std::vector<std::string> content_lines(const std::string& text) {
  auto lines = lines_of(text);
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

// How many lines `from` and `to` have in common, in order.
std::size_t common_lines(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (const std::string& line : from) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = line == to[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

Json patch_of(const std::string& before, const std::string& after) {
  const auto from = content_lines(before);
  const auto to = content_lines(after);
  std::size_t head = 0;
  while (head < from.size() && head < to.size() && from[head] == to[head]) ++head;
  std::size_t tail = 0;
  while (tail < from.size() - head && tail < to.size() - head &&
         from[from.size() - 1 - tail] == to[to.size() - 1 - tail])
    ++tail;
  Json hunk = Json::object();
  hunk["oldStart"] = head + 1;
  hunk["oldLines"] = from.size() - head - tail;
  hunk["newStart"] = head + 1;
  hunk["newLines"] = to.size() - head - tail;
  hunk["lines"] = Json::array();
  for (std::size_t i = head; i < from.size() - tail; ++i) hunk["lines"].push_back("-" + from[i]);
  for (std::size_t i = head; i < to.size() - tail; ++i) hunk["lines"].push_back("+" + to[i]);
  return Json::array({hunk});
}

constexpr const char* kCurrent =
    " (file state is current in your context — no need to Read it back)";

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
  checkpoints_.push_back({uuid, {}});
}

void Files::keep(const std::string& path) {
  if (checkpoints_.empty()) return;
  Checkpoint& point = checkpoints_.back();
  const auto [file, first] = point.before.emplace(path, slurp(path));
  if (first && on_change) on_change(point.uuid, path, file->second);
}

void Files::recall(const std::string& path, const Content& content) {
  if (!checkpoints_.empty()) checkpoints_.back().before.emplace(path, content);
}

ToolOutcome Files::read(const Json& input, const std::string& cwd) {
  const std::string path = absolute(text_of(input, "file_path"), cwd);
  if (!is_inside(path, cwd)) return outside();
  const Content text = slurp(path);
  if (!text)
    return tool_failure("File does not exist. Note: your current working directory is " + cwd +
                        ".");
  const auto lines = lines_of(*text);
  std::string numbered;
  for (std::size_t i = 0; i < lines.size(); ++i)
    numbered += (i ? "\n" : "") + std::to_string(i + 1) + "\t" + lines[i];
  ToolOutcome outcome;
  outcome.content = numbered;
  outcome.result["type"] = "text";
  Json& file = outcome.result["file"];
  file["filePath"] = input["file_path"];
  file["content"] = *text;
  file["numLines"] = lines.size();
  file["startLine"] = 1;
  file["totalLines"] = lines.size();
  return outcome;
}

ToolOutcome Files::write(const Json& input, const std::string& cwd) {
  const std::string path = absolute(text_of(input, "file_path"), cwd);
  if (!is_inside(path, cwd)) return outside();
  const std::string content = text_of(input, "content");
  const Content before = slurp(path);
  keep(path);
  if (!spill(path, content)) return tool_failure("EACCES: permission denied, open '" + path + "'");
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
  if (!is_inside(path, cwd)) return outside();
  const std::string from = text_of(input, "old_string");
  const std::string to = text_of(input, "new_string");
  const Content before = slurp(path);
  if (!before) return tool_failure("File does not exist.");
  if (from.empty() || before->find(from) == before->npos)
    return tool_failure("String to replace not found in file.\nString: " + from);
  const bool all = flag_of(input, "replace_all");
  std::string after = *before;
  for (std::size_t at = after.find(from); at != after.npos; at = after.find(from, at + to.size())) {
    after.replace(at, from.size(), to);
    if (!all) break;
  }
  keep(path);
  if (!spill(path, after)) return tool_failure("EACCES: permission denied, open '" + path + "'");
  ToolOutcome outcome;
  const std::string said = text_of(input, "file_path");
  outcome.content = "The file " + said + " has been updated successfully." + kCurrent;
  outcome.result["filePath"] = said;
  outcome.result["oldString"] = from;
  outcome.result["newString"] = to;
  outcome.result["originalFile"] = *before;
  outcome.result["structuredPatch"] = patch_of(*before, after);
  outcome.result["userModified"] = false;
  outcome.result["replaceAll"] = all;
  return outcome;
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
    const Content now = slurp(path);
    if (now == content) continue;
    changed.push_back(path);
    const auto from = content_lines(now.value_or(""));
    const auto to = content_lines(content.value_or(""));
    const std::size_t same = common_lines(from, to);
    insertions += to.size() - same;
    deletions += from.size() - same;
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
