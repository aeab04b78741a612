// Any text as a scenario: it is taken, or refused with a reason.
#include "document.h"
#include "fail.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    claude::sim::read_document({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  } catch (const claude::sim::ScenarioError& error) {
    if (!std::string(error.what()).starts_with("fuzz.json:")) must_be_none(error.what());
  }
  return 0;
}
