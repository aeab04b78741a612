// Drives whole sessions of the engine from the bytes of libFuzzer: as the choices of a schedule
// (what the user, the CLI, the clock and the pipe do), or as what a CLI has written.
#include "core/schedule.h"
#include "fail.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace claude::core;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("{")) {
    constexpr std::size_t kLineBytes = 4096;  // above those of the seeds
    Played whole = listen(bytes, [] { return std::string::npos; }, kLineBytes);
    // Byte by byte, but no more of them than a run has time for.
    const std::size_t piece = 1 + size / 1024;
    Played pieces = listen(bytes, [&] { return piece; }, kLineBytes);
    must_be_none(difference(whole, pieces));
  } else {
    must_be_none(play(Choices(bytes)).problem);
  }
  return 0;
}
