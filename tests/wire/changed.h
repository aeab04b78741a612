// A line with a few bytes of it changed, for those who read one form of line and no other.
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace claude::test {

inline std::string changed_somewhere(std::string line, std::mt19937& random) {
  constexpr std::string_view kBytes = "\"\\{}[],:0123456789abcdefnu \t\x01\x7f\xc3\xa9";
  for (auto changes = 1 + random() % 3; changes > 0; --changes) {
    const std::size_t at = random() % line.size();
    const char byte = kBytes[random() % kBytes.size()];
    switch (random() % 3) {
      case 0:
        line[at] = byte;
        break;
      case 1:
        line.insert(at, 1, byte);
        break;
      default:
        line.erase(at, 1);
    }
  }
  return line;
}

}  // namespace claude::test
