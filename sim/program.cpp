// posix_spawn and two pipes. What it says on stderr is nobody's.
#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace claude::sim {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

pid_t spawn(const Program::Command& command, int in, int out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addchdir_np(&actions, command.cwd.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);  // we ignore it ourselves
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words = command.argv, variables;
  for (const auto& [name, value] : command.environment) variables.push_back(name + "=" + value);
  pid_t pid = -1;
  const int failed = posix_spawnp(&pid, words[0].c_str(), &actions, &attributes,
                                  pointers(words).data(), pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed ? -1 : pid;
}

}  // namespace

Program::Program(Loop& loop, const Command& command, std::function<void(std::string_view)> on_line,
                 std::function<void()> on_end)
    : loop_(loop), on_line_(std::move(on_line)), on_end_(std::move(on_end)) {
  std::array<int, 2> in{}, out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0) return;
  if (pipe2(out.data(), O_CLOEXEC) == 0) {
    pid_ = spawn(command, in[0], out[1]);
    close(out[1]);
    out_ = out[0];
  }
  close(in[0]);
  in_ = in[1];
  if (started()) loop_.watch(out_, [this] { read(); });
}

Program::~Program() {
  loop_.unwatch(out_);
  close(in_);
  close(out_);
  if (!started()) return;
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, WNOHANG);
}

void Program::write_line(std::string line) {
  line += '\n';
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t done = write(in_, rest.data(), rest.size());
    if (done <= 0) return;  // it has gone: its end is read next
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
}

void Program::read() {
  std::array<char, 65536> block;
  const ssize_t got = ::read(out_, block.data(), block.size());
  if (got <= 0) {
    const std::function<void()> end = std::move(on_end_);
    return end();
  }
  line_.append(block.data(), static_cast<std::size_t>(got));
  for (std::size_t end; (end = line_.find('\n')) != line_.npos;) {
    const std::string line = line_.substr(0, end);
    line_.erase(0, end + 1);
    on_line_(line);
  }
}

}  // namespace claude::sim
