// What Json::parse accepts, refuses and says about it; nlohmann-json gives the second opinion.
#include "json/parse.h"
#include "json/limits.h"
#include "json/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace claude {
namespace {

using namespace std::string_literals;
using test::Oracle;
using testing::HasSubstr;

std::string nested(std::size_t levels, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  text += "1";
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}

std::string problem(std::string_view text) {
  const auto json = Json::parse(text);
  return json ? "none" : json.error().to_string();
}

const std::vector<std::string> kGood = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "\"\"",
    "[]",
    "{}",
    " \t\r\n[ ]\n ",
    "true                                                                      ",
    R"([1,"two",3.5,null,true,false,[],{}])",
    R"({"a":{"b":[{"c":[]}]},"":""})",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "1.0",
    "1e5",
    "1E+5",
    "1.5e-7",
    "-0.0",
    "0e0",
    "1e-400",
    "2.2250738585072014e-308",
    "5e-324",
    "1.7976931348623157e308",
    "0.1",
    "9007199254740993",
    "[0.1,1.10,100000000000000000000.5]",
    std::string(2000, '1').insert(1, "."),
    R"("\"\\\/\b\f\n\r\t")",
    R"("\u0000\u001f\u007f\u00e9\u20ac\ud83d\ude00")",
    "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xE2\x80\xA8\x7F\"",
    R"({"k\u0065y":1})",
    R"({"a":1,"b":2,"a":3})",
    R"({"a":1,"\u0061":{"b":1,"b":2}})",
    R"({ "type" : "user" , "message":{"content":[{"type":"text","text":"hi\n"}]}})"};

const std::vector<std::string> kBad = {"",
                                       " ",
                                       "[",
                                       "]",
                                       "{",
                                       "}",
                                       "[1",
                                       "1]",
                                       "[1,]",
                                       "[,1]",
                                       "[1 2]",
                                       "1 2",
                                       "1,2",
                                       "1],[2",
                                       "[]]",
                                       "[[]",
                                       "{}}",
                                       "{}{}",
                                       "{\"a\"}",
                                       "{\"a\":}",
                                       "{\"a\":1,}",
                                       "{\"a\" 1}",
                                       "{a:1}",
                                       "{1:2}",
                                       "{\"a\":1 \"b\":2}",
                                       "[1:2]",
                                       "{,}",
                                       "[}",
                                       "{]",
                                       ":",
                                       ",",
                                       "nul",
                                       "nulll",
                                       "nullx ",
                                       "true1",
                                       "tru",
                                       "True",
                                       "falsey",
                                       "NaN",
                                       "Infinity",
                                       "undefined",
                                       "01",
                                       "-01",
                                       "-",
                                       "+1",
                                       ".5",
                                       "1.",
                                       "1.e5",
                                       "1e",
                                       "1e+",
                                       "0x1",
                                       "1_0",
                                       "--1",
                                       "1e400",
                                       "-1e400",
                                       "1a",
                                       "\"",
                                       "\"abc",
                                       "'a'",
                                       "\"\\\"",
                                       R"("\x")",
                                       R"("\u12")",
                                       R"("\u12g4")",
                                       "\"a\nb\"",
                                       "\"a\tb\"",
                                       "\"\x01\"",
                                       "\"\0\""s,
                                       "\0"s,
                                       "//c\n1",
                                       "/**/1",
                                       "\"\xFF\"",
                                       "\"\xC0\xAF\"",
                                       "\"\xED\xA0\xBD\"",
                                       "\"\xF4\x90\x80\x80\"",
                                       "\"\xC3\"",
                                       "\xC3\xA9",
                                       "[\"a\",\"b]",
                                       "{\"a\":[1,2}",
                                       "[{\"a\":1]"};

TEST(Parse, AcceptsWhatTheOracleAcceptsWithTheSameValue) {
  for (const std::string& text : kGood) {
    const auto json = Json::parse(text);
    ASSERT_TRUE(json) << text << ": " << json.error().to_string();
    EXPECT_TRUE(test::same(*json, Oracle::parse(text))) << text << " gave " << json->dump();
  }
}

TEST(Parse, RejectsWhatTheOracleRejects) {
  for (const std::string& text : kBad) {
    EXPECT_FALSE(Oracle::accept(text)) << text;
    EXPECT_FALSE(Json::parse(text)) << text;
  }
}

