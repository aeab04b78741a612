// Plays the `host` of a scenario against a CLI: sends its prompts and control requests, answers
// what the CLI asks, and keeps all lines. docs/simulator.md describes the format.
//
// One thread and one line at a time, so the place of each of our lines among the CLI's depends on
// the CLI's lines alone and not on timing.
#pragma once

#include <deque>
#include <map>

#include "differential/transcript.h"
#include "support/child_process.h"

namespace claude::differential {

class Player {
 public:
  Player(const json& host, test::ChildProcess& cli) : host_(host), cli_(cli) {}

  // To the end of the process.
  Transcript play();

 private:
  void play_step(const json& step);
  void send(const json& line);
  void send_prompt(const json& step);
  void send_control(const json& step);
  void send_answer(const json& request_id, const json& answer);

  // Reads until a line contains `pattern`, and answers requests on the way.
  void read_until(const json& pattern);
  // Null at the end of the CLI's output.
  json read();
  void serve(const json& line);
  const json* scripted_answer(const json& request);
  json default_answer(const json& request) const;
  json mcp_answer(const std::string& server, const json& message) const;
  void send_signal(const std::string& name);
  void end_input();
  void finish();

  const json& host_;
  test::ChildProcess& cli_;
  Transcript transcript_;
  std::deque<json> held_;            // requests that a later step answers
  std::map<std::size_t, int> used_;  // how often each of host.answers was given
  int requests_ = 0;
  bool input_ended_ = false;
  bool ends_by_itself_ = false;  // a signal was sent
};

// Is everything that `part` says also said by `whole`? Objects may have more keys.
bool contains(const json& whole, const json& part);

// What a line of the CLI said: {"key": "session_id", "of": {...}}. Any other value is itself.
json said_value(const json& value, const Transcript& past);

}  // namespace claude::differential
