// Which process made something.
//
// A copy of the host that fork() makes has copies of our objects, but not what they stand for: the
// CLI is the host's child, its files are the host's, and no thread was copied. What a copy ends,
// removes or waits for would be somebody else's.
#pragma once

#include <sys/types.h>
#include <unistd.h>

namespace claude::io {

class HostProcess {
 public:
  // Costs a system call.
  bool is_this_one() const { return pid_ == ::getpid(); }

 private:
  pid_t pid_ = ::getpid();
};

}  // namespace claude::io
