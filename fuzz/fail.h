// How a fuzzer says that it has found something.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

inline void must_be_none(const std::string& problem) {
  if (problem.empty()) return;
  std::fprintf(stderr, "found: %s\n", problem.c_str());
  std::abort();
}
