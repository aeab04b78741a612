// A host that drives claude-sim over pipes, line by line: what an SDK is to the CLI, without one.
//
//   Host host({.turns = R"([{"model": [{"text": "hi"}]}])"});
//   host.initialize();
//   host.prompt("hello");
//   EXPECT_EQ(host.until("result")["result"], "hi");
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/child_process.h"
#include "support/temp_dir.h"

namespace claude::test {

using json = nlohmann::ordered_json;

struct Start {
  std::string scenario = {};  // a whole document
  std::string turns = {};     // or only its turns
  std::vector<std::string> flags = {};
  Environment environment = {};
  bool stdio = true;    // --permission-prompt-tool stdio
  bool streams = true;  // the flags of a two-way session
};

class Host {
 public:
  explicit Host(const Start& start = {});

  void send(const json& line);
  void send_text(std::string_view line) { process_.write_line(line); }
  // The next line; a null value at the end of stdout.
  json next();
  // Reads until a line of this kind comes (see kind()), and gives it. Null: it never came.
  json until(std::string_view kind);
  // What until() has passed over, all kinds in order, with the last one.
  const std::vector<std::string>& seen() const { return seen_; }

  json initialize(const json& fields = json::object());
  void prompt(const std::string& text, const std::string& uuid = "");
  // The answer to a control request, and its payload.
  json ask(const std::string& subtype, const json& fields = json::object());
  void answer(const json& request, const json& payload);
  void refuse(const json& request, const std::string& error);

  // Closes stdin and gives the exit code; what comes on stdout until then is in seen().
  int end();
  int wait();
  ChildProcess& process() { return process_; }
  const TempDir& folder() const { return folder_; }

 private:
  TempDir folder_;
  ChildProcess process_;
  std::vector<std::string> seen_;
  int requests_ = 0;
};

// "system/init", "assistant", "control_request/can_use_tool", "result", ...
std::string kind(const json& line);

// The command line and environment of a start; `folder` becomes home.
std::vector<std::string> command_of(const Start& start);
Environment environment_of(const Start& start, const TempDir& folder);

}  // namespace claude::test
