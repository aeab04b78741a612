// The cassette: one JSON object a line, written whole or not at all.
//
//   {"cassette":1}
//   {"at_us":0,"to_cli":{"type":"control_request",...}}
//   {"at_us":812,"from_cli":{"type":"control_response",...}}
//   {"at_us":900,"from_cli_text":"no JSON at all"}
//   {"at_us":950,"end":"stopped"}
#include <claude/json.h>
#include <claude/recorder.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>

#include "io/fd.h"
#include "io/pipe.h"
#include "json/parse.h"
#include "json/writer.h"
#include "session/redact.h"
#include "session/threads.h"

namespace claude {
namespace {

[[gnu::cold]] Error cannot_write(const std::string& path, int reason) {
  return {.code = Errc::recording_failed,
          .message = "the cassette cannot be written",
          .where = path,
          .advice = "the session goes on without it; the lines before this one are whole",
          .os_error = reason};
}

// What is open here becomes an empty file that only its owner may read. Gives what went wrong, or
// 0. A device or a pipe stays as it is: it keeps nothing, and its mode is others' business.
int make_private(const io::Fd& file) {
  struct stat found = {};
  if (::fstat(file.get(), &found) != 0) return errno;
  if (!S_ISREG(found.st_mode)) return 0;
  if (found.st_uid != ::geteuid()) return EPERM;  // whoever owns it could read it all the same
  return ::fchmod(file.get(), S_IRUSR | S_IWUSR) == 0 && ::ftruncate(file.get(), 0) == 0 ? 0
                                                                                         : errno;
}

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home ? home : "";
}

}  // namespace

struct Recorder::Tape {
  std::string path;
  io::Fd file;
  Redactor redact;
  Mutex lock = {};
  std::optional<Clock::time_point> began = {};
  off_t whole_bytes = 0;
  std::optional<Error> failed = {};

  void write_row(std::string row) {
    row += '\n';
    if (failed) return;
    if (const int reason = io::write_all(file.get(), row)) return give_up(reason);
    whole_bytes += static_cast<off_t>(row.size());
  }

  void give_up(int reason) {
    failed = cannot_write(path, reason);
    // Half a row would make the rest unreadable. A device cannot be cut, and has no rows to save.
    [[maybe_unused]] const int cut = ::ftruncate(file.get(), whole_bytes);
  }

  std::string row_at(Clock::time_point now) {
    if (!began) began = now;
    const auto passed = std::chrono::duration_cast<std::chrono::microseconds>(now - *began);
    std::string row = "{\"at_us\":";
    base::append_number(row, passed.count());
    return row += ',';
  }
};

Recorder::Recorder(std::unique_ptr<Tape> tape) : tape_(std::move(tape)) {}
Recorder::~Recorder() = default;

Result<std::shared_ptr<Recorder>> Recorder::open(const std::string& path,
                                                 std::vector<std::string> secrets) {
  // The session writes under its lock: it must not wait there for the reader of a pipe.
  io::Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600));
  if (!file) return std::unexpected(cannot_write(path, errno));
  for (std::string& secret : secrets_of_environment()) secrets.push_back(std::move(secret));
  if (const int reason = make_private(file)) return std::unexpected(cannot_write(path, reason));
  auto tape =
      std::unique_ptr<Tape>(new Tape{path, std::move(file), Redactor(home_folder(), secrets)});
  tape->write_row(R"({"cassette":1})");
  if (tape->failed) return std::unexpected(*tape->failed);
  return std::shared_ptr<Recorder>(new Recorder(std::move(tape)));
}

Result<void> Recorder::status() const {
  std::lock_guard guard(tape_->lock);
  if (tape_->failed) return std::unexpected(*tape_->failed);
  return {};
}

void Recorder::on_start(const Options& options) {
  std::lock_guard guard(tape_->lock);
  tape_->redact.hide(secrets_of(options));
}

void Recorder::on_line(Direction direction, std::string_view line, Clock::time_point now) {
  std::lock_guard guard(tape_->lock);
  const std::string shown = tape_->redact(line);
  const bool is_json = json::is_json(shown);
  std::string row = tape_->row_at(now);
  row += direction == Direction::to_cli ? "\"to_cli" : "\"from_cli";
  row += is_json ? "\":" : "_text\":";
  if (is_json)
    json::Writer(row).raw(shown);
  else
    json::Writer(row).string(shown);
  tape_->write_row(row + "}");
}

void Recorder::on_state(SessionState, SessionState to, Clock::time_point now) {
  if (to != SessionState::stopped && to != SessionState::failed) return;
  std::lock_guard guard(tape_->lock);
  std::string row = tape_->row_at(now) + "\"end\":";
  json::Writer(row).string(to_string(to));
  tape_->write_row(row + "}");
}

}  // namespace claude
