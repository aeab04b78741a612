// What is seen of a line that cannot be read: what the decoder would have seen of it.
#include "wire/skim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/recordings.h"
#include "wire/second_opinion.h"

#include <algorithm>
#include <string>
#include <vector>

namespace claude::wire {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// All that was seen: "type result", "id \"a\"", ... Each has to be the same however it was cut.
using Seen = std::vector<std::string>;

Seen seen_by(const Skim& skim) {
  const Frame& frame = skim.frame();
  Seen seen;
  auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) seen.push_back(name + " " + value);
  };
  auto add_id = [&](const std::string& name, const Frame::Id& id) {
    add(name, id.json);
    if (id.text) add(name + " as text", *id.text);
  };
  add("type", frame.type);
  add_id("id", frame.id);
  add("subtype", frame.subtype);
  add("callback", frame.callback_id);
  add_id("answers", frame.answered_id);
  return seen;
}

Seen seen_in(std::string_view line) {
  Skim whole;
  whole.read(line);
  const Seen seen = seen_by(whole);
  Skim bytes;
  for (const char& byte : line) bytes.read({&byte, 1});
  EXPECT_EQ(seen_by(bytes), seen) << "byte by byte: " << line;
  for (std::size_t cut = 0; cut <= std::min<std::size_t>(line.size(), 300); ++cut) {
    Skim halves;
    halves.read(line.substr(0, cut));
    halves.read(line.substr(cut));
    EXPECT_EQ(seen_by(halves), seen) << "cut at " << cut << ": " << line;
  }
  return seen;
}

// F10
TEST(Skim, SeesOfARequestWhoAsksWhatAndWhom) {
  EXPECT_THAT(
      seen_in(
          R"({"type":"control_request","request_id":"a","request":{"subtype":"hook_callback","callback_id":"hook_3","input":{"x":[)"),
      ElementsAre("type control_request", "id \"a\"", "id as text a", "subtype hook_callback",
                  "callback hook_3"));
  EXPECT_THAT(
      seen_in(
          R"({"request":{"input":{"subtype":"no","deep":[[{"a":1e999}]]},"subtype":"can_use_tool"},"request_id":7,"type":"control_request"})"),
      ElementsAre("type control_request", "id 7", "subtype can_use_tool"));
}

TEST(Skim, SeesOfAResponseWhatItAnswers) {
  EXPECT_THAT(
      seen_in(
          R"({"type":"control_response","response":{"response":{"request_id":"no"},"request_id":"req_1_ab"},"request_id":"b"})"),
      ElementsAre("type control_response", "id \"b\"", "id as text b", "answers \"req_1_ab\"",
                  "answers as text req_1_ab"));
}

// F11
TEST(Skim, LooksNeitherIntoTextsNorIntoWhatIsNested) {
  EXPECT_THAT(
      seen_in(
          R"({"text":"\"type\":\"result\",\\","input":{"type":"result","request_id":"a"},"list":["type",{"type":"result"}],"type":"assistant"})"),
      ElementsAre("type assistant"));
  EXPECT_THAT(
      seen_in(
          R"({"message":{"subtype":"a","request":{"subtype":"b"}},"request":["subtype",{"callback_id":"c"}]})"),
      IsEmpty());
  EXPECT_THAT(seen_in(R"({"request_id":{"request":{"subtype":"b"},"type":"x"},"type":"y"})"),
              ElementsAre("type y", R"(id {"request":{"subtype":"b"},"type":"x"})"));
}

TEST(Skim, TakesBlanksAndEscapesAsTheyCome) {
  EXPECT_THAT(
      seen_in("\t{ \"ty\\u0070e\"\t:  \"\\u0072esult\" , \"request_id\" : \"a\\\"\\\\b\" \r, "
              "\"request\" : { \"subtype\" : \"x\" } , \"response\" : { \"request_id\" : [ 1 ,  2 "
              "] } } \r"),
      ElementsAre("type result", R"(id "a\"\\b")", R"(id as text a"\b)", "subtype x",
                  "answers [ 1 , 2 ]"));
}

// As the decoder has it.
TEST(Skim, OfTwoMembersWithOneNameTakesTheFirstAsATypeAndElseTheLast) {
  EXPECT_THAT(
      seen_in(
          R"({"type":5,"type":"a","type":"b","request_id":"c","request_id":"d","request":{"subtype":"e","subtype":"f","callback_id":"g","callback_id":"h","callback_id":1}})"),
      ElementsAre("type a", "id \"d\"", "id as text d", "subtype e", "callback h"));
  EXPECT_THAT(
      seen_in(
          R"({"request":{"subtype":"a","callback_id":"b"},"request":{"subtype":"c"},"request":4,"response":{"request_id":"d"},"response":{}})"),
      ElementsAre("subtype c"));
}

// F8
TEST(Skim, SeesWhatStandsBesideBrokenBytes) {
  EXPECT_THAT(seen_in("{\"x\":\"\xff\x01\",\"y\":01e999,\"type\":\"result\"}"),
              ElementsAre("type result"));
  EXPECT_THAT(seen_in(R"({"type":"result"} and more, {"type":"user","request_id":"a"})"),
              ElementsAre("type result"));
  EXPECT_THAT(seen_in(R"({"type":"result",)"), ElementsAre("type result"));
  EXPECT_THAT(seen_in("{\"x\":" + std::string(100'000, '[') + std::string(100'000, ']') +
                      R"(,"type":"result"})"),
              ElementsAre("type result"));
}

TEST(Skim, SeesNothingInWhatIsNoObject) {
  for (const char* line :
       {"", "npm WARN \"type\":\"result\"", R"(["type":"result",])", R"("type":"result",)",
        R"(x{"type":"result"})", "{", R"({"type"})", R"({:"result"})", R"({"type":"result")",
        R"({"type":{"type":"result"}})", R"({"a":"type","result":1})"}) {
    EXPECT_THAT(seen_in(line), IsEmpty()) << line;
  }
}

// What is sent back has to be good JSON.
TEST(Skim, TakesNoIdThatIsNoJsonItself) {
  for (const char* id : {"\"\xff\"", "\"\x01\"", R"("\x")", "1e999", "tru", "[1", "", "\"a\" 5"}) {
    EXPECT_THAT(seen_in(R"({"type":"control_request","request_id":)" + std::string(id) + "}"),
                ElementsAre("type control_request"))
        << id;
  }
}

// S14
TEST(Skim, TakesWhatIsTooLongForNothing) {
  const std::string most(Skim::kMaxValueBytes - 2, 'a');
  const auto request = [](const std::string& id) {
    return R"({"request_id":"b","request_id": ")" + id + R"(","type":"t"})";
  };
  EXPECT_THAT(seen_in(request(most)),
              ElementsAre("type t", "id \"" + most + "\"", "id as text " + most));
  EXPECT_THAT(seen_in(request(most + "a")), ElementsAre("type t"));
  EXPECT_THAT(seen_in(R"({")" + most + R"(aaa":1,"type":")" + most + R"(a","type":"b"})"),
              IsEmpty());
}

TEST(Skim, SeesOfEachRecordedLineWhatTheDecoderSees) {
  for (const test::Recorded& line : test::recordings()) {
    if (!line.from_cli) continue;
    EXPECT_EQ(test::disagreement(line.text), "") << line.place();
  }
}

}  // namespace
}  // namespace claude::wire
