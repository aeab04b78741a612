// claude-sim --replay: a cassette played as the CLI, and what happens when the host departs from
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host.h"

namespace claude::test {
namespace {

using testing::HasSubstr;

constexpr const char* kThen = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
constexpr const char* kNow = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

// Rows of a cassette.
std::string row(const char* kind, const json& line) {
  return json{{"at_us", 0}, {kind, line}}.dump() + "\n";
}
std::string to_cli(const json& line) {
  return row("to_cli", line);
}
std::string from_cli(const json& line) {
  return row("from_cli", line);
}
std::string prompt_row(const std::string& text) {
  return to_cli(
      {{"type", "user"}, {"message", {{"role", "user"}, {"content", text}}}, {"uuid", kThen}});
}
std::string ask_row(const char* id) {
  return from_cli({{"type", "control_request"},
                   {"request_id", id},
                   {"request", {{"subtype", "can_use_tool"}}}});
}
std::string answer_row(const char* id) {
  return to_cli(
      {{"type", "control_response"},
       {"response", {{"subtype", "success"}, {"request_id", id}, {"response", json::object()}}}});
}
std::string one_turn() {
  return prompt_row("hi") + from_cli({{"type", "assistant"}, {"message", "in $HOME/a"}}) +
         from_cli({{"type", "result"}, {"user_message_uuids", {kThen}}});
}

class Replay : public testing::Test {
 protected:
  Host play(const std::string& rows, std::vector<std::string> flags = {}) {
    folder.write("tape.ndjson", "{\"cassette\":1}\n" + rows);
    flags.push_back("--replay=" + (folder.path() / "tape.ndjson").string());
    return Host({.flags = std::move(flags)});
  }

