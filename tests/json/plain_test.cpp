// Values in plain text: where they end, and which of them are for a parser.
#include "json/plain.h"

#include <gtest/gtest.h>

#include "json/parse.h"

#include <random>
#include <string>

namespace claude::json {
namespace {

// How many of its bytes are a value; 0: none that this knows.
std::size_t passed(const std::string& text) {
  const std::string padded = text + std::string(kPaddingBytes, '\0');
  const char* const end = end_of_plain_value(padded.data(), padded.data() + text.size());
  return end == nullptr ? 0 : static_cast<std::size_t>(end - padded.data());
}

TEST(PlainValue, EndsWhereTheParserFindsItsEnd) {
  for (const char* value :
       {"{}", "[]", R"("")", R"("text")", "0", "-7", "123456789012345", "true", "false", "null",
        R"({"a":1,"b":[true,{"c":"d"},[]],"e":{}})", R"([[["deep"]],{"a":[{}]}])",
        R"("a text that is longer than one look of sixteen bytes at a time")"}) {
    EXPECT_EQ(passed(value), std::string(value).size()) << value;
    EXPECT_EQ(passed(value + std::string(R"(,"next":1)")), std::string(value).size()) << value;
  }
}

TEST(PlainValue, IsNoneWhenItIsBroken) {
  for (const char* text : {"",           ",",           "}",
                           "]",          ":",           "\"",
                           R"("open)",   "{",           "[",
                           R"({"a")",    R"({"a":)",    R"({"a":1)",
                           R"({"a":1,)", R"({"a":1,})", R"({"a" 1})",
                           R"({a:1})",   R"({1:2})",    R"({"a":1])",
                           "[1",         "[1,",         "[1,]",
                           "[,1]",       "[1}",         "[1 2]",
                           "tru",        "nul",         "fals",
                           "-",          "+1",          "[01]",
                           "[--1]",      R"(["a""b"])", R"({"a":1 "b":2})"}) {
    EXPECT_EQ(passed(text), 0u) << text;
  }
}

TEST(PlainValue, IsForAParserWhenItIsUnusual) {
  for (const char* text : {" 1", "[ 1]", "[1 ]", R"({"a": 1})", "[1.5]", "[1e3]",
                           "1234567890123456", "[12345678901234567890]"}) {
    EXPECT_EQ(passed(text), 0u) << text;
  }
}

TEST(PlainValue, IsFollowedToADepth) {
  auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + "1" + std::string(depth, ']');
  };
  EXPECT_EQ(passed(nested(64)), nested(64).size());
  EXPECT_EQ(passed(nested(65)), 0u);
  // The outermost of so many is an object still.
  const std::string in_object = R"({"a":)" + nested(63) + "}";
  EXPECT_EQ(passed(in_object), in_object.size());
  EXPECT_EQ(passed(R"({"a":)" + nested(63) + "]"), 0u);
}

TEST(PlainValue, IsTakenForNothingThatTheParserRefuses) {
  std::mt19937 random(7);
  constexpr std::string_view kBytes = R"("{}[],:-0123ab)";
  const std::string value = R"({"a":[1,-20,"b",true,null],"cc":{"d":[]},"e":"0123"})";
  int taken = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string text = value;
    for (auto changes = random() % 3; changes > 0; --changes) {
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    }
    if (passed(text) != text.size()) continue;
    ++taken;
    ASSERT_TRUE(Json::parse(text)) << text;
  }
  EXPECT_GT(taken, 10'000);
}

// A quote may be the last byte, or stand in what is behind the end and does not count.
TEST(PlainText, HasItsFirstQuoteWhereverItStands) {
  for (std::size_t size = 0; size < 70; ++size) {
    for (std::size_t at = 0; at < size + 10; ++at) {
      std::string text(size + kPaddingBytes, 'x');
      text[at] = '"';
      const char* const found = find_quote(text.data(), text.data() + size);
      EXPECT_EQ(found, at < size ? text.data() + at : nullptr) << size << ' ' << at;
    }
  }
}

}  // namespace
}  // namespace claude::json
