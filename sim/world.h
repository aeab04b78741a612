// What a simulated CLI finds around it: its pipes, its signals, its variables and its folder.
//
// A program's are those of its process. A CLI that a test runs on a thread of its own is given
// others; so each thread has its own, and nothing else of the simulator looks at the process.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace claude::sim {

struct World {
  int in = 0;
  int out = 1;
  int err = 2;
  int signals = -1;  // where a byte comes for each signal, its number
  std::string cwd = {};
  std::map<std::string, std::string, std::less<>> environment = {};
};

World& world();

// A variable of the environment. One that is empty is as good as none.
std::string variable(std::string_view name, std::string_view otherwise = {});

}  // namespace claude::sim
