// Files for one child that nobody else on the machine may read: each 0600, in a folder of their own
// that is 0700. The folder is gone with this object, whatever the child made of it, but stays with
// a copy of it that fork() made.
#pragma once

#include <claude/error.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/host_process.h"

namespace claude::io {

// Of what the child has put beside them, how much is removed at most. It may have put more there,
// or still be at it, and there are disks where each takes milliseconds.
inline constexpr std::size_t kRemovedOfTheChilds = 100'000;

class PrivateFiles {
 public:
  PrivateFiles() = default;
  PrivateFiles(PrivateFiles&& other) noexcept
      : host_(other.host_),
        folder_(std::exchange(other.folder_, {})),
        paths_(std::exchange(other.paths_, {})) {}
  PrivateFiles& operator=(PrivateFiles&&) = delete;
  ~PrivateFiles() { remove(); }

  // Writes a file with this text and gives its path.
  Result<std::string> add(std::string_view text);
  // Where the child has put more than `most` things beside them, some stay until the next time.
  void remove(std::size_t most = kRemovedOfTheChilds);

 private:
  HostProcess host_;
  std::string folder_;  // made with the first file
  std::vector<std::string> paths_;
};

}  // namespace claude::io
