// mkdtemp makes the folder 0700 and with a name that nobody can have guessed.
#include "io/private_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>

#include "io/fd.h"
#include "io/pipe.h"
#include "io/remove_tree.h"

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

void PrivateFiles::remove(std::size_t most) {
  if (folder_.empty() || !host_.is_this_one()) return;
  for (const std::string& path : paths_) unlink(path.c_str());
  paths_.clear();
  // The child has made something of it. Not first: that takes descriptors, and there may be none.
  const bool is_gone = rmdir(folder_.c_str()) == 0 || errno == ENOENT || remove_tree(folder_, most);
  if (is_gone) folder_.clear();
}

}  // namespace claude::io
