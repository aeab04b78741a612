// A made-up machine for the tests of this room: its programs, folders and environment. And how a
// test takes the error out of a result that had better be one.
#pragma once

#include <claude/error.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "launch/surroundings.h"

namespace claude::test {

inline constexpr const char* kId = "123e4567-e89b-42d3-a456-426614174000";  // of a session

struct World {
  std::set<std::string> programs = {"/usr/bin/claude"};
  std::set<std::string> files;  // there, but not executable
  std::set<std::string> directories = {"/srv"};
  std::map<std::string, std::string> environment = {{"PATH", "/usr/bin"}, {"HOME", "/home/ada"}};

  operator launch::Surroundings() const {
    launch::Surroundings around;
    around.environment = environment;
    around.home = "/home/ada";
    around.current_directory = "/srv";
    around.look = [world = *this](const std::string& path) {
      if (world.programs.contains(path)) return launch::PathKind::program;
      if (world.files.contains(path)) return launch::PathKind::file;
      if (world.directories.contains(path)) return launch::PathKind::directory;
      return launch::PathKind::nothing;
    };
    return around;
  }
};

template <class T>
Error error_of(const Result<T>& result) {
  if (!result) return result.error();
  ADD_FAILURE() << "expected an error";
  return {};
}

}  // namespace claude::test
