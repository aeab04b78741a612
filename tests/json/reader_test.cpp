// The reader: what it takes, what it refuses, and where it says the fault is.
#include "json/reader.h"

#include "json/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace claude::json {
namespace {

using testing::ElementsAre;

// A text with its padding, its tokens and a reader on them.
struct Reading {
  explicit Reading(std::string_view text)
      : padded(std::string(text) + std::string(kPaddingBytes, '\0')),
        line(padded.data(), text.size()),
        room(2 * text.size() + kPaddingBytes, '\0'),
        arena{room.data()},
        tokens(line),
        in(line, tokens) {}

  std::string padded;
  std::string_view line;
  std::string room;
  Arena arena;
  Tokens tokens;
  Reader in;
};

TEST(Reader, ReadsAValueOnlyAsWhatItIs) {
  Reading text(R"(["s",12,1.5,true,null,{}])");
  std::vector<std::string> seen;
  text.in.each_item([&] {
    std::string fits;
    const auto start = text.in.mark();
    const auto try_as = [&](const char* name, const auto& found) {
      if (found) fits += name;
      text.in.back_to(start);
    };
    try_as("string ", text.in.string(text.arena));
    try_as("integer ", text.in.integer());
    try_as("number ", text.in.number());
    try_as("boolean ", text.in.boolean());
    try_as("raw", text.in.raw());
    text.in.raw();
    seen.push_back(fits);
  });
  EXPECT_TRUE(text.in.finished());
  EXPECT_THAT(seen, ElementsAre("string raw", "integer number raw", "number raw", "boolean raw",
                                "raw", "raw"));
}

TEST(Reader, GivesViewsOfTheTextOrOfTheArena) {
  Reading text(R"({"plain":"abc","escaped":"a\u00e9\n\ud83d\ude00"})");
  text.in.each_member([&](Key key) {
    const auto value = text.in.string(text.arena);
    const bool in_text =
        value->data() >= text.line.data() && value->data() < text.line.data() + text.line.size();
    EXPECT_EQ(in_text, key.is("plain"));
    EXPECT_EQ(*value, key.is("plain") ? "abc" : "aé\n😀");
    return true;
  });
  EXPECT_TRUE(text.in.finished());
}

TEST(Reader, ComparesNamesWholeAndWithoutTheirEscapes) {
  Reading text(
      R"({"type":1,"typ":2,"types":3,"t\u0079pe":4,"\u0074ypes":5,"type\"s":6,"type\u0022":7})");
  std::string found;
  text.in.each_member([&](Key key) {
    const bool is_type = key.is("type");
    const auto value = text.in.integer();
    if (is_type) found += std::to_string(*value);
    return true;
  });
  EXPECT_EQ(found, "14");
}

TEST(Reader, StopsWhenItIsToldTo) {
  Reading text(R"({"a":1,"b":2,"c":3})");
  int members = 0;
  EXPECT_TRUE(text.in.each_member([&](Key) {
    text.in.raw();
    return ++members < 2;
  }));
  EXPECT_EQ(members, 2);
}

TEST(Reader, GivesRawTextWithoutTheBlanksAroundIt) {
  Reading text("{ \"a\" : [ 1 , 2 ]\t, \"b\" : 12 \r, \"c\":\"x\" } ");
  std::vector<std::string> raw;
  text.in.each_member([&](Key) {
    raw.emplace_back(text.in.raw().text());
    return true;
  });
  EXPECT_TRUE(text.in.finished());
  EXPECT_THAT(raw, ElementsAre("[ 1 , 2 ]", "12", "\"x\""));
}

TEST(Reader, ChecksWhatItOnlySkips) {
  for (const char* text : {"[01]",    "[1.]",      "[-]",           "[1e]",        "[tru]",
                           "[nulll]", "[\"\\x\"]", "[\"\\u12g4\"]", "{\"\\q\":1}", "{\"a\\u12\":1}",
                           "[1 2]",   "[1,]",      "{,}",           "{\"a\"}",     "{\"a\":1,}",
                           "[1}",     "[1]]",      "[1e400]",       "[",           "{",
                           "[1\x01]"}) {
    Reading reading(text);
    if (reading.tokens.first() == nullptr) continue;
    reading.in.raw();
    EXPECT_FALSE(reading.in.finished()) << text;
    EXPECT_FALSE(test::Oracle::accept(text)) << text;
  }
}

