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
  // One that went on has been killed: if it is still there, it hangs in the kernel.
  if (!transport_ || exit_ || went_on_) return;
  transport_->kill();
  wait_for_exit(*transport_);
}

void LegacyRun::read_errors() {
  std::array<char, 16384> chunk;
  IoResult result;
  for (int chunks = 0; chunks < kStderrChunks && result.status == IoStatus::ok; ++chunks) {
    result = transport_->read_errors(chunk);
    stderr_tail_.append(chunk.data(), result.bytes);
  }
  errors_closed_ = result.status == IoStatus::closed;
  if (stderr_tail_.size() > kStderrTailBytes) {
    stderr_tail_.erase(0, stderr_tail_.size() - kStderrTailBytes);
  }
}

// Until there is output, or the CLI has exited.
void LegacyRun::wait(int output, io::Timeout timeout) {
  std::array<io::PollItem, 3> items{{{.fd = output},
                                     {.fd = errors_closed_ ? -1 : transport_->error_fd()},
                                     {.fd = transport_->exit_fd()}}};
  const bool is_told = items[2].fd >= 0;
  io::poll_few(items, is_told ? timeout : kAskAgain);
  if (!is_told || items[2].readable) exit_ = transport_->exited();
  read_errors();
}

// Reads more; false at the end. When the CLI has exited, what it said before is there: nobody waits
// for those it left behind, who may hold the pipe.
bool LegacyRun::read() {
  if (!exit_) wait(transport_->read_fd(), std::nullopt);
  IoResult result = transport_->read(framer_.space());
  framer_.filled(result.bytes);
  if (!exit_) return result.status != IoStatus::closed;
  bytes_after_exit_ += result.bytes;
  return result.status == IoStatus::ok && bytes_after_exit_ <= kAfterExitBytes;
}

// Its output has ended. If it goes on running all the same, it is ended as well.
void LegacyRun::finish() {
  over_ = true;
  const TimePoint until = Clock::now() + kExitAfterClose;
  while (!exit_ && Clock::now() < until) wait(-1, until - Clock::now());
  read_errors();
  if (exit_) return;
  went_on_ = true;
  transport_->kill();
  exit_ = wait_for_exit(*transport_);
}

std::optional<Message> LegacyRun::next() {
  while (true) {
    while (auto line = framer_.next_line()) {
      wire::Line decoded = wire::decode_line(*line);
      auto* message = std::get_if<Message>(&decoded);
      if (message == nullptr) continue;
      if (auto* result = std::get_if<ResultMessage>(message)) result_ = *result;
      return std::move(*message);
    }
    if (auto line = framer_.take_oversized()) {
      result_too_long_ |= line->is_result;
      continue;
    }
    if (over_) return std::nullopt;
    if (!read()) finish();
  }
}

Result<TurnResult> LegacyRun::result() const {
  if (result_) return TurnResult{*result_, false, {}};
  if (result_too_long_) {
    return std::unexpected(Error{.code = Errc::line_too_long,
                                 .message = "The result is above the limit and was skipped",
                                 .where = "the CLI's output",
                                 .advice = "Raise Limits::line_bytes."});
  }
  Error error{.code = Errc::exited,
              .message = "The CLI ended without a result",
              .where = "the CLI's process",
              .advice = stderr_tail_.empty() ? "It wrote nothing to stderr." : "Read its stderr."};
  if (went_on_) {
    error.message = "The CLI closed its output without a result, but went on running";
  } else if (exit_) {
    error.exit_code = exit_->code;
    error.signal = exit_->signal;
  }
  error.stderr_tail = stderr_tail_;
  return std::unexpected(std::move(error));
}

}  // namespace claude
