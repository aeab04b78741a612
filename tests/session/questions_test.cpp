// AskUserQuestion: the model asks, the user chooses.
#include "session/fixture.h"

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kTwoQuestions = R"([{"ask": [
    {"question": "Which color?", "header": "Color", "multiSelect": false,
     "options": [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]},
    {"question": "Which sizes?", "header": "Size", "multiSelect": true,
     "options": [{"label": "S"}, {"label": "M"}, {"label": "L"}]}]},
  {"text": "Noted."}])";

class AskedQuestions : public SimTest {
 protected:
  AskedQuestions() { play_turn(kTwoQuestions); }

  std::string model_reads() {
    std::vector<std::string> results = watch(start().send("go")).tool_results();
    return results.size() == 1 ? results[0] : "no single result";
  }
  WireJson answer() {
    return wire->answer_to(wire->their_requests("can_use_tool").at(0))["response"];
  }
};

// S127
TEST_F(AskedQuestions, ComeTyped) {
  options.on_question = [](const Questions& asked) {
    EXPECT_EQ(asked.size(), 2u);
    EXPECT_EQ(asked[0].question, "Which color?");
    EXPECT_EQ(*asked[0].header, "Color");
    EXPECT_FALSE(asked[0].multi_select);
    EXPECT_EQ(asked[0].options.at(1).label, "Blue");
    EXPECT_EQ(*asked[0].options.at(1).description, "cold");
    EXPECT_TRUE(asked[1].multi_select);
    EXPECT_EQ(asked[1].options.size(), 3u);
    EXPECT_FALSE(asked.request.tool_use_id.empty());
    return Answers().choose(0, 1);
  };
  EXPECT_THAT(model_reads(), HasSubstr("\"Which color?\"=\"Blue\""));
}

// S128
TEST_F(AskedQuestions, AreAnsweredByTheTextOfTheQuestionAndKeptWhole) {
  options.on_question = [](const Questions&) {
    return Answers().choose(0, 0).choose(1, 0).choose(1, 2);
  };
  std::string read = model_reads();
  EXPECT_THAT(read, HasSubstr("\"Which color?\"=\"Red\""));
  EXPECT_THAT(read, HasSubstr("\"Which sizes?\"=\"S, L\""));
  WireJson asked = wire->their_requests("can_use_tool").at(0)["request"]["input"]["questions"];
  EXPECT_EQ(answer()["updatedInput"]["questions"], asked);
  EXPECT_EQ(answer()["updatedInput"]["answers"],
            WireJson::parse(R"({"Which color?": "Red", "Which sizes?": "S, L"})"));
}

TEST_F(AskedQuestions, MayBeAnsweredInOwnWords) {
  options.on_question = [](const Questions&) {
    return Answers().say(0, "a warm grey").note(0, "but not too dark");
  };
  std::string read = model_reads();
  EXPECT_THAT(read, HasSubstr("\"Which color?\"=\"a warm grey\""));
  EXPECT_THAT(read, HasSubstr("but not too dark"));
}

TEST_F(AskedQuestions, MayBeLeftOpen) {
  options.on_question = [](const Questions&) { return Answers(); };
  EXPECT_THAT(model_reads(), HasSubstr("did not answer"));
}

TEST_F(AskedQuestions, MayBeDeclined) {
  options.on_question = [](const Questions&) { return Answers::decline("ask me tomorrow"); };
  EXPECT_THAT(model_reads(), HasSubstr("ask me tomorrow"));
  EXPECT_EQ(answer()["behavior"], "deny");
}

TEST_F(AskedQuestions, AreDeclinedWhenTheCallbackThrows) {
  options.on_question = [](const Questions&) -> Answers { throw std::runtime_error("no screen"); };
  EXPECT_THAT(model_reads(), HasSubstr("no screen"));
}

TEST_F(AskedQuestions, AChoiceThatDoesNotExistIsNone) {
  options.on_question = [](const Questions&) { return Answers().choose(0, 17).choose(9, 0); };
  EXPECT_THAT(model_reads(), HasSubstr("did not answer"));
}

TEST_F(AskedQuestions, GoToThePermissionCallbackWhenNobodyElseAnswers) {
  options.can_use_tool = [](const ToolRequest& request) -> Permission {
    EXPECT_EQ(request.tool_name, "AskUserQuestion");
    EXPECT_TRUE(request.requires_user_interaction.value_or(false));
    Json input = request.input.json();
    input.set("answers", Json::object({{"Which color?", "Blue"}}));
    return allow().with_input(input);
  };
  EXPECT_THAT(model_reads(), HasSubstr("\"Which color?\"=\"Blue\""));
}

TEST_F(AskedQuestions, AHostThatOnlyAnswersQuestionsDeniesTools) {
  play_turn(R"([{"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}},
                {"text": "Done."}])");
  options.on_question = [](const Questions&) { return Answers(); };
  EXPECT_THAT(model_reads(), HasSubstr("no permission callback"));
  EXPECT_EQ(project.read("a.txt"), "");
}

}  // namespace
}  // namespace claude::test
