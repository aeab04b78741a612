// Bytes to lines: however they are cut, the lines are the same.
#include "wire/framer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace claude::wire {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::string_literals;

constexpr std::size_t kNoLimit = std::size_t{1} << 30;

// A framer and what came out of it: lines, and "too long: N" for those above the limit.
struct Reading {
  explicit Reading(std::size_t max_line_bytes = kNoLimit) : framer(max_line_bytes) {}

  void read(std::string_view bytes) {
    while (!bytes.empty()) {
      std::span<char> space = framer.space();
      const std::size_t count = std::min(space.size(), bytes.size());
      std::ranges::copy(bytes.substr(0, count), space.begin());
      framer.filled(count);
      bytes.remove_prefix(count);
      take();
    }
  }
  void take() {
    while (true) {
      const auto line = framer.next_line();
      if (line) lines.emplace_back(*line);
      const auto oversized = framer.take_oversized();
      if (oversized) {
        const std::string& type = oversized->frame->type;
        lines.push_back((type.empty() ? "too long: " : "too long, of type " + type + ": ") +
                        std::to_string(oversized->bytes));
      }
      if (!line && !oversized) break;
    }
  }

  Framer framer;
  std::vector<std::string> lines;
};

std::vector<std::string> lines_of(std::string_view bytes) {
  Reading reading;
  reading.read(bytes);
  return reading.lines;
}

// S16 S181
TEST(Framer, TakesALineInPiecesAndManyLinesAtOnce) {
  Reading reading;
  reading.read(R"({"type":)");
  EXPECT_THAT(reading.lines, IsEmpty());
  EXPECT_EQ(reading.framer.pending(), 8u);
  reading.read("\"user\"}\n{}\n{\"a\":1}\n{\"cut");
  EXPECT_THAT(reading.lines, ElementsAre(R"({"type":"user"})", "{}", R"({"a":1})"));
  EXPECT_EQ(reading.framer.pending(), 5u);
}

// F8
TEST(Framer, CutsAtNewlinesAndNowhereElse) {
  const std::string line_separators = "\"\xE2\x80\xA8\xC2\x85\v\f\r\"";
  EXPECT_THAT(lines_of("{\"crlf\":1}\r\n\n\r\n{\"nul\":\"\0\"}\n"s + line_separators + "\n  \n"),
              ElementsAre(R"({"crlf":1})", "{\"nul\":\"\0\"}"s, line_separators, "  "));
}

// F11
TEST(Framer, AnyCutGivesTheSameLines) {
  std::mt19937 random(1);
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    // Some lines are longer than the buffer is at first.
    const std::size_t size = random() % 40 == 0 ? random() % 200'000 : random() % 300;
    bytes.append(size, static_cast<char>('a' + i % 26)).append(i % 3 == 0 ? "\r\n" : "\n");
  }
  const std::vector<std::string> whole = lines_of(bytes);
  ASSERT_GT(whole.size(), 250u);

  Reading byte_by_byte;
  for (const char& byte : bytes) byte_by_byte.read({&byte, 1});
  EXPECT_EQ(byte_by_byte.lines, whole);

  for (int round = 0; round < 20; ++round) {
    Reading reading;
    for (std::string_view rest = bytes; !rest.empty();) {
      const std::size_t count = std::min<std::size_t>(rest.size(), 1 + random() % 100'000);
      reading.read(rest.substr(0, count));
      rest.remove_prefix(count);
    }
    ASSERT_EQ(reading.lines, whole) << "round " << round;
  }
}

// S12 F11
TEST(Framer, GivesAHugeLineWhole) {
  const std::string huge(20'000'000, 'x');
  Reading reading;
  reading.read(huge);
  EXPECT_EQ(reading.framer.pending(), huge.size());
  reading.read("\nnext\n");
  ASSERT_EQ(reading.lines.size(), 2u);
  EXPECT_TRUE(reading.lines[0] == huge);
  EXPECT_EQ(reading.lines[1], "next");
}

// F11
TEST(Framer, GivesAwayTheMemoryOfAHugeLineAndKeepsWhatFollows) {
  Framer framer(100'000'000);
  const std::string huge(5'000'000, 'x');
  const std::string bytes = huge + "\nnext\nthe beginning of a fur";
  for (std::string_view rest = bytes; !rest.empty();) {
    std::span<char> space = framer.space();
    const std::size_t count = rest.copy(space.data(), space.size());
    framer.filled(count);
    rest.remove_prefix(count);
  }
  const std::string_view line = framer.next_line().value();
  const Memory memory = framer.take_memory(line);
  ASSERT_TRUE(memory);
  EXPECT_TRUE(line == huge) << "the line stands where it stood";

  const std::string_view next = framer.next_line().value();
  EXPECT_EQ(next, "next");
  EXPECT_FALSE(framer.take_memory(next)) << "a short line is better copied";
  framer.space()[0] = '\n';
  framer.filled(1);
  EXPECT_EQ(framer.next_line(), "the beginning of a fur");
}