TEST(Reader, TheFirstErrorSticks) {
  Reading text("[1,x,\"\\q\"]");
  text.in.raw();
  EXPECT_TRUE(text.in.broken());
  EXPECT_EQ(text.in.problem(), "a value is broken at byte 3");
  EXPECT_FALSE(text.in.raw());
  EXPECT_FALSE(text.in.each_item([] {}));
  EXPECT_EQ(text.in.problem(), "a value is broken at byte 3");
}

TEST(Reader, BoundsItsDepth) {
  for (const std::size_t levels : {kMaxDepth, kMaxDepth + 1}) {
    Reading text(std::string(levels, '[') + std::string(levels, ']'));
    text.in.raw();
    EXPECT_EQ(text.in.finished(), levels == kMaxDepth);
  }
}

TEST(Tokens, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(Reading("[\"a\xFF\"]").tokens.problem(), "it is not UTF-8 at byte 3");
  EXPECT_EQ(Reading("[\"a\nb\"]").tokens.problem(),
            "a string holds a raw control character at byte 3");
  EXPECT_EQ(Reading("[\"abc").tokens.problem(), "a string has no end at byte 5");
  EXPECT_EQ(Reading("  ").tokens.problem(), "it is empty at byte 0");
  EXPECT_EQ(Reading("").tokens.problem(), "it is empty at byte 0");
  EXPECT_EQ(Reading("{}").tokens.problem(), "");
}

TEST(Tokens, AreOfLongAndShortTextsInTurn) {
  for (const std::size_t size : {10u, 3'000'000u, 10u, 5000u, 100'000u, 1u}) {
    const std::string text =
        "\"" + std::string(size, 'x') + "\"" + std::string(kPaddingBytes, '\0');
    const std::string_view line(text.data(), size + 2);
    const Tokens tokens(line);
    ASSERT_NE(tokens.first(), nullptr) << tokens.problem();
    EXPECT_EQ(tokens.first()[0], 0u);
    EXPECT_EQ(tokens.first()[1], line.size());
  }
}

// What stands at each token of the part, up to its end.
std::string marks(std::string_view part, const Tokens& tokens) {
  std::string found;
  const auto end = static_cast<std::size_t>(part.data() + part.size() - tokens.begin());
  for (auto at = tokens.first(); *at < end; ++at) found += tokens.begin()[*at];
  return found;
}

TEST(Tokens, OfAPartAreFoundAgainWithoutAnotherSearch) {
  const std::string padded = R"({"a":1, "b": {"c":[true]} , "d":2})" + std::string(64, '\0');
  const std::string_view line(padded.data(), padded.size() - 64);
  const std::string_view part = line.substr(line.find("{\"c"), 12);
  ASSERT_EQ(part, R"({"c":[true]})");
  const std::uint64_t number = Tokens(line).number();
  const Tokens again(part, number);
  EXPECT_EQ(again.begin(), line.data());
  EXPECT_EQ(again.number(), number);
  EXPECT_EQ(marks(part, again), "{\":[t]}");
  Reader reader(part, again);
  EXPECT_EQ(reader.raw().text(), part);
  EXPECT_TRUE(reader.finished());
}

TEST(Tokens, OfAPartAreSearchedAnewOnceAnotherTextWasRead) {
  const std::string padded = R"([[1],[2]])" + std::string(64, '\0');
  const std::string_view line(padded.data(), 9);
  const std::string_view part = line.substr(5, 3);
  const std::uint64_t number = Tokens(line).number();
  Reading other("[true]");
  const Tokens again(part, number);
  EXPECT_EQ(again.begin(), part.data());
  EXPECT_NE(again.number(), number);
  EXPECT_EQ(marks(part, again), "[2]");
}

TEST(Tokens, OfAPartAreSearchedAnewOnAnotherThread) {
  const std::string padded = R"([[1],[2]])" + std::string(64, '\0');
  const std::string_view line(padded.data(), 9);
  const std::string_view part = line.substr(5, 3);
  const std::uint64_t number = Tokens(line).number();
  std::string found;
  std::thread([&] { found = marks(part, Tokens(part, number)); }).join();
  EXPECT_EQ(found, "[2]");
}

TEST(Tokens, OfTwoTextsLiveSideBySide) {
  Reading outer("[1,[2,3]]");
  Reading inner("{}");
  EXPECT_EQ(outer.in.raw().text(), "[1,[2,3]]");
  EXPECT_EQ(inner.in.raw().text(), "{}");
}

}  // namespace
}  // namespace claude::json
