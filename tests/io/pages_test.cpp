// Memory by large pages: what the system has been asked for, as it tells itself.
#include "io/pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace claude::test {
namespace {

#ifdef __linux__

// The flags of the mapping that this address lies in, by /proc/self/smaps.
std::string flags_at(const char* address) {
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    if (words >> std::hex >> begin >> dash >> end && dash == '-') {
      const auto wanted = reinterpret_cast<std::uintptr_t>(address);
      here = begin <= wanted && wanted < end;
    } else if (here && line.starts_with("VmFlags:")) {
      return line + ' ';
    }
  }
  return {};
}

TEST(LargePages, AreAskedForFromTheFirstByteToTheLast) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) GTEST_SKIP() << "has none";
  constexpr std::size_t kBytes = std::size_t{40} << 20;
  const auto memory = std::make_unique_for_overwrite<char[]>(kBytes);
  io::use_large_pages(memory.get(), kBytes);
  for (const std::size_t place : {std::size_t{0}, kBytes / 2, kBytes - 1}) {
    EXPECT_NE(flags_at(memory.get() + place).find(" hg "), std::string::npos) << place;
  }
}

#endif

}  // namespace
}  // namespace claude::test
