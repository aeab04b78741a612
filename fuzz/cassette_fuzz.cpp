// Any text as a cassette, played to its end against its own lines.
#include "cassette.h"
#include "fail.h"

#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using claude::sim::Cassette;
  const int file = memfd_create("cassette", 0);
  if (write(file, data, size) != static_cast<ssize_t>(size)) return 0;
  try {
    Cassette cassette("/proc/self/fd/" + std::to_string(file), Cassette::Match::loose, "/home/me");
    while (const auto* row = cassette.next()) {
      if (row->kind == Cassette::Row::Kind::to_cli) cassette.take(cassette.text_of(*row));
      cassette.pass();
    }
    cassette.end_of_input();
  } catch (const claude::sim::CassetteError&) {
  }
  close(file);
  return 0;
}
