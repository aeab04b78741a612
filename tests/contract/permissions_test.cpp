// Permissions and questions, on every peer.
#include "contract/contract.h"

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

namespace claude::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kWritesThree = R"({"turns": [{"model": [
    {"tool": "Write", "input": {"file_path": "allowed.txt", "content": "1\n"}},
    {"tool": "Write", "input": {"file_path": "denied.txt", "content": "1\n"}},
    {"tool": "Write", "input": {"file_path": "changed.txt", "content": "1\n"}},
    {"text": "Done."}]}]})";

// S121 S122
TEST_P(Contract, PermissionsAreAllowedDeniedAndChanged) {
  std::atomic<int> asked = 0;
  options.can_use_tool = [&](const ToolRequest& ask) -> Permission {
    ++asked;
    std::string path(ask.input["file_path"].text());
    if (path.ends_with("denied.txt")) return deny("not this one");
    if (path.ends_with("changed.txt")) {
      return allow().with_input(
          Json::object({{"file_path", at("instead.txt").string()}, {"content", "2\n"}}));
    }
    return allow();
  };
  Session session = play(kWritesThree);
  Played played = run(session);
  EXPECT_TRUE(exists("allowed.txt"));
  EXPECT_FALSE(exists("denied.txt"));
  EXPECT_FALSE(exists("changed.txt"));
  EXPECT_TRUE(exists("instead.txt"));
  EXPECT_EQ(asked, 3);
  EXPECT_THAT(played.tool_results(), Contains(HasSubstr("not this one")));
  EXPECT_EQ(played.result.message.permission_denials.size(), 1U);
}

TEST_P(Contract, AnAnswerMayAllowForGoodSoThatNobodyIsAskedAgain) {
  std::atomic<int> asked = 0;
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    ++asked;
    return Permission(allow()).with_permissions(
        {PermissionUpdate::set_mode(PermissionMode::accept_edits)});
  };
  Session session = play(kWritesThree);
  run(session);
  EXPECT_TRUE(exists("allowed.txt"));
  EXPECT_TRUE(exists("changed.txt"));
  EXPECT_EQ(asked, 1);
}

// S131
TEST_P(Contract, WithoutACallbackTheCliDeniesByItself) {
  Session session = play(kWritesAFile);
  Played played = run(session);
  EXPECT_FALSE(exists("made.txt"));
  EXPECT_EQ(played.result.message.permission_denials.size(), 1U);
}

TEST_P(Contract, ACallbackThatThrowsDenies) {
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    throw std::runtime_error("broken");
  };
  Session session = play(kWritesAFile);
  Played played = run(session);
  EXPECT_FALSE(exists("made.txt"));
  EXPECT_EQ(played.said(), "Done.");
}

TEST_P(Contract, ADenialMayEndTheTurn) {
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    return Permission(deny("stop it")).and_interrupt();
  };
  Session session = play(kWritesAFile);
  Played played = run(session);
  EXPECT_FALSE(exists("made.txt"));
  EXPECT_TRUE(played.result.interrupted());
  EXPECT_EQ(played.said(), "");
}

TEST_P(Contract, APermissionMayBeAnsweredLaterFromAnotherThread) {
  std::promise<Reply<Permission>> asked;
  options.can_use_tool_later = [&](const ToolRequest&, Reply<Permission> reply) {
    asked.set_value(std::move(reply));
  };
  Session session = play(kWritesAFile);
  Turn turn = session.send("go");
  Reply<Permission> reply = asked.get_future().get();
  EXPECT_FALSE(exists("made.txt"));
  std::thread([&] { reply(allow()); }).join();
  EXPECT_TRUE(turn.result().value().ok());
  EXPECT_TRUE(exists("made.txt"));
}

// S127 S128
TEST_P(Contract, AQuestionIsAnsweredByOptionAndInOwnWords) {
  options.on_question = [](const Questions& questions) {
    EXPECT_EQ(questions.size(), 2U);
    EXPECT_EQ(questions[0].options[1].label, "Blue");
    return Answers().choose(0, 1).say(1, "as large as it gets");
  };
  Session session = play(R"({"turns": [{"model": [{"ask": [
      {"question": "Which color?", "header": "Color", "multiSelect": false,
       "options": [{"label": "Red", "description": "warm"},
                   {"label": "Blue", "description": "cold"}]},
      {"question": "Which size?", "header": "Size", "multiSelect": false,
       "options": [{"label": "S", "description": "small"},
                   {"label": "L", "description": "large"}]}]},
      {"text": "Done."}]}]})");
  Played played = run(session);
  ASSERT_EQ(played.tool_results().size(), 1U);
  EXPECT_THAT(played.tool_results()[0], HasSubstr("Blue"));
  EXPECT_THAT(played.tool_results()[0], HasSubstr("as large as it gets"));
}

TEST_P(Contract, AQuestionThatNobodyHandlesComesToThePermissionCallback) {
  std::promise<std::string> asked;
  options.can_use_tool = [&](const ToolRequest& ask) -> Permission {
    asked.set_value(std::string(ask.tool_name));
    return deny("ask me later");
  };
  Session session = play(R"({"turns": [{"model": [{"ask": [
      {"question": "Which color?", "header": "Color", "multiSelect": false,
       "options": [{"label": "Red", "description": "warm"},
                   {"label": "Blue", "description": "cold"}]}]},
      {"text": "Done."}]}]})");
  Played played = run(session);
  EXPECT_EQ(asked.get_future().get(), "AskUserQuestion");
  EXPECT_THAT(played.tool_results(), ElementsAre(HasSubstr("ask me later")));
}

}  // namespace
}  // namespace claude::test
