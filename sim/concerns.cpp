// Files first: a path says more than the name of the program.
#include "concerns.h"

#include <algorithm>
#include <filesystem>

#include "offers.h"
#include "programs.h"
#include "world.h"

namespace claude::sim {
namespace {

// What must not be removed without a question, whatever the mode; empty: the path may.
std::string danger_of(const std::string& program, const std::string& path, const std::string& cwd,
                      const std::string& root) {
  if (program != "rm" && program != "rmdir") return {};
  if (path == "/" || path == variable("HOME") || parent_of(path).empty()) return "critical path";
  const bool all = path == cwd + "/*";
  return all || is_inside(root, path) ? "working directory or its ancestor" : "";
}

std::optional<Concern> change_in(const Part& part, const std::string& cwd,
                                 const Permissions& permissions) {
  const std::vector<std::string> files = files_of(part);
  if (files.empty()) return std::nullopt;
  const auto leaves = [&](const std::string& file) {
    return !permissions.covers(absolute(file, cwd));
  };
  const auto outside = std::ranges::find_if(files, leaves);
  const std::string file = outside == files.end() ? files[0] : *outside;
  Concern concern{Concern::Kind::change, part.text, part.words[0], absolute(file, cwd), file};
  concern.danger = danger_of(concern.program, concern.path, cwd, permissions.root);
  return concern;
}

std::optional<Concern> look_outside(const Part& part, const std::vector<std::string>& files,
                                    const std::string& program, const std::string& looks,
                                    const std::string& cwd, const Permissions& permissions) {
  std::optional<Concern> concern;
  for (const std::string& file : files) {
    const std::string path = absolute(file, cwd);
    if (permissions.covers(path)) continue;
    if (!concern) concern = Concern{Concern::Kind::look, part.text, program, path, file, looks};
    concern->two_folders |= folder_of(path) != folder_of(concern->path);
  }
  return concern;
}

}  // namespace

std::string folder_of(const std::string& path) {
  std::error_code none;
  const std::string folder = std::filesystem::is_directory(path, none) ? path : parent_of(path);
  return folder == "/" ? "" : folder;
}

std::optional<Concern> concern_of(const Part& part, const std::string& cwd,
                                  const Permissions& permissions) {
  const Concern plain{Concern::Kind::command, part.text};
  const auto accepted = [&](const std::string& path) {
    return permissions.mode == "acceptEdits" && permissions.covers(path);
  };
  for (const std::string& file : part.writes)
    if (const std::string path = absolute(file, cwd); !accepted(path))
      return Concern{Concern::Kind::redirection, part.text, "", path, file};
  if (part.words.empty()) return std::nullopt;
  const std::string& program = part.words[0];
  if (changes_files(program) && !only_looks(part)) {
    const std::optional<Concern> change = change_in(part, cwd, permissions);
    if (!change || (accepted(change->path) && program == "tee")) return plain;
    if (accepted(change->path) && change->danger.empty()) return std::nullopt;
    return change;
  }
  if (const std::string looks = looks_at_files(part); !looks.empty())
    if (auto concern = look_outside(part, files_of(part), program + " in", looks, cwd, permissions))
      return concern;
  if (auto concern = look_outside(part, part.reads, "Input redirection from", "read files in", cwd,
                                  permissions))
    return concern;
  return only_looks(part) ? std::nullopt : std::optional(plain);
}

}  // namespace claude::sim
