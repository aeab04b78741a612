// One line of the CLI, decoded, beside what nlohmann-json reads in it.
#include "fail.h"
#include "wire/second_opinion.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  must_be_none(claude::test::disagreement({reinterpret_cast<const char*>(data), size}));
  return 0;
}