TEST(Parse, IsStricterThanTheOracleOnBytesAroundTheValue) {
  EXPECT_FALSE(Json::parse("[1]\0"s));
  EXPECT_FALSE(Json::parse("\xEF\xBB\xBF[1]"));
}

TEST(Parse, AgreesWithTheOracleOnTextsThatAreBrokenAtRandom) {
  const std::string alphabet =
      "{}[]\",:\\u0d8Dc123456789eE+-.truefalsn \n\t\x01\x7f\x80\xC3\xA9\xED"s;
  std::mt19937 random(20240229);
  const auto below = [&](std::size_t limit) { return random() % limit; };

  for (int round = 0; round < 5000; ++round) {
    std::string text = kGood[below(kGood.size())];
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t at = below(text.size() + 1);
      const std::size_t length = below(4);
      switch (below(3)) {
        case 0:
          text.insert(at, 1, alphabet[below(alphabet.size())]);
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(below(text.size() + 1), length));
          break;
      }
    }
    const auto json = Json::parse(text);
    const Oracle theirs = Oracle::parse(text, nullptr, false);
    // The oracle rejects lone surrogates, which we read.
    if (theirs.is_discarded() && (text.contains("\\ud") || text.contains("\\uD"))) continue;
    ASSERT_EQ(json.has_value(), !theirs.is_discarded()) << "round " << round << ": " << text;
    ASSERT_TRUE(!json || test::same(*json, theirs)) << "round " << round << ": " << text;
  }
}

TEST(Parse, GivesEachIntegerTheFirstTypeThatHoldsIt) {
  EXPECT_EQ(Json::parse("-9223372036854775808")->integer(), INT64_MIN);
  EXPECT_EQ(Json::parse("18446744073709551615")->unsigned_integer(), UINT64_MAX);
  EXPECT_TRUE(Json::parse("18446744073709551615")->is_integer());
  EXPECT_FALSE(Json::parse("18446744073709551616")->is_integer());
  EXPECT_EQ(Json::parse("18446744073709551616")->number(), 18446744073709551616.0);
}

