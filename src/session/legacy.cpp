// The one-way form of query(): reads messages until the CLI exits.
#include "session/legacy.h"

#include "io/poller.h"
#include "launch/arguments.h"
#include "launch/command.h"
#include "session/access.h"
#include "session/child_transport.h"
#include "session/quietly.h"

#include <array>

namespace claude {

Result<LegacyRun> LegacyRun::start(const Prompt& prompt, const Options& options) {
  if (!prompt.content.is_string()) {
    return std::unexpected(Error{.code = Errc::invalid_option,
                                 .message = "A prompt on the command line can only be text",
                                 .where = "Options::legacy_argv"});
  }
  if (auto warning = launch::legacy_warning(options); !warning.empty() && options.log) {
    quietly([&] { options.log(LogLevel::warning, warning); });
  }
  auto command =
      launch::legacy_command(options, prompt.content.text(), launch::real_surroundings());
  if (!command) return std::unexpected(command.error());
  auto runtime = options.runtime ? options.runtime : Runtime::shared();
  Runtime::Loop* loop = RuntimeAccess::loop(*runtime);
  if (loop == nullptr) return std::unexpected(no_loop());
  auto transport = start_child(*loop, *command);
  if (!transport) return std::unexpected(transport.error());
  (*transport)->close_input();
  return LegacyRun(std::move(runtime), std::move(*transport), options.limits.line_bytes);
}

LegacyRun::~LegacyRun() {
  if (!transport_ || exit_) return;
  transport_->kill();
  wait_for_exit(*transport_);
}

void LegacyRun::read_errors() {
  std::array<char, 16384> chunk;
  IoResult result = transport_->read_errors(chunk);
  errors_closed_ = result.status == IoStatus::closed;
  stderr_tail_.append(chunk.data(), result.bytes);
  if (stderr_tail_.size() > kStderrTailBytes) {
    stderr_tail_.erase(0, stderr_tail_.size() - kStderrTailBytes);
  }
}

// Reads more; false at the end.
bool LegacyRun::read() {
  std::array<io::PollItem, 2> items{
      {{.fd = transport_->read_fd()}, {.fd = errors_closed_ ? -1 : transport_->error_fd()}}};
  io::poll_few(items, std::nullopt);
  read_errors();
  IoResult result = transport_->read(framer_.space());
  framer_.filled(result.bytes);
  return result.status != IoStatus::closed;
}

std::optional<Message> LegacyRun::next() {
  while (!exit_) {
    while (auto line = framer_.next_line()) {
      wire::Line decoded = wire::decode_line(*line);
      auto* message = std::get_if<Message>(&decoded);
      if (message == nullptr) continue;
      if (auto* result = std::get_if<ResultMessage>(message)) result_ = *result;
      return std::move(*message);
    }
    if (framer_.take_oversized() || read()) continue;
    exit_ = wait_for_exit(*transport_);
    read_errors();
  }
  return std::nullopt;
}

Result<TurnResult> LegacyRun::result() const {
  if (result_) return TurnResult{*result_, false, {}};
  Error error{.code = Errc::exited, .message = "The CLI ended without a result"};
  if (exit_) {
    error.exit_code = exit_->code;
    error.signal = exit_->signal;
  }
  error.stderr_tail = stderr_tail_;
  return std::unexpected(std::move(error));
}

}  // namespace claude
