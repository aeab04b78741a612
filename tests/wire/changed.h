// A line with a few bytes of it changed, for those who read one form of line and no other.
#pragma once

#include <gtest/gtest.h>

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

// Whatever the line is turned into: the short cut either reads nothing of it, or the same.
template <class Read>
void expect_same_when_changed(const std::string& line, Read (*by_the_short_cut)(const std::string&),
                              Read (*in_the_general_way)(const std::string&)) {
  std::mt19937 random(7);
  int taken = 0;
  for (int round = 0; round < 50'000; ++round) {
    const std::string changed = changed_somewhere(line, random);
    const Read read = by_the_short_cut(changed);
    if (read.empty()) continue;
    ++taken;
    ASSERT_EQ(read, in_the_general_way(changed)) << changed;
  }
  EXPECT_GT(taken, 1'000);
}

}  // namespace claude::test
