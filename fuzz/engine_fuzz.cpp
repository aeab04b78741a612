// Drives whole sessions of the engine from the bytes of libFuzzer: as the choices of a schedule
// (what the user, the CLI, the clock and the pipe do), or as what a CLI has written.
//
//   cmake -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++-19 -DCLAUDE_AGENT_FUZZ=ON
//   cmake --build build/fuzz --target engine_fuzz && build/fuzz/fuzz/engine_fuzz -max_total_time=60
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/schedule.h"

namespace {

void must_be_none(const std::string& problem) {
  if (problem.empty()) return;
  std::fprintf(stderr, "a law was broken: %s\n", problem.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace claude::core;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("{")) {
    Played whole = listen(bytes, [] { return std::string::npos; });
    Played pieces = listen(bytes, [] { return std::size_t{1}; });
    must_be_none(difference(whole, pieces));
  } else {
    must_be_none(play(Choices(bytes)).problem);
  }
  return 0;
}
