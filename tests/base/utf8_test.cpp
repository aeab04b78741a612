// UTF-8 after RFC 3629: every code point, and every way to be wrong.
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <array>

namespace claude::utf8 {
namespace {

std::string encoded(char32_t code_point) {
  std::array<char, kMostBytes> bytes;
  return {bytes.data(), put(bytes.data(), code_point)};
}

TEST(Utf8, EveryCodePointIsValidWholeAndNotWithoutAnEnd) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;
    const std::string text = encoded(c);
    ASSERT_TRUE(is_valid(text)) << std::hex << std::uint32_t{c};
    ASSERT_EQ(valid_prefix("a" + text.substr(0, text.size() - 1)), 1u);
    ASSERT_EQ(is_valid(text.substr(1)), c < 0x80);
  }
}

TEST(Utf8, WritesWhatItCannotHoldAsReplacement) {
  EXPECT_EQ(encoded(0x20AC), "\xE2\x82\xAC");
  EXPECT_EQ(encoded(0x1F600), "\xF0\x9F\x98\x80");
  EXPECT_EQ(encoded(0xD83D), "\xEF\xBF\xBD");
  EXPECT_EQ(encoded(0x110000), "\xEF\xBF\xBD");
}

TEST(Utf8, FindsTheFirstWrongByte) {
  EXPECT_EQ(valid_prefix(""), 0u);
  EXPECT_EQ(valid_prefix("0123456789abcdef\x80"), 16u);
  EXPECT_EQ(valid_prefix("\xE2\x82\xAC tail \xC0\xAF"), 9u);  // overlong
  EXPECT_EQ(valid_prefix("\xE0\x9F\xBF"), 0u);                // overlong
  EXPECT_EQ(valid_prefix("\xF0\x8F\xBF\xBF"), 0u);            // overlong
  EXPECT_EQ(valid_prefix("a\xED\xA0\xBD"), 1u);               // a surrogate
  EXPECT_EQ(valid_prefix("\xF4\x90\x80\x80"), 0u);            // above U+10FFFF
  EXPECT_EQ(valid_prefix("\xF5\x80\x80\x80"), 0u);
  EXPECT_EQ(valid_prefix("\xF0\x9F\x98"), 0u);  // cut
}

TEST(Utf8, RepairsEachWrongByte) {
  EXPECT_EQ(repair("whole \xE2\x82\xAC"), "whole \xE2\x82\xAC");
  EXPECT_EQ(repair("\xFF"
                   "a\xC3"),
            "\xEF\xBF\xBD"
            "a\xEF\xBF\xBD");
  EXPECT_EQ(repair("\xE2\x82z"), "\xEF\xBF\xBD\xEF\xBF\xBDz");
}

}  // namespace
}  // namespace claude::utf8
