// An @ begins a name where a word begins: @a.txt, @a.txt#L2-5, @"a name.txt".
#include "mentions.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace claude::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBlank = " \t\r\n";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

// Those in quotes come first. What ends a sentence is not part of a name.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names, plain;
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', at + 1)) {
    const std::size_t begin = at + 1;
    if (at > 0 && !std::isspace(static_cast<unsigned char>(text[at - 1]))) continue;
    if (text.compare(begin, 1, "\"") == 0) {
      const std::size_t quote = text.find('"', begin + 1);
      if (quote != text.npos) add_once(names, text.substr(begin + 1, quote - begin - 1));
      continue;
    }
    std::size_t end = std::min(text.find_first_of(kBlank, begin), text.size());
    while (end > begin && !is_word(text[end - 1])) --end;
    if (end > begin) add_once(plain, text.substr(begin, end - begin));
  }
  for (const std::string& name : plain) add_once(names, name);
  return names;
}

// As the model would ask for the file.
Json read_input(const std::string& name, const std::string& cwd) {
  constexpr long kMostLines = 1'000'000'000;
  const std::size_t at = name.find("#L");
  Json input = Json::object();
  input["file_path"] = absolute(name.substr(0, at), cwd);
  if (at == name.npos) return input;
  char* rest = nullptr;
  const long first = std::min(std::strtol(name.c_str() + at + 2, &rest, 10), kMostLines);
  const long last = *rest == '-' ? std::min(std::strtol(rest + 1, nullptr, 10), kMostLines) : first;
  input["offset"] = first;
  input["limit"] = last - first + 1;
  return input;
}

std::string listing(const std::string& folder) {
  std::string names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    names += (names.empty() ? "" : "\n") + entry.path().filename().string();
  return names;
}

Json attachment_of(Session& session, const Json& input, bool known) {
  const std::string path = input["file_path"];
  const std::string shown = fs::path(path).lexically_relative(session.cwd);
  Json attachment = Json::object();
  if (std::error_code none; fs::is_directory(path, none)) {
    attachment["type"] = "directory";
    attachment["path"] = path;
    attachment["content"] = listing(path);
    attachment["displayPath"] = shown;
    return attachment;
  }
  Json wanted = input;
  if (known) wanted = {{"file_path", path}};
  ToolOutcome read = session.files.read(wanted, session.cwd);
  if (read.is_error) return nullptr;
  if (known && has(input, "offset")) read.result["file"]["startLine"] = input["offset"];
  attachment["type"] = known ? "already_read_file" : "file";
  attachment["filename"] = path;
  attachment["content"] = read.result;
  attachment["displayPath"] = shown;
  if (!known) attachment["savedCopyFraming"]["enveloped"] = false;
  return attachment;
}

// Of a prompt in several blocks the last text counts.
std::string own_text(const Json& content) {
  if (content.is_string()) return content;
  std::string text;
  for (const Json& block : content)
    if (has(block, "text")) text = text_of(block, "text");
  return text;
}

}  // namespace

std::vector<Json> mentioned_files(Session& session, const Prompt& prompt) {
  std::vector<Json> attachments;
  if (prompt.composed) return attachments;
  std::vector<std::pair<Json, bool>> wanted;
  for (const std::string& name : names_in(own_text(member(prompt.message, "content")))) {
    const Json input = read_input(name, session.cwd);
    const Decision decision = session.permissions.decide("Read", input, session.cwd);
    const std::string path = input["file_path"];
    if (decision.verdict != Decision::Verdict::deny && session.files.covers(path))
      wanted.emplace_back(input, session.files.knows(path));
  }
  for (const auto& [input, known] : wanted)
    if (Json attachment = attachment_of(session, input, known); !attachment.is_null())
      attachments.push_back(std::move(attachment));
  return attachments;
}

}  // namespace claude::sim
