// See recordings.h.
#include "wire/recordings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace claude::test {
namespace {

std::filesystem::path directory() {
  const char* given = std::getenv("CLAUDE_RECORDINGS");
  if (given != nullptr) return given;
  return std::filesystem::path(PROJECT_SOURCE_DIR) / "tests/data/transcripts";
}

void read_file(const std::filesystem::path& path, std::vector<Recorded>& out) {
  std::ifstream file(path);
  std::size_t number = 0;
  for (std::string text; std::getline(file, text);) {
    const Oracle entry = Oracle::parse(text);
    Recorded line;
    line.file = path.filename().string();
    line.number = ++number;
    line.from_cli = entry["dir"] == "out";
    // A line that was no JSON object was written down as a string.
    const Oracle& said = entry["line"];
    line.text = said.is_string() ? said.get<std::string>() : said.dump();
    line.json = Oracle::parse(line.text, nullptr, false);
    out.push_back(std::move(line));
  }
}

}  // namespace

std::string Recorded::type() const {
  if (!json.is_object() || !json.contains("type") || !json["type"].is_string()) return "";
  return json["type"].get<std::string>();
}

std::string Recorded::place() const {
  return file + ":" + std::to_string(number);
}

bool are_our_recordings() {
  return std::getenv("CLAUDE_RECORDINGS") == nullptr;
}

std::vector<Recorded> recordings() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory())) {
    if (entry.path().extension() == ".ndjson") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Recorded> lines;
  for (const auto& path : files) read_file(path, lines);
  return lines;
}

std::string first_not_found(const Oracle& line, const Oracle& typed, const std::string& path) {
  if (line.is_object() && typed.is_object()) {
    for (const auto& [name, value] : line.items()) {
      const std::string here = path.empty() ? name : path + "." + name;
      if (!typed.contains(name)) return here;
      if (auto missing = first_not_found(value, typed[name], here); !missing.empty())
        return missing;
    }
    return "";
  }
  if (line.is_array() && typed.is_array() && line.size() == typed.size()) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string here = path + "[" + std::to_string(i) + "]";
      if (auto missing = first_not_found(line[i], typed[i], here); !missing.empty()) return missing;
    }
    return "";
  }
  return line == typed ? "" : path;
}

}  // namespace claude::test
