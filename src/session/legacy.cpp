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
  Result<std::unique_ptr<Transport>> transport;
  RuntimeAccess::loop(*runtime)->run_and_wait([&] {
    auto child = ChildTransport::start(*command);
    if (child) {
      transport = std::move(*child);
    } else {
      transport = std::unexpected(child.error());
    }
  });
  if (!transport) return std::unexpected(transport.error());
  (*transport)->close_input();
  return LegacyRun(std::move(runtime), std::move(*transport), options.limits.line_bytes);
}

LegacyRun::~LegacyRun() {
  if (!transport_ || exit_) return;
  transport_->kill();
  while (!transport_->exited()) {
    std::array<io::PollItem, 1> items{{{.fd = transport_->exit_fd()}}};
    io::poll_few(items, std::chrono::milliseconds(10));
  }
}

// Reads more; false at the end.
bool LegacyRun::read() {
  std::array<io::PollItem, 2> items{
      {{.fd = transport_->read_fd()}, {.fd = transport_->error_fd()}}};
  io::poll_few(items, std::nullopt);
  std::array<char, 4096> chunk;
  IoResult errors = transport_->read_errors(chunk);
  stderr_text_.append(chunk.data(), errors.bytes);
  IoResult result = transport_->read(framer_.space());
  framer_.filled(result.bytes);
  return result.status != IoStatus::closed;
}

std::optional<Message> LegacyRun::next() {
  while (!exit_) {
    while (auto line = framer_.next_line()) {
      wire::Line decoded = decoder_.decode(*line);
      auto* message = std::get_if<Message>(&decoded);
      if (message == nullptr) continue;
      if (auto* result = std::get_if<ResultMessage>(message)) result_ = *result;
      return std::move(*message);
    }
    if (framer_.take_oversized() || read()) continue;
    while (!(exit_ = transport_->exited())) {
      std::array<io::PollItem, 1> items{{{.fd = transport_->exit_fd()}}};
      io::poll_few(items, std::chrono::milliseconds(10));
    }
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
  error.stderr_tail = stderr_text_;
  return std::unexpected(std::move(error));
}

}  // namespace claude