TEST(Parse, ReadsEveryDecimalToTheNearestDouble) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = std::to_string(random() % 10'000'000'000'000'000'000u);
    text.resize(std::min<std::size_t>(text.size(), 1 + random() % 19));
    text.insert(random() % text.size() + 1, ".");
    text += "5";
    if (text.starts_with("0") && text[1] != '.') text.insert(0, "1");
    if (random() % 2 == 0) text.insert(0, "-");
    const auto json = Json::parse(text);
    ASSERT_TRUE(json) << text;
    ASSERT_EQ(json->number(), std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(Parse, KeepsTheSignOfZero) {
  EXPECT_TRUE(std::signbit(Json::parse("-0")->number()));
  EXPECT_TRUE(std::signbit(Json::parse("-0.0")->number()));
  EXPECT_EQ(Json::parse("-0")->dump(), "-0");
  EXPECT_EQ(*Json::parse("-0"), Json(0));
}

TEST(Parse, TakesTheLastOfTwoMembersAndKeepsItsPlace) {
  EXPECT_EQ(Json::parse(R"({"a":1,"b":2,"a":3})")->dump(), R"({"a":3,"b":2})");

  std::string many = "{";
  for (int i = 0; i < 50'000; ++i) many += "\"" + std::to_string(i % 20'000) + "\":1,";
  many += R"("7":"last"})";
  const Json json = Json::parse(many).value();
  EXPECT_EQ(json.size(), 20'000u);
  EXPECT_EQ(json.members()[7].value, Json("last"));
}

TEST(Parse, ReadsLoneSurrogatesAsReplacementCharacters) {
  const auto text = [](std::string_view json) { return std::string(Json::parse(json)->text()); };
  EXPECT_EQ(text(R"("cut \ud83d")"), "cut \xEF\xBF\xBD");
  EXPECT_EQ(text(R"("\uDE00")"), "\xEF\xBF\xBD");
  EXPECT_EQ(text(R"("\ud83d\ud83d\ude00")"), "\xEF\xBF\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(text(R"("\ude00\ud83d")"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(text(R"("\ud83d\n\ude00")"), "\xEF\xBF\xBD\n\xEF\xBF\xBD");
  EXPECT_EQ(text(R"("\ud83d\\ude00")"), "\xEF\xBF\xBD\\ude00");
  EXPECT_EQ(text(R"("\\ud83d")"), "\\ud83d");
  EXPECT_EQ(*Json::parse(R"({"\udc00":1})"), Json::object({{"\xEF\xBF\xBD", 1}}));
  EXPECT_FALSE(Json::parse(R"("\ud83d\uZZ00")"));
}

TEST(Parse, StopsAtTheDepthLimit) {
  EXPECT_TRUE(Json::parse(nested(json::kMaxDepth, "[", "]")));
  EXPECT_FALSE(Json::parse(nested(json::kMaxDepth + 1, "[", "]")));
  EXPECT_TRUE(Json::parse(nested(json::kMaxDepth, "{\"a\":", "}")));
  EXPECT_FALSE(Json::parse(nested(json::kMaxDepth + 1, "{\"a\":", "}")));
  EXPECT_FALSE(Json::parse(std::string(1'000'000, '[')));
}

std::string empty_things(std::size_t count) {
  std::string text = "[{}";
  while (--count > 0) text += ",{}";
  return text + "]";
}

TEST(Parse, OfWhatComesFromTheCliIsBounded) {
  const std::size_t fitting = json::kMaxTreeBytes / sizeof(Json);
  EXPECT_EQ(RawJson(empty_things(fitting)).json().size(), fitting);
  const std::string more = empty_things(fitting + 1);
  EXPECT_TRUE(RawJson(more).json().is_null());
  EXPECT_EQ(Json::parse(more).value().size(), fitting + 1) << "the host's own text may be anything";
  EXPECT_TRUE(RawJson("[" + more + "," + more + "]").json().is_null());

  std::string members = R"({"a":0)";
  for (std::size_t i = 0; i < json::kMaxTreeBytes / sizeof(Json::Member); ++i)
    members += R"(,"a":0)";
  EXPECT_TRUE(RawJson(members + "}").json().is_null());
}

TEST(Parse, IsTriedWithoutMakingAValue) {
  for (const char* text : {"{}", "[1,{\"a\":null}]", " 7 ", "\"\\u00e9\""}) {
    EXPECT_TRUE(json::is_json(text)) << text;
  }
  for (const char* text : {"", "{", "[1 2]", "{} {}", "\"\\x\"", "nul"}) {
    EXPECT_FALSE(json::is_json(text)) << text;
  }
}

TEST(Parse, NamesTheByteThatIsWrong) {
  EXPECT_EQ(problem("[1 2]"), "invalid_json: the text is no JSON: a comma is missing at byte 3");
  EXPECT_THAT(problem("[1,2,x]"), HasSubstr("byte 5"));
  EXPECT_THAT(problem("[1,\n2,\n]"), HasSubstr("byte 7"));
  EXPECT_THAT(problem(R"({"a":tru})"), HasSubstr("byte 5"));
  EXPECT_THAT(problem(R"({"a":01})"), HasSubstr("byte 5"));
  EXPECT_THAT(problem(R"({"a" 1})"), HasSubstr("byte 5"));
  EXPECT_THAT(problem(R"(["a","\x"])"), HasSubstr("byte 5"));
  EXPECT_THAT(problem("{} {}"), HasSubstr("byte 3"));
  EXPECT_EQ(problem(""), "invalid_json: the text is no JSON: it is empty");
  EXPECT_THAT(problem("[\"a\xFF\"]"), HasSubstr("byte 3"));
  EXPECT_THAT(problem("[\"\\\"\n\"]"), HasSubstr("byte 4"));
  EXPECT_THAT(problem("[\"abc"), HasSubstr("byte 5"));
}

TEST(RawJson, ReadsAsAValueAndAsNullWhenAbsent) {
  const RawJson input(R"({"command":"ls"})");
  EXPECT_EQ(input["command"].text(), "ls");
  EXPECT_EQ(input.json(), Json::object({{"command", "ls"}}));
  EXPECT_TRUE(RawJson().json().is_null());
  EXPECT_FALSE(RawJson());
}

}  // namespace
}  // namespace claude