// F11
TEST(Framer, LooksAtEachByteOnce) {
  // If it looked at the whole line again with each byte, this would take days.
  Reading reading;
  for (int i = 0; i < 4'000'000; ++i) {
    reading.framer.space()[0] = 'x';
    reading.framer.filled(1);
    reading.take();
  }
  reading.read("\n");
  ASSERT_EQ(reading.lines.size(), 1u);
  EXPECT_EQ(reading.lines[0].size(), 4'000'000u);
}

// S13 S14 F11
TEST(Framer, SkipsALineAboveTheLimitAndReadsTheNext) {
  const std::string bytes =
      "0123456789\n0123456789a\nnext\n" + std::string(300'000, 'x') + "\nlast\n";
  const auto expected =
      ElementsAre("0123456789", "too long: 11", "next", "too long: 300000", "last");
  Reading reading(10);
  reading.read(bytes);
  EXPECT_THAT(reading.lines, expected);

  Reading byte_by_byte(10);
  for (const char& byte : bytes) byte_by_byte.read({&byte, 1});
  EXPECT_THAT(byte_by_byte.lines, expected);
}

// S14 F11
TEST(Framer, SaysOfALineAboveTheLimitWhatItSaidOfItself) {
  const std::string many(100'000, 'x');
  const std::string result = R"({"result":")" + many + R"(","type":"result","uuid":"u"})";
  const std::string blanks = R"({ "type" : "result", "result" : ")" + many + R"(" })";
  const std::string quoted = R"({"text":"\"type\":\"result\" is what a result has"})";
  const std::string nested =
      R"({"type":"assistant","input":{"type":"result","x":")" + many + R"("}})";
  const std::string bytes = result + "\n" + blanks + "\n" + quoted + "\n" + nested + "\n";
  const auto too_long = [](const std::string& what, const std::string& line) {
    return "too long" + what + ": " + std::to_string(line.size());
  };
  const auto expected =
      ElementsAre(too_long(", of type result", result), too_long(", of type result", blanks),
                  too_long("", quoted), too_long(", of type assistant", nested));
  Reading reading(10);
  reading.read(bytes);
  EXPECT_THAT(reading.lines, expected);

  Reading byte_by_byte(10);
  for (const char& byte : bytes) byte_by_byte.read({&byte, 1});
  EXPECT_THAT(byte_by_byte.lines, expected);
}

// S14
TEST(Framer, DoesNotCollectALineThatIsTooLong) {
  Reading reading(1000);
  for (int i = 0; i < 1000; ++i) reading.read(std::string(100'000, 'x'));
  EXPECT_EQ(reading.framer.pending(), 100'000'000u);
  EXPECT_LT(reading.framer.space().size(), 1'000'000u);
  reading.read("\nnext\n");
  EXPECT_THAT(reading.lines, ElementsAre("too long: 100000000", "next"));
}

// At the end of a CLI all that it has written is read before any of it is looked at.
TEST(Framer, KeepsWholeLinesThatNobodyHasTakenYet) {
  Reading reading(10);
  for (std::string_view bytes : {"one\ntwo\nthree\n", "four\n"}) {
    std::ranges::copy(bytes, reading.framer.space().begin());
    reading.framer.filled(bytes.size());
  }
  reading.take();
  EXPECT_THAT(reading.lines, ElementsAre("one", "two", "three", "four"));
}

TEST(Framer, TellsOfMemoryForAHugeLineBeforeMostOfItIsFilled) {
  static std::size_t told;
  told = 0;
  Framer framer(std::size_t{64} << 20, [](char*, std::size_t bytes) { told = bytes; });
  const auto read = [&](std::size_t bytes) {
    while (bytes > 0) {
      const std::size_t count = std::min(framer.space().size(), bytes);
      framer.filled(count);
      bytes -= count;
    }
  };
  read(1'000'000);
  EXPECT_EQ(told, 0u);
  read(9'000'000);
  EXPECT_GT(told, 10'000'000u);
}

#ifdef __GLIBC__
// However the heap has been used before: what malloc learns of large blocks does not concern it.
TEST(Framer, LeavesNothingOfAHugeLineInTheHeap) {
  constexpr std::size_t kLineBytes = 10'000'000;
  auto learned = std::make_unique_for_overwrite<char[]>(2 * kLineBytes);
  learned.reset();  // malloc has blocks of this size in the heap from now on
  const std::string line = std::string(kLineBytes, 'x') + "\n";
  const std::size_t before = mallinfo2().arena;
  std::vector<std::unique_ptr<int>> others;
  Framer framer(kNoLimit);
  for (std::string_view rest = line; !rest.empty();) {
    std::span<char> space = framer.space();
    const std::size_t count = std::min({space.size(), rest.size(), std::size_t{100'000}});
    std::ranges::copy(rest.substr(0, count), space.begin());
    framer.filled(count);
    rest.remove_prefix(count);
    others.push_back(std::make_unique<int>());
  }
  EXPECT_LT(mallinfo2().arena - before, kLineBytes);
}
#endif

}  // namespace
}  // namespace claude::wire
