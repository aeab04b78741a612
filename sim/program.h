// A program that the CLI starts and speaks with in lines: an MCP server of the type stdio.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "loop.h"

namespace claude::sim {

class Program {
 public:
  struct Command {
    std::vector<std::string> argv;
    std::map<std::string, std::string, std::less<>> environment;
    std::string cwd;
  };

  // `on_end` is the last that is heard of it, and may destroy the object.
  Program(Loop& loop, const Command& command, std::function<void(std::string_view)> on_line,
          std::function<void()> on_end);
  // Ends the program, if it has not ended.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // False: there is no such program.
  bool started() const { return pid_ > 0; }
  void write_line(std::string line);

 private:
  void read();

  Loop& loop_;
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  std::string line_;
  std::function<void(std::string_view)> on_line_;
  std::function<void()> on_end_;
};

}  // namespace claude::sim
