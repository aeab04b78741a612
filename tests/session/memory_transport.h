// A CLI in memory: a Transport whose other side is played by the test, line by line.
//
//   MemoryCli cli;
//   options.transport = cli.factory();
//   Session session = Session::start(options).value();   // initialize is answered by itself
//   Call<ModelSet> call = session.set_model("opus");
//   WireJson asked = cli.next();                          // the line as it stands on the wire
//   cli.answer(asked, {{"model", "claude-opus"}});
//
// Thread-safe. on_write and on_close run inside the session's own calls: they must not use it.
#pragma once

#include <claude/options.h>
#include <claude/transport.h>

#include <functional>
#include <memory>
#include <string>

#include "session/watch.h"

namespace claude::test {

class MemoryCli {
 public:
  MemoryCli();
  ~MemoryCli();
  MemoryCli(const MemoryCli&) = delete;
  MemoryCli& operator=(const MemoryCli&) = delete;

  std::function<Result<std::unique_ptr<Transport>>(const Command&)> factory();

  // As if the CLI had written it.
  void inject_line(const WireJson& line);
  void inject(std::string_view bytes);
  // A request of the CLI, and an answer of it.
  void ask(const std::string& request_id, WireJson request);
  void answer(const WireJson& request, const WireJson& payload);
  // The CLI closes its output.
  void end();

  // The next line that the session wrote; waits for it.
  WireJson next();
  bool has_line() const;

  // Whether it takes what the session writes. Set before the session starts, or at any time.
  void take_input(bool takes);

  // By default on_write answers initialize, and the CLI ends when its input is closed.
  std::function<void(const WireJson&)> on_write;
  std::function<void()> on_close;
  bool carries_control = true;
  bool writes_apart = false;
  std::size_t bytes_a_write = std::string::npos;  // it takes no more at once

  int made() const;         // how many transports the factory has made
  Command command() const;  // what the last of them was to start
  bool overlapped() const;  // two threads were in the transport at a time
  bool input_closed() const;

 private:
  struct State;
  class Side;
  std::shared_ptr<State> state_;
};

}  // namespace claude::test
