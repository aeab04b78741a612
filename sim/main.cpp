// claude-sim: a Claude Code CLI that needs no account and no network. See docs/simulator.md.
//
// Here is what belongs to a process: its environment, its signals and how it ends.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "run.h"
#include "world.h"

namespace claude::sim {
namespace {

int signal_writer = -1;

void note_signal(int number) {
  const int saved = errno;
  const auto byte = static_cast<unsigned char>(number);
  [[maybe_unused]] const ssize_t done = write(signal_writer, &byte, 1);
  errno = saved;
}

// Those that the CLI handles come by a pipe to ourselves.
int catch_signals() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return -1;
  for (int end : ends) {
    fcntl(end, F_SETFL, O_NONBLOCK);
    fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  signal_writer = ends[1];
  struct sigaction action{};
  action.sa_handler = note_signal;
  for (int number : {SIGTERM, SIGINT, SIGHUP}) sigaction(number, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return ends[0];
}

std::string working_directory() {
  std::array<char, 4096> path{};
  return getcwd(path.data(), path.size()) ? path.data() : "/";
}

void enter_the_world() {
  World& ours = world();
  ours.signals = catch_signals();
  ours.cwd = working_directory();
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != text.npos)
      ours.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
}

[[noreturn]] void end(Ended how) {
  if (how.signal != 0) {
    signal(how.signal, SIG_DFL);
    raise(how.signal);
  }
  _exit(how.code);
}

}  // namespace
}  // namespace claude::sim

int main(int argc, char** argv) {
  claude::sim::enter_the_world();
  claude::sim::end(claude::sim::run({argv + 1, argv + argc}));
}
