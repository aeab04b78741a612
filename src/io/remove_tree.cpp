// Depth costs neither stack nor long paths nor descriptors: what stands in a folder of the folder
// is moved up beside it, under a number for its name, until all are flat. So nobody ever has to
// find the way back up, which the child's processes may have moved meanwhile.
#include "io/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string_view>

namespace claude::io {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
struct Folder {
  std::unique_ptr<DIR, CloseFolder> entries;
  int fd = -1;  // theirs
  explicit operator bool() const { return entries != nullptr; }
};

Folder open_folder(int parent, const char* name) {
  const int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return {};
  Folder folder{.entries = decltype(Folder::entries)(::fdopendir(fd)), .fd = fd};
  if (!folder) ::close(fd);
  return folder;
}

// For who owns it, whatever the child did to his rights.
void take_rights(int parent, const char* name) {
  ::fchmodat(parent, name, S_IRWXU, AT_SYMLINK_NOFOLLOW);
}

bool remove_single(int parent, const char* name) {
  return ::unlinkat(parent, name, 0) == 0 || ::unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

class Removal {
 public:
  Removal(Folder top, std::size_t most) : top_(std::move(top)), left_(most) {}

  // Until it is of no more use. What stands in the way of a number is removed itself: the next
  // round moves what found no place.
  void run() {
    while (sweep() && left_ > 0) {
    }
  }

 private:
  // These three say whether anything has gone.

  bool sweep() {
    ::rewinddir(top_.entries.get());
    bool any = each_of(top_, [this](const char* name) { return clear(name); });
    // A folder may or may not show what came into it while it was read.
    for (; cleared_ < moved_ && left_ > 0; ++cleared_) any |= clear(number(cleared_).c_str());
    return any;
  }

  // Of the top.
  bool clear(const char* name) {
    if (remove_single(top_.fd, name)) return true;
    take_rights(top_.fd, name);
    const Folder folder = open_folder(top_.fd, name);
    if (!folder) return false;
    const bool any = each_of(folder, [&](const char* inner) {
      return remove_single(folder.fd, inner) || move_up(folder.fd, inner);
    });
    return ::unlinkat(top_.fd, name, AT_REMOVEDIR) == 0 || any;
  }

  // A folder can only leave its parent with the right to write in it: there its ".." changes.
  bool move_up(int parent, const char* name) {
    take_rights(parent, name);
    return ::renameat(parent, name, top_.fd, number(moved_++).c_str()) == 0;
  }

  template <class Act>
  bool each_of(const Folder& folder, Act act) {
    bool any = false;
    while (const dirent* entry = ::readdir(folder.entries.get())) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (left_ == 0) break;
      --left_;
      any |= act(entry->d_name);
    }
    return any;
  }

  static std::string number(std::size_t n) { return std::to_string(n); }

  const Folder top_;
  std::size_t left_;         // that may be looked at
  std::size_t moved_ = 0;    // up, under the numbers below it
  std::size_t cleared_ = 0;  // of these
};

}  // namespace

bool remove_tree(const std::string& folder, std::size_t most) {
  // The child may have put a link in its place.
  if (remove_single(AT_FDCWD, folder.c_str())) return true;
  take_rights(AT_FDCWD, folder.c_str());
  if (Folder top = open_folder(AT_FDCWD, folder.c_str())) Removal(std::move(top), most).run();
  return ::rmdir(folder.c_str()) == 0;
}

}  // namespace claude::io
