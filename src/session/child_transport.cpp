// A child process as a Transport: what the io room gives, in the words of transport.h.
#include "session/child_transport.h"

#include "io/pipe.h"
#include "io/poller.h"
#include "launch/arguments.h"

#include <array>
#include <csignal>

namespace claude {
namespace {

[[gnu::hot]] IoResult read_from(int fd, std::span<char> into) {
  io::ReadOutcome outcome = io::read_some(fd, into);
  switch (outcome.kind) {
    case io::ReadOutcome::Kind::bytes:
      return {IoStatus::ok, outcome.count};
    case io::ReadOutcome::Kind::would_block:
      return {IoStatus::would_block, 0};
    default:
      return {IoStatus::closed, 0};
  }
}

}  // namespace

Result<std::unique_ptr<Transport>> start_child(Runtime::Loop& loop, const Command& command) {
  io::SpawnRequest request{.program = command.program, .cwd = command.cwd};
  io::PrivateFiles files;
  request.argv.push_back(command.program);
  for (const std::string& word : command.arguments) {
    const std::string_view hidden = launch::private_value(word);
    auto path = hidden.empty() ? Result<std::string>() : files.add(hidden);
    if (!path) return std::unexpected(path.error());
    request.argv.push_back(word.substr(0, word.size() - hidden.size()) + *path);
  }
  for (const auto& [name, value] : command.environment) {
    request.environment.push_back(name + "=" + value);
  }
  Result<std::unique_ptr<Transport>> transport;
  loop.run_and_wait([&] {
    auto child = io::spawn(request);
    if (child) {
      transport = std::make_unique<ChildTransport>(std::move(*child), std::move(files));
    } else {
      transport = std::unexpected(child.error());
    }
  });
  return transport;
}

std::optional<Exit> wait_for_exit(Transport& child, std::chrono::milliseconds patience) {
  const TimePoint until = Clock::now() + patience;
  auto exit = child.exited();
  while (!exit && Clock::now() < until) {
    std::array<io::PollItem, 1> items{{{.fd = child.exit_fd()}}};
    io::poll_few(items, kAskAgain);
    exit = child.exited();
  }
  return exit;
}

Error no_loop() {
  return {.code = Errc::spawn_failed,
          .message = "The system gives no thread, or no descriptors to wait with",
          .where = "Runtime",
          .advice = "Raise the limits of open files and processes."};
}

IoResult ChildTransport::read(std::span<char> into) {
  return read_from(child_.out.get(), into);
}

IoResult ChildTransport::read_errors(std::span<char> into) {
  return read_from(child_.err.get(), into);
}

IoResult ChildTransport::write(std::string_view bytes) {
  io::WriteOutcome outcome = io::write_some(child_.in.get(), bytes);
  switch (outcome.kind) {
    case io::WriteOutcome::Kind::bytes:
      return {IoStatus::ok, outcome.count};
    case io::WriteOutcome::Kind::would_block:
      return {IoStatus::would_block, 0};
    default:
      return {IoStatus::closed, 0};
  }
}

std::optional<Exit> ChildTransport::exited() {
  if (exit_ || !io::exited_unreaped(child_)) return exit_;
  // While the leader is not reaped, the group is surely ours.
  io::terminate_group(child_, SIGKILL);
  if (auto status = io::try_reap(child_)) {
    exit_ = Exit{status->code, status->signal};
    files_.remove(kRemovedAtExit);
  }
  return exit_;
}

void ChildTransport::terminate() {
  if (!exit_) io::terminate_group(child_, SIGTERM);
}

void ChildTransport::kill() {
  if (!exit_) io::terminate_group(child_, SIGKILL);
}

}  // namespace claude
