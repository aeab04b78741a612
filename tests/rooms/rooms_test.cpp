// Reads all sources and holds them against the table of rooms (rooms.h), and shows that the
// reading finds what it is there to find.
#include "rooms/rooms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using rooms::broken_rules;
using rooms::Source;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Source> project_sources() {
  const fs::path root = PROJECT_SOURCE_DIR;
  std::vector<Source> found;
  for (const char* folder :
       {"include", "src", "sim", "tools", "tests", "fuzz", "bench", "examples"}) {
    if (!fs::exists(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp" && extension != ".c") continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      found.push_back(
          rooms::read_source(fs::relative(entry.path(), root).generic_string(), text.str()));
    }
  }
  return found;
}

// What is wrong with a file of that name that has this text after its opening comment.
std::vector<std::string> wrong(const std::string& path, const std::string& text) {
  return broken_rules(rooms::read_source(path, "// A file.\n" + text), {"hook_callback"});
}

TEST(Rooms, TheSourcesKeepTheTable) {
  const std::vector<Source> sources = project_sources();
  ASSERT_FALSE(sources.empty());
  std::vector<std::string> protocol_words;
  for (const Source& source : sources)
    if (source.path == "src/wire/names.h") protocol_words = rooms::distinctive_words(source);
  EXPECT_THAT(protocol_words, testing::Contains("control_request"));
  std::string broken;
  for (const Source& source : sources)
    for (const std::string& rule : broken_rules(source, protocol_words)) broken += rule + '\n';
  EXPECT_TRUE(broken.empty()) << broken;
}

