// As export_conversation of CLI 2.1.325 writes it; files that were changed are not told of.
#include "readable.h"

#include <cctype>

namespace claude::sim {
namespace {

std::string counted(int number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string indented(std::string text) {
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
    text.insert(at + 1, "  ");
  return text;
}

}  // namespace

void Readable::add(const std::string& paragraph) {
  text_ += (text_.empty() ? "\n" : "\n\n") + paragraph;
}

std::string Readable::tools() const {
  std::string told;
  if (files_read_ > 0) told = "read " + counted(files_read_, "file");
  if (commands_ > 0)
    told += (told.empty() ? "" : ", ") + ("ran " + counted(commands_, "shell command"));
  if (told.empty()) return told;
  told[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(told[0])));
  return "  " + told + " (ctrl+o to expand)";
}

std::string Readable::text() const {
  const std::string last = tools();
  return last.empty() ? text_ : text_ + "\n\n" + last;
}

void Readable::add_prompt(const std::string& prompt) {
  if (first_prompt_.empty()) first_prompt_ = prompt;
  text_ = text();
  files_read_ = commands_ = 0;
  add("❯ " + indented(prompt));
}

void Readable::add_message(const Json& line) {
  for (const Json& block : member(member(line, "message"), "content")) {
    if (text_of(block, "name") == "Read") ++files_read_;
    if (text_of(block, "name") == "Bash") ++commands_;
    if (text_of(block, "type") != "text") continue;
    text_ = text();
    files_read_ = commands_ = 0;
    add("● " + indented(text_of(block, "text")));
  }
}

}  // namespace claude::sim
