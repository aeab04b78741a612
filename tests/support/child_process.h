// A child process on three pipes, for tests that look at a program from outside. It shares no
// code with the library's own launcher, which it helps to judge.
//
//   ChildProcess cat({"/bin/cat"});
//   cat.write_line("hello");
//   EXPECT_EQ(cat.read_line(), "hello");
//   cat.close_stdin();
//   EXPECT_EQ(cat.wait(), 0);
//
// Every wait is a poll with a deadline; when it passes, the call gives nullopt or false. Use from
// one thread. The destructor kills the child's process group.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claude::test {

using Environment = std::map<std::string, std::string>;

// Long enough for a loaded machine: only a test that fails waits for it.
inline constexpr std::chrono::milliseconds kPatience = std::chrono::seconds(30);

class ChildProcess {
 public:
  // argv[0] is a path. The child gets exactly `environment`. Throws std::system_error.
  explicit ChildProcess(std::vector<std::string> argv, const Environment& environment = {},
                        const std::filesystem::path& cwd = ".");
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }

  // Adds the newline. False when the child has closed its stdin or does not read in time.
  bool write_line(std::string_view line, std::chrono::milliseconds patience = kPatience);
  void close_stdin();

  // The next line of stdout without its newline; nullopt at the end of stdout or out of patience.
  std::optional<std::string> read_line(std::chrono::milliseconds patience = kPatience);

  // The exit code, or 128 + signal as shells count it. Output is read on meanwhile.
  std::optional<int> wait(std::chrono::milliseconds patience = kPatience);

  // To this child only; kill_group() ends what it started, too.
  void signal(int number);
  void kill_group();

  // What has come on stderr so far: complete after wait(), unless a grandchild still holds it.
  const std::string& stderr_text() const { return errors_; }

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Waits once for output, and for room in stdin or the end of the child where asked; reads what
  // has come. False when the deadline has passed.
  bool step(TimePoint deadline, bool room_to_write, bool exit);
  bool take(int& descriptor, std::string& into);
  bool write_some(std::string_view& rest);
  void note_exit();

  pid_t pid_ = -1;
  int exit_watch_ = -1;  // a pidfd: readable once the child has ended
  int stdin_ = -1;
  int stdout_ = -1;
  int stderr_ = -1;
  std::string output_;
  std::string errors_;
  std::optional<int> exit_code_;
};

}  // namespace claude::test
