// What the writer puts on a line: commas, escapes, digits, and never a newline.
#include "json/writer.h"

#include "json/oracle.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace claude::json {
namespace {

std::string string(std::string_view text) {
  std::string out;
  Writer(out).string(text);
  return out;
}

std::string number(double value) {
  std::string out;
  Writer(out).number(value);
  return out;
}

std::string raw(std::string_view text) {
  std::string out;
  Writer(out).begin_array().raw(text).raw(text).end_array();
  return out;
}

TEST(Writer, SetsTheCommas) {
  std::string line = "kept ";
  Writer writer(line);
  writer.begin_object().key("a").integer(-1).key("b").begin_array().null().boolean(true);
  writer.begin_object().end_object().string("").end_array().key("c").begin_object();
  writer.key("d").unsigned_integer(UINT64_MAX).end_object().key("e").value(Json::array({1, 2}));
  writer.key("f").raw("{}").end_object();
  EXPECT_EQ(line, R"(kept {"a":-1,"b":[null,true,{},""],"c":{"d":18446744073709551615},)"
                  R"("e":[1,2],"f":{}})");
}

TEST(Writer, EscapesOnlyWhatMustBe) {
  EXPECT_EQ(string("plain text of some length / \x7f"), "\"plain text of some length / \x7f\"");
  EXPECT_EQ(string("\"\\\b\f\n\r\t\x01\x1f"), R"("\"\\\b\f\n\r\t\u0001\u001f")");
  EXPECT_EQ(string(std::string_view("\0", 1)), R"("\u0000")");
  EXPECT_EQ(string("\xE2\x80\xA8\xF0\x9F\x98\x80"), "\"\xE2\x80\xA8\xF0\x9F\x98\x80\"");
}

TEST(Writer, RepairsWhatIsNoUtf8) {
  EXPECT_EQ(string("a\xFF\"\xC3"), "\"a\xEF\xBF\xBD\\\"\xEF\xBF\xBD\"");
}

TEST(Writer, FindsEveryByteToEscapeWhereverItStands) {
  for (std::size_t at = 0; at < 40; ++at) {
    for (const char c : {'"', '\\', '\n', '\x1f', ' ', '!', '#', '[', ']', '\x7f'}) {
      std::string text(40, '\x20');
      text[at] = c;
      EXPECT_EQ(test::Oracle::parse(string(text)).get<std::string>(), text) << at << ' ' << int{c};
    }
  }
}

TEST(Writer, ReadsBackThroughTheOracleWhateverTheBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 50, ' ');
    for (char& c : text) c = static_cast<char>(random() % 0x80);
    EXPECT_EQ(test::Oracle::parse(string(text)).get<std::string>(), text);
  }
}

// S5
TEST(Writer, NeverWritesANewlineInsideALine) {
  std::string line;
  Writer(line)
      .begin_object()
      .key("a\r\nb")
      .string("c\nd")
      .key("e")
      .raw("[1,\r\n 2]\n")
      .end_object();
  EXPECT_EQ(line, R"({"a\r\nb":"c\nd","e":[1, 2]})");
}

TEST(Writer, TakesCheckedTextAsItIs) {
  EXPECT_EQ(raw(R"({"a": "\n"})"), R"([{"a": "\n"},{"a": "\n"}])");
  EXPECT_EQ(raw(""), "[null,null]");
}

TEST(Writer, WritesTheShortestDigitsOfANumber) {
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(1.0), "1");
  EXPECT_EQ(number(-0.0), "-0");
  EXPECT_EQ(number(1e5), "1e+05");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
  for (const double value : {5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1.0 / 3}) {
    EXPECT_EQ(test::Oracle::parse(number(value)).get<double>(), value);
    EXPECT_EQ(Json::parse(number(value))->number(), value);
  }
}

}  // namespace
}  // namespace claude::json
