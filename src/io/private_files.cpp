// mkdtemp makes the folder 0700 and with a name that nobody can have guessed.
#include "io/private_files.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>

#include "io/fd.h"
#include "io/pipe.h"

namespace claude::io {
namespace {

std::string temporary_folder() {
  const char* named = getenv("TMPDIR");
  return named && *named ? named : "/tmp";
}

[[gnu::cold]] Error cannot(const std::string& what, int os_error) {
  Error error = refused_by_system(what, os_error);
  if (error.advice.empty()) error.advice = "Set TMPDIR to a folder that has room and may be used.";
  return error;
}

// Without following links. What cannot be removed does not keep the rest.
void remove_tree(const std::string& folder) {
  constexpr int kOpenFolders = 8;
  const auto remove_one = [](const char* path, const struct stat*, int kind, FTW*) {
    kind == FTW_DP || kind == FTW_DNR ? rmdir(path) : unlink(path);
    return 0;
  };
  nftw(folder.c_str(), remove_one, kOpenFolders, FTW_DEPTH | FTW_PHYS);
}

}  // namespace

Result<std::string> PrivateFiles::add(std::string_view text) {
  if (folder_.empty()) {
    std::string name = temporary_folder() + "/claude-agent-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      return std::unexpected(cannot("creating a private folder in " + temporary_folder(), errno));
    }
    folder_ = std::move(name);
  }
  std::string path = folder_ + "/" + std::to_string(paths_.size()) + ".json";
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return std::unexpected(cannot("creating " + path, errno));
  paths_.push_back(path);
  if (const int reason = write_all(file.get(), text)) {
    return std::unexpected(cannot("writing " + path, reason));
  }
  return path;
}

void PrivateFiles::remove() {
  if (folder_.empty() || !host_.is_this_one()) return;
  for (const std::string& path : paths_) unlink(path.c_str());
  // The child has put something there. Not first: that takes descriptors, and there may be none.
  if (rmdir(folder_.c_str()) != 0) remove_tree(folder_);
  paths_.clear();
  folder_.clear();
}

}  // namespace claude::io
