// A disk without room, as far as this process and those that it starts can tell: no file grows
// beyond a limit, and who writes there all the same gets SIGXFSZ. Afterwards all is as it was.
#pragma once

#include <sys/resource.h>

namespace claude::test {

class FullDisk {
 public:
  explicit FullDisk(rlim_t room_in_a_file) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = room_in_a_file;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_ = {};
};

}  // namespace claude::test
