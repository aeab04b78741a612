// Recording a session to a cassette, which `claude-sim --replay=FILE` plays again as a CLI: what
// went wrong once becomes a test.
//
//   auto recorder = claude::Recorder::open("failure.ndjson").value();
//   options.observer = recorder;
//   ... run the session ...
//   if (auto written = recorder->status(); !written) std::cerr << written.error().to_string();
//
// A cassette is a file of lines: every line of the wire, both ways, each with its time. Your home
// folder stands in it as $HOME, and what looks like a key, token or password as ***: by the name it
// goes by there, or by its form (sk-..., Bearer ...). So do, wherever they stand, the values of
// variables and headers with such a name, of this process and of the session's options
// (environment, MCP servers, settings as JSON), and the texts that you name. Of these, what is
// shorter than eight characters is taken for a word and stays. Look at a cassette before you give
// it away all the same: prompts and files are in it as they were.
#pragma once

#include <claude/error.h>
#include <claude/observer.h>

#include <memory>
#include <string>
#include <vector>

namespace claude {

class Recorder final : public Observer {
 public:
  // Makes the file, or empties it. Only its owner may read it then, also where others could before;
  // a file of another user is refused. `secrets` are further texts to hide.
  static Result<std::shared_ptr<Recorder>> open(const std::string& path,
                                                std::vector<std::string> secrets = {});
  ~Recorder() override;

  // An error once a line could not be written (the disk is full, or where the path is a pipe its
  // reader has gone or is behind). The session goes on; nothing more is recorded, and the lines
  // before that are whole.
  Result<void> status() const;

  void on_start(const Options& options) override;
  void on_line(Direction direction, std::string_view line, Clock::time_point now) override;
  void on_state(SessionState from, SessionState to, Clock::time_point now) override;

 private:
  struct Tape;
  explicit Recorder(std::unique_ptr<Tape> tape);

  std::unique_ptr<Tape> tape_;
};

}  // namespace claude
