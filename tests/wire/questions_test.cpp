// Questions to the user, and the form in which the CLI takes the answers.
#include "wire/questions.h"

#include "wire/encode.h"
#include "wire/support.h"

#include <gtest/gtest.h>

namespace claude::wire {
namespace {

// The input of 09_ask_user_question-00, with an escape in it.
const std::string kInput =
    R"({"questions":[{"question":"Which color?","header":"Color","options":[)"
    R"({"label":"Red","description":"r"},{"label":"Blue","description":"b","preview":"p"}],)"
    R"("multiSelect":false},{"question":"Which \u0073izes?","header":"Size","options":[)"
    R"({"label":"S","description":"small"},{"label":"L","description":"large"}],"multiSelect":true}]})";

Questions questions(const std::string& input = kInput) {
  const auto request = test::decode_request<ToolRequest>(
      R"({"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool",)"
      R"("tool_name":"AskUserQuestion","tool_use_id":"t","input":)" +
      input + "}}");
  auto found = decode_questions(request.body());
  if (!found) {
    ADD_FAILURE() << "no questions in " << input;
    return Questions();
  }
  return std::move(*found);
}

Json answered(const Answers& answers) {
  const Questions asked = questions();
  return Json::parse(encode_permission(to_permission(answers, asked), asked.request.input)).value();
}

// S127
TEST(Questions, ArriveTyped) {
  const Questions asked = questions();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0].question, "Which color?");
  EXPECT_EQ(asked[0].header, Text("Color"));
  EXPECT_FALSE(asked[0].multi_select);
  ASSERT_EQ(asked[0].options.size(), 2u);
  EXPECT_EQ(asked[0].options[1].label, "Blue");
  EXPECT_EQ(asked[0].options[1].description, Text("b"));
  EXPECT_EQ(asked[0].options[1].preview, Text("p"));
  EXPECT_EQ(asked[1].question, "Which sizes?");
  EXPECT_TRUE(asked[1].multi_select);
  EXPECT_EQ(asked.request.tool_use_id, "t");
}

TEST(Questions, AreOnlyInRequestsThatHaveSome) {
  const auto none = [](const char* tool, const char* input) {
    ToolRequest request;
    request.tool_name = tool;
    request.input = RawJson(input);
    return !decode_questions(request);
  };
  EXPECT_TRUE(none("Bash", kInput.c_str()));
  EXPECT_TRUE(none("AskUserQuestion", ""));
  EXPECT_TRUE(none("AskUserQuestion", "[]"));
  EXPECT_TRUE(none("AskUserQuestion", "{}"));
  EXPECT_TRUE(none("AskUserQuestion", R"({"questions":[]})"));
  EXPECT_TRUE(none("AskUserQuestion", R"({"questions":"which?"})"));
  EXPECT_FALSE(none("AskUserQuestion", kInput.c_str()));
}

// S128
TEST(Questions, AreAnsweredByTheirTextWithTheQuestionsKept) {
  const Json answer = answered(Answers().choose(0, 1).choose(1, 0).choose(1, 1));
  EXPECT_EQ(answer["behavior"].text(), "allow");
  EXPECT_EQ(answer["updatedInput"]["questions"], RawJson(kInput)["questions"]);
  EXPECT_EQ(answer["updatedInput"]["answers"],
            Json::object({{"Which color?", "Blue"}, {"Which sizes?", "S, L"}}));
  EXPECT_EQ(answer["updatedInput"].find("annotations"), nullptr);
}

// S128
TEST(Questions, AreAnsweredInOwnWords) {
  const Json answer = answered(Answers().choose(0, 0).say(0, "Green").choose(1, 1).say(1, "XXL"));
  EXPECT_EQ(answer["updatedInput"]["answers"],
            Json::object({{"Which color?", "Green"}, {"Which sizes?", "L, XXL"}}));
}

TEST(Questions, MayBeLeftOpenAndHaveNotes) {
  const Json answer = answered(Answers().note(1, "later").choose(7, 0).choose(0, 9));
  EXPECT_EQ(answer["updatedInput"]["answers"], Json::object());
  EXPECT_EQ(answer["updatedInput"]["annotations"],
            Json::object({{"Which sizes?", Json::object({{"notes", "later"}})}}));
}

TEST(Questions, MayBeDeclined) {
  EXPECT_EQ(answered(Answers::decline("not now")).dump(),
            R"({"behavior":"deny","message":"not now"})");
}

}  // namespace
}  // namespace claude::wire
