// Implements ChildProcess with posix_spawn, poll and a pidfd (Linux).
#include "support/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace claude::test {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno, "pipe2");
  return {ends[0], ends[1]};
}

void close_once(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// A write to a pipe that nobody reads must not end the test program.
ssize_t write_without_sigpipe(int descriptor, std::string_view bytes) {
  sigset_t pipe_signal, before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  int error = errno;
  if (written < 0 && error == EPIPE) {
    timespec now{};
    sigtimedwait(&pipe_signal, nullptr, &now);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> argv, const Environment& environment,
                           const std::filesystem::path& cwd) {
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read_end, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, 2);
  posix_spawn_file_actions_addchdir_np(&actions, cwd.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  std::vector<std::string> settings;
  for (const auto& [name, value] : environment) settings.push_back(name + "=" + value);
  int error = posix_spawn(&pid_, argv.at(0).c_str(), &actions, &attributes, pointers(argv).data(),
                          pointers(settings).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  for (int* theirs : {&in.read_end, &out.write_end, &err.write_end}) close_once(*theirs);
  stdin_ = in.write_end;
  stdout_ = out.read_end;
  stderr_ = err.read_end;
  if (error != 0) {
    for (int* ours : {&stdin_, &stdout_, &stderr_}) close_once(*ours);
    fail(error, argv[0]);
  }
  for (int ours : {stdin_, stdout_, stderr_}) fcntl(ours, F_SETFL, O_NONBLOCK);
  exit_watch_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
}

ChildProcess::~ChildProcess() {
  kill_group();
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  for (int* ours : {&stdin_, &stdout_, &stderr_, &exit_watch_}) close_once(*ours);
}

bool ChildProcess::write_line(std::string_view line, std::chrono::milliseconds patience) {
  TimePoint deadline = std::chrono::steady_clock::now() + patience;
  std::string bytes = std::string(line) + "\n";
  std::string_view rest = bytes;
  while (stdin_ >= 0 && write_some(rest)) {
    if (rest.empty()) return true;
    if (!step(deadline, true, false)) return false;
  }
  return false;
}

void ChildProcess::close_stdin() {
  close_once(stdin_);
}

std::optional<std::string> ChildProcess::read_line(std::chrono::milliseconds patience) {
  TimePoint deadline = std::chrono::steady_clock::now() + patience;
  std::size_t searched = 0;
  for (;;) {
    std::size_t end = output_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = output_.substr(0, end);
      output_.erase(0, end + 1);
      return line;
    }
    searched = output_.size();
    if (stdout_ < 0 || !step(deadline, false, false)) return std::nullopt;
  }
}

std::optional<int> ChildProcess::wait(std::chrono::milliseconds patience) {
  TimePoint deadline = std::chrono::steady_clock::now() + patience;
  while (!exit_code_) {
    if (!step(deadline, false, true)) return std::nullopt;
  }
  while (take(stderr_, errors_)) {
  }
  return exit_code_;
}

void ChildProcess::signal(int number) {
  ::kill(pid_, number);
}

void ChildProcess::kill_group() {
  ::kill(-pid_, SIGKILL);
}

bool ChildProcess::step(TimePoint deadline, bool room_to_write, bool exit) {
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  // poll skips negative descriptors, so what is closed or not asked for needs no other care.
  std::array<pollfd, 4> watched{pollfd{stdout_, POLLIN, 0}, pollfd{stderr_, POLLIN, 0},
                                pollfd{room_to_write ? stdin_ : -1, POLLOUT, 0},
                                pollfd{exit ? exit_watch_ : -1, POLLIN, 0}};
  int ready = ::poll(watched.data(), watched.size(),
                     static_cast<int>(std::max<std::int64_t>(0, left.count())));
  if (ready == 0) return false;
  take(stdout_, output_);
  take(stderr_, errors_);
  if (watched[3].revents != 0) note_exit();
  return true;
}

// Reads once. True when bytes came.
bool ChildProcess::take(int& descriptor, std::string& into) {
  if (descriptor < 0) return false;
  std::array<char, 65536> buffer;
  ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
  if (count == 0) close_once(descriptor);
  return count > 0;
}

bool ChildProcess::write_some(std::string_view& rest) {
  ssize_t count = write_without_sigpipe(stdin_, rest);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  rest.remove_prefix(static_cast<std::size_t>(count));
  return true;
}

// Leaves the zombie: until the destructor its pid, and so its group's id, can be nobody else's.
void ChildProcess::note_exit() {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0) return;
  exit_code_ = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

}  // namespace claude::test
