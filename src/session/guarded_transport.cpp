// What a user's transport says, made such that nobody waits for ever or reads what is not there.
#include "session/guarded_transport.h"

#include "io/poller.h"
#include "session/quietly.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace claude {
namespace {

// No bytes are no progress, whatever it is called: who went on until it would block would never
// end.
IoResult plausible(IoResult said, std::size_t possible) {
  said.bytes = std::min(said.bytes, possible);
  if (said.status != IoStatus::closed) {
    said.status = said.bytes > 0 ? IoStatus::ok : IoStatus::would_block;
  }
  return said;
}

int if_it_can_be_waited_for(int fd, io::Interest interest) {
  if (fd < 0) return -1;
  auto poller = io::Poller::create();
  if (!poller) return fd;
  const bool can_be = poller->add(fd, interest, 0, io::Repeat::one_shot).has_value();
  poller->remove(fd);
  return can_be ? fd : -1;
}

}  // namespace

GuardedTransport::GuardedTransport(std::unique_ptr<Transport> own)
    : own_(std::move(own)),
      writes_apart_(own_->writes_apart()),
      carries_control_(own_->carries_control()),
      read_fd_(if_it_can_be_waited_for(own_->read_fd(), io::Interest::read)),
      write_fd_(if_it_can_be_waited_for(own_->write_fd(), io::Interest::write)),
      error_fd_(own_->error_fd()),
      exit_fd_(own_->exit_fd()) {}

template <class F>
std::invoke_result_t<F> GuardedTransport::tried(std::string_view member, F call,
                                                std::invoke_result_t<F> if_thrown) const {
  auto given = std::move(if_thrown);
  if (auto what = thrown_by([&] { given = call(); })) has_thrown(member, *what);
  return given;
}

// Unless something was thrown before: nobody knows in what state it was left.
template <class F>
IoResult GuardedTransport::tried_unless_failed(std::string_view member, std::size_t possible,
                                               F call) {
  const IoResult closed = {IoStatus::closed, 0};
  return failed_ ? closed : plausible(tried(member, std::move(call), closed), possible);
}

void GuardedTransport::has_thrown(std::string_view member, const std::string& what) const {
  std::lock_guard lock(mutex_);
  if (failed_) return;
  failure_ = "The transport threw in " + std::string(member) + ": " + what;
  failed_ = true;
}

std::string GuardedTransport::failure() const {
  std::lock_guard lock(mutex_);
  return failure_;
}

IoResult GuardedTransport::read(std::span<char> into) {
  return tried_unless_failed("read()", into.size(), [&] { return own_->read(into); });
}

IoResult GuardedTransport::write(std::string_view bytes) {
  return tried_unless_failed("write()", bytes.size(), [&] { return own_->write(bytes); });
}

IoResult GuardedTransport::read_errors(std::span<char> into) {
  return tried_unless_failed("read_errors()", into.size(), [&] { return own_->read_errors(into); });
}

std::optional<Exit> GuardedTransport::exited() {
  auto exit = tried("exited()", [&] { return own_->exited(); }, Exit{});
  // Whose end nothing else tells of has ended.
  if (!exit && failed_ && exit_fd_ < 0 && !pid()) exit = Exit{};
  return exit;
}

std::optional<int> GuardedTransport::pid() const {
  return tried("pid()", [&] { return own_->pid(); }, std::nullopt);
}

void GuardedTransport::close_input() {
  if (auto what = thrown_by([&] { own_->close_input(); })) has_thrown("close_input()", *what);
}

void GuardedTransport::terminate() {
  if (auto what = thrown_by([&] { own_->terminate(); })) has_thrown("terminate()", *what);
}

void GuardedTransport::kill() {
  if (auto what = thrown_by([&] { own_->kill(); })) has_thrown("kill()", *what);
}

}  // namespace claude
