// What this room reads of the world: the environment of this process and what lies at a path.
//
// Everything else in launch is a function of Options and of this value, so that its tests are
// exact. Nothing here starts or writes anything.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace claude::launch {

enum class PathKind : std::uint8_t { nothing, directory, file, program };

struct Surroundings {
  std::map<std::string, std::string> environment;
  std::string home;               // of the user; empty when nobody knows
  std::string current_directory;  // what relative paths start from
  std::function<PathKind(const std::string& path)> look;

  // The variable's value, or nothing when it is unset or empty.
  std::string_view variable(const std::string& name) const;
  // The path as the child can use it, which may run in another directory.
  std::string absolute(std::string_view path) const;
};

// Those of this process, now. Must not race with setenv, as getenv must not.
Surroundings real_surroundings();

}  // namespace claude::launch
