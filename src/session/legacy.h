// The one-way form of query(): the prompt on the command line, messages on stdout, nothing asked.
#pragma once

#include <claude/session.h>

#include "io/poller.h"
#include "wire/framer.h"
#include "wire/line.h"

#include <memory>
#include <optional>

namespace claude {

class LegacyRun {
 public:
  static Result<LegacyRun> start(const Prompt& prompt, const Options& options);
  LegacyRun(LegacyRun&&) noexcept = default;
  ~LegacyRun();

  std::optional<Message> next();
  // Once next() has given its last.
  Result<TurnResult> result() const;

 private:
  LegacyRun(std::shared_ptr<Runtime> runtime, std::unique_ptr<Transport> transport,
            std::size_t max_line_bytes)
      : runtime_(std::move(runtime)), transport_(std::move(transport)), framer_(max_line_bytes) {}
  void wait(int output, io::Timeout timeout);
  bool read();
  void read_errors();
  void finish();

  std::shared_ptr<Runtime> runtime_;  // whose thread the child lives by
  std::unique_ptr<Transport> transport_;
  wire::Framer framer_;
  std::string stderr_tail_;
  bool errors_closed_ = false;
  std::optional<ResultMessage> result_;
  bool result_too_long_ = false;
  std::optional<Exit> exit_;
  std::size_t bytes_after_exit_ = 0;
  bool went_on_ = false;  // after its output had ended
  bool over_ = false;
};

}  // namespace claude