  TempDir folder;
};

TEST_F(Replay, SaysWhatWasSaidWithTheIdsAndTheHomeOfToday) {
  Host host = play(one_turn());
  host.prompt("hi", kNow);
  EXPECT_EQ(host.until("assistant")["message"], "in " + host.folder().path().string() + "/a");
  EXPECT_EQ(host.until("result")["user_message_uuids"],
            json::array({"bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"}));
  EXPECT_EQ(host.end(), 0);
}

TEST_F(Replay, AnotherPromptIsAMismatchThatNamesLineAndPlace) {
  Host host = play(one_turn());
  host.prompt("ho", kNow);
  EXPECT_EQ(host.wait(), 2);
  EXPECT_THAT(host.process().stderr_text(),
              HasSubstr(R"(tape.ndjson:2: /message/content: expected "hi", got "ho")"));
}

TEST_F(Replay, LooselyOnlyTheKindOfALineCounts) {
  Host host = play(one_turn(), {"--replay-match=loose"});
  host.prompt("ho", kNow);
  host.until("result");
  EXPECT_EQ(host.end(), 0);
}

TEST_F(Replay, ALineOfAnotherKindIsAMismatchLooselyToo) {
  Host host = play(one_turn(), {"--replay-match=loose"});
  host.send({{"type", "control_request"}, {"request_id", "1"}, {"request", {{"subtype", "x"}}}});
  EXPECT_EQ(host.wait(), 2);
  EXPECT_THAT(host.process().stderr_text(), HasSubstr("tape.ndjson:2: expected user, but"));
}

TEST_F(Replay, MoreThanWasRecordedIsAMismatch) {
  Host host = play("");
  host.prompt("hi");
  EXPECT_EQ(host.wait(), 2);
  EXPECT_THAT(host.process().stderr_text(), HasSubstr("nothing more is expected"));
}

TEST_F(Replay, LessThanWasRecordedIsAMismatch) {
  Host host = play(one_turn());
  EXPECT_EQ(host.end(), 2);
  EXPECT_THAT(host.process().stderr_text(), HasSubstr("tape.ndjson:2: stdin was closed"));
}

TEST_F(Replay, AnswersMayComeInAnotherOrder) {
  Host host = play(ask_row("a") + ask_row("b") + answer_row("a") + answer_row("b") +
                   from_cli({{"type", "result"}}));
  const json first = host.until("control_request/can_use_tool");
  const json second = host.until("control_request/can_use_tool");
  host.answer(second, json::object());
  host.answer(first, json::object());
  host.until("result");
  EXPECT_EQ(host.end(), 0);
}

TEST_F(Replay, WhatWasHiddenMatchesAnything) {
  Host host = play(prompt_row("my key: *** is it") + from_cli({{"type", "result"}}));
  host.prompt("my key: abc123 is it", kNow);
  host.until("result");
  EXPECT_EQ(host.end(), 0);
}

TEST_F(Replay, WhatWasHiddenMayHaveBeenANumberOrTheNameOfAMember) {
  const auto answer = [](const json& response) {
    return json{{"subtype", "success"}, {"request_id", "a"}, {"response", response}};
  };
  const auto play_answer = [&] {
    return play(ask_row("a") +
                to_cli({{"type", "control_response"},
                        {"response", answer({{"pin", "***"}, {"of ***", 1}, {"b", 2}})}}) +
                from_cli({{"type", "result"}}));
  };
  Host same = play_answer();
  same.answer(same.until("control_request/can_use_tool"),
              {{"pin", 12345678}, {"of 12345678", 1}, {"b", 2}});
  same.until("result");
  EXPECT_EQ(same.end(), 0);
  for (const json& other :
       {json{{"pin", 1}, {"for 12345678", 1}, {"b", 2}},
        json{{"pin", 1}, {"of 12345678", 2}, {"b", 2}}, json{{"pin", 1}, {"of 12345678", 1}}}) {
    Host host = play_answer();
    host.answer(host.until("control_request/can_use_tool"), other);
    EXPECT_EQ(host.wait(), 2) << other;
  }
}

TEST_F(Replay, AMemberThatWasRecordedByItsNameIsNotOneWhoseNameWasHidden) {
  const auto answer = [](const json& response) {
    return json{{"subtype", "success"}, {"request_id", "a"}, {"response", response}};
  };
  Host host = play(ask_row("a") +
                   to_cli({{"type", "control_response"},
                           {"response", answer({{"command", "make"}, {"***", 1}})}}) +
                   from_cli({{"type", "result"}}));
  host.answer(host.until("control_request/can_use_tool"), {{"command", "make"}, {"secret", 1}});
  host.until("result");
  EXPECT_EQ(host.end(), 0);
}

// Each of them could be at any place: to try them all would take longer than anybody waits.
TEST_F(Replay, ManyHiddenPartsThatDoNotMatchAreAMismatch) {
  std::string recorded = "***";
  for (int part = 0; part < 30; ++part) recorded += "a***";
  Host host = play(prompt_row(recorded + "ab"));
  host.prompt(std::string(60, 'a'), kNow);
  EXPECT_EQ(host.wait(), 2);
}

TEST_F(Replay, WhatStandsBetweenHiddenPartsHasToBeThereInItsOrder) {
  Host same = play(prompt_row("*** or *** or b") + from_cli({{"type", "result"}}));
  same.prompt("a or or or b", kNow);
  same.until("result");
  EXPECT_EQ(same.end(), 0);
  Host other = play(prompt_row("*** or *** or b"));
  other.prompt("a or b", kNow);
  EXPECT_EQ(other.wait(), 2);
}

TEST_F(Replay, ARecordedFailureEndsTheProgramWithoutWaiting) {
  Host host = play(row("from_cli_text", "{cut") + row("end", "failed"));
  EXPECT_EQ(host.next(), "{cut");
  EXPECT_EQ(host.wait(), 1);
}

TEST_F(Replay, ARowWhoseTextIsNoTextIsRefusedWithItsLine) {
  for (const char* kind : {"to_cli_text", "from_cli_text", "end"}) {
    for (const json& value : {json(5), json(nullptr), json::object(), json::array({"a"})}) {
      Host host = play(from_cli({{"type", "result"}}) + row(kind, value));
      EXPECT_EQ(host.wait(), 2) << kind << value;
      EXPECT_THAT(host.process().stderr_text(),
                  HasSubstr("tape.ndjson:3: /" + std::string(kind) + ": is no text"));
    }
  }
}

TEST_F(Replay, ALineOfTheWireMayBeAnyJson) {
  const json list = json::array({"a"});
  Host host = play(row("from_cli", 5) + row("to_cli", nullptr) + row("from_cli", list));
  EXPECT_EQ(host.next(), 5);
  host.send(nullptr);
  EXPECT_EQ(host.next(), list);
  EXPECT_EQ(host.end(), 0);
}

TEST_F(Replay, ARowThatIsNoObjectIsRefusedWithItsLine) {
  for (const char* text : {"5", "[]", "null", "{}", R"({"at_us":0})"}) {
    Host host = play(std::string(text) + "\n");
    EXPECT_EQ(host.wait(), 2) << text;
    EXPECT_THAT(host.process().stderr_text(), HasSubstr("tape.ndjson:2: is no row of a cassette"));
  }
}

TEST_F(Replay, ARowMayNotBeNestedWithoutEnd) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  Host host = play("{\"from_cli\":" + deep + "}\n");
  EXPECT_EQ(host.wait(), 2);
  EXPECT_THAT(host.process().stderr_text(), HasSubstr("tape.ndjson:2: is no row of a cassette"));
}

TEST_F(Replay, AFileThatIsNoCassetteIsRefused) {
  folder.write("other.txt", "hello\n");
  Host other({.flags = {"--replay=" + (folder.path() / "other.txt").string()}});
  EXPECT_EQ(other.wait(), 2);
  EXPECT_THAT(other.process().stderr_text(), HasSubstr("other.txt:1: is no cassette"));
  folder.write("empty.txt", "");
  Host empty({.flags = {"--replay=" + (folder.path() / "empty.txt").string()}});
  EXPECT_EQ(empty.wait(), 2);
  EXPECT_THAT(empty.process().stderr_text(), HasSubstr("empty.txt:1: is no cassette"));
  Host missing({.flags = {"--replay=/nowhere/tape"}});
  EXPECT_EQ(missing.wait(), 2);
  EXPECT_THAT(missing.process().stderr_text(), HasSubstr("/nowhere/tape: cannot be read"));
}

}  // namespace
}  // namespace claude::test