TEST(RoomsTable, ARoomIncludesOnlyTheRoomsBelow) {
  EXPECT_THAT(wrong("src/wire/a.cpp", "#include \"json/reader.h\"\n"), IsEmpty());
  EXPECT_THAT(wrong("src/wire/a.cpp", "#include \"wire/names.h\"\n"), IsEmpty());
  EXPECT_THAT(wrong("src/wire/a.cpp", "\n#include \"core/engine.h\"\n"),
              ElementsAre("src/wire/a.cpp:3: may not include core/engine.h"));
  EXPECT_THAT(wrong("src/core/a.cpp", "#include \"io/poller.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/core/a.cpp", "#include \"engine.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/core/a.cpp", "#include \"../io/poller.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("include/claude/a.h", "#include \"json/reader.h\"\n"), testing::SizeIs(1));
}

TEST(RoomsTable, TheSimulatorSharesOnlyTheNamesWithWhatItJudges) {
  EXPECT_THAT(wrong("sim/a.cpp", "#include \"wire/names.h\"\n#include \"scenario.h\"\n"),
              IsEmpty());
  EXPECT_THAT(wrong("sim/a.cpp", "#include \"wire/decode.h\"\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("sim/a.cpp", "#include <claude/message.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("sim/a.cpp", "#include <httplib.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("sim/api/a.cpp", "#include <httplib.h>\n"), IsEmpty());
}

TEST(RoomsTable, PublicHeadersBelongToTheRoomsThatMayKnowThem) {
  EXPECT_THAT(wrong("src/core/a.cpp", "#include <claude/message.h>\n"), IsEmpty());
  EXPECT_THAT(wrong("src/core/a.cpp", "#include <claude/session.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/io/a.cpp", "#include <claude/json.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/session/a.cpp", "#include <claude/adapt/asio.h>\n"), testing::SizeIs(1));
}

TEST(RoomsTable, LibrariesAndTheSystemStayInTheirRooms) {
  EXPECT_THAT(wrong("src/json/a.cpp", "#include <simdjson.h>\n"), IsEmpty());
  EXPECT_THAT(wrong("src/wire/a.cpp", "#include <simdjson.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/session/a.cpp", "#include <simdjson.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/io/a.cpp", "#include <unistd.h>\n"), IsEmpty());
  EXPECT_THAT(wrong("src/core/a.cpp", "#include <unistd.h>\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/session/a.cpp", "#include <nlohmann/json.hpp>\n"), testing::SizeIs(1));
}

TEST(RoomsTable, ThreadsBeginAtTheSession) {
  EXPECT_THAT(wrong("src/session/a.cpp", "#include <mutex>\n"), IsEmpty());
  EXPECT_THAT(wrong("src/io/a.cpp", "#include <mutex>\n"),
              ElementsAre("src/io/a.cpp:2: forbidden in this room (threads): mutex"));
}

TEST(RoomsTable, TheEngineIsToldTheTime) {
  EXPECT_THAT(wrong("src/core/a.cpp", "auto t = steady_clock::now ();\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/core/a.cpp", "void at(TimePoint now);  // not now()\n"), IsEmpty());
  EXPECT_THAT(wrong("src/session/a.cpp", "auto t = steady_clock::now();\n"), IsEmpty());
}

// Deadlines are of the monotonic clock; nothing here needs the time of day.
TEST(RoomsTable, TheWallClockIsNobodysBusiness) {
  EXPECT_THAT(wrong("src/core/a.h", "using TimePoint = std::chrono::system_clock::time_point;\n"),
              ElementsAre(HasSubstr("forbidden in this room (wall): system_clock")));
  EXPECT_THAT(wrong("src/session/a.cpp", "auto t = system_clock::now();\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/io/a.cpp", "clock_gettime(CLOCK_REALTIME, &t);\n"), testing::SizeIs(1));
}

TEST(RoomsTable, OnlyTheWireSpellsTheProtocol) {
  EXPECT_THAT(wrong("src/wire/a.cpp", "auto x = \"hook_callback\";\n"), IsEmpty());
  EXPECT_THAT(wrong("src/core/a.cpp", "auto x = \"hook_callback\";\n"),
              ElementsAre(HasSubstr("a word of the protocol")));
  EXPECT_THAT(wrong("src/core/a.cpp", "auto x = R\"({\"subtype\":\"hook_callback\"})\";\n"),
              ElementsAre(HasSubstr("a word of the protocol")));
  EXPECT_THAT(wrong("src/core/a.cpp", "auto x = \"the hook_callback was late\";\n"), IsEmpty());
  EXPECT_THAT(wrong("src/core/a.cpp", "// says \"hook_callback\"\nint hook_callback;\n"),
              IsEmpty());
}

TEST(RoomsTable, TheLibraryNeverPrints) {
  EXPECT_THAT(wrong("src/session/a.cpp", "#include <iostream>\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("include/claude/a.h", "inline void f() { std::printf(\"x\"); }\n"),
              testing::SizeIs(1));
}

TEST(RoomsTable, WhatRunsInASessionBringsNothingHeavyIntoMemory) {
  EXPECT_THAT(wrong("src/launch/a.cpp", "#include <filesystem>\n"), testing::SizeIs(1));
  EXPECT_THAT(wrong("src/io/a.cpp", "#include <sstream>\n"), testing::SizeIs(1));
}

TEST(RoomsText, FilesOpenWithACommentAndFitTheScreen) {
  EXPECT_THAT(broken_rules(rooms::read_source("src/io/a.cpp", "int x;\n"), {}),
              ElementsAre(HasSubstr("src/io/a.cpp:1: a file opens with a comment")));
  EXPECT_THAT(wrong("src/io/a.cpp", std::string(101, 'x') + "\n"),
              ElementsAre("src/io/a.cpp:2: more than 100 columns"));
  EXPECT_THAT(wrong("src/io/a.cpp", "// 80 times two bytes: " + std::string(70, '\xC3') + "\n"),
              IsEmpty());
  const std::string wire_line = "auto x = R\"(" + std::string(200, 'x') + ")\";\n";
  EXPECT_THAT(wrong("tests/wire/a.cpp", wire_line), IsEmpty());
  EXPECT_THAT(wrong("src/wire/a.cpp", wire_line), testing::SizeIs(1));
}

TEST(RoomsText, NothingIsLeftForLater) {
  EXPECT_THAT(wrong("src/io/a.cpp",
                    "// TO"
                    "DO: later\n"),
              ElementsAre(HasSubstr("for later")));
  EXPECT_THAT(wrong("elsewhere/a.cpp", ""), ElementsAre(HasSubstr("no room")));
}

TEST(RoomsText, CommentsAndLiteralsAreToldFromCode) {
  const Source source = rooms::read_source(
      "a.cpp",
      "#include \"b/c.h\"\n/* now( */ int n = 1'000; char c = '\"'; // \"x\"\nf(\"a\\\"b\");");
  ASSERT_EQ(source.lines.size(), 3u);
  EXPECT_THAT(source.lines[1].code, HasSubstr("int n = 1'000; char c = ' ';"));
  EXPECT_THAT(source.lines[1].code, testing::Not(HasSubstr("now(")));
  ASSERT_EQ(source.literals.size(), 1u);
  EXPECT_EQ(source.literals[0].text, "a\\\"b");
  EXPECT_EQ(source.literals[0].line, 3u);
  ASSERT_EQ(source.includes.size(), 1u);
  EXPECT_EQ(source.includes[0].name, "b/c.h");
}

}  // namespace
