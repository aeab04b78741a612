// What hooks are promised to do, on every peer.
#include "contract/contract.h"

#include <atomic>
#include <mutex>
#include <stdexcept>

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// S185 S98
TEST_P(Contract, AHookThatDeniesKeepsTheToolFromRunningAndTellsTheModel) {
  options.permission_mode = PermissionMode::accept_edits;
  options.hooks.pre_tool_use("Write", [](const PreToolUse& call) {
    EXPECT_EQ(call.tool_input["content"].text(), "1\n");
    return deny("no files today");
  });
  Session session = play(kWritesAFile);
  Played played = run(session);
  EXPECT_FALSE(exists("made.txt"));
  EXPECT_EQ(played.result.message.permission_denials.size(), 1U);
  EXPECT_THAT(played.tool_results(), ElementsAre(HasSubstr("no files today")));
}

TEST_P(Contract, AHookThatAllowsLetsTheToolRunAndNobodyIsAsked) {
  std::atomic<int> asked = 0;
  options.hooks.pre_tool_use([](const PreToolUse&) { return allow(); });
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    ++asked;
    return deny("nobody should ask");
  };
  Session session = play(kWritesAFile);
  EXPECT_TRUE(run(session).result.ok());
  EXPECT_TRUE(exists("made.txt"));
  EXPECT_EQ(asked, 0);
}

TEST_P(Contract, AHookMayChangeTheInput) {
  options.permission_mode = PermissionMode::accept_edits;
  options.hooks.pre_tool_use([&](const PreToolUse&) {
    return modify_input(
        Json::object({{"file_path", at("other.txt").string()}, {"content", "2\n"}}));
  });
  Session session = play(kWritesAFile);
  run(session);
  EXPECT_FALSE(exists("made.txt"));
  EXPECT_EQ(project.read("other.txt"), "2\n");
}

// A PreToolUse answer of continue:false alone would let the tool run first.
TEST_P(Contract, AHookThatStopsTheRunAlsoStopsTheTool) {
  options.permission_mode = PermissionMode::accept_edits;
  options.hooks.pre_tool_use([](const PreToolUse&) { return stop_run("enough"); });
  Session session = play(kWritesAFile);
  Played played = run(session);
  EXPECT_FALSE(exists("made.txt"));
  EXPECT_EQ(played.said(), "") << "the model is not called again";
}

TEST_P(Contract, AHookIsCalledOnlyForTheToolsThatItsMatcherNames) {
  options.permission_mode = PermissionMode::accept_edits;
  std::atomic<int> writes = 0;
  std::atomic<int> shells = 0;
  options.hooks
      .pre_tool_use("Write|Edit",
                    [&](const PreToolUse&) {
                      ++writes;
                      return proceed();
                    })
      .pre_tool_use("Bash", [&](const PreToolUse&) {
        ++shells;
        return proceed();
      });
  Session session = play(kWritesAFile);
  run(session);
  EXPECT_EQ(writes, 1);
  EXPECT_EQ(shells, 0);
}

TEST_P(Contract, AHookSeesWhatAToolGaveBack) {
  project.write("note.txt", "kumquat\n");
  std::mutex mutex;
  std::string response;
  options.hooks.post_tool_use("Read", [&](const PostToolUse& call) {
    std::lock_guard lock(mutex);
    response = call.tool_response.text();
    return proceed();
  });
  Session session = play(R"({"turns": [{"model": [
      {"tool": "Read", "input": {"file_path": "note.txt"}}, {"text": "Read."}]}]})");
  run(session);
  std::lock_guard lock(mutex);
  EXPECT_THAT(response, HasSubstr("kumquat"));
}

TEST_P(Contract, ABlockedPromptIsNotAnswered) {
  options.hooks.user_prompt_submit([](const UserPromptSubmit& submit) -> Verdict<UserPromptSubmit> {
    if (submit.prompt.find("secret") != submit.prompt.npos) return block("not that");
    return proceed();
  });
  Session session = play(R"({"turns": [{"model": [{"text": "Hello."}]}]})");
  Played blocked = run(session, "the secret");
  EXPECT_EQ(blocked.said(), "");
  EXPECT_THAT(std::string(blocked.result.message.result.value_or("")), HasSubstr("not that"));
  EXPECT_EQ(run(session, "something else").said(), "Hello.");
}

TEST_P(Contract, ABlockedStopMakesTheModelGoOn) {
  std::atomic<int> stops = 0;
  options.hooks.stop([&](const Stop& stop) -> Verdict<Stop> {
    ++stops;
    if (stop.stop_hook_active) return proceed();
    return block("say more");
  });
  Session session = play(R"({"turns": [{"model": [{"text": "One."}, {"text": "Two."}]}]})");
  EXPECT_EQ(run(session).said(), "One.Two.");
  EXPECT_EQ(stops, 2);
}

TEST_P(Contract, AHookThatThrowsLetsThingsGoOn) {
  options.permission_mode = PermissionMode::accept_edits;
  options.hooks.pre_tool_use(
      [](const PreToolUse&) -> Verdict<PreToolUse> { throw std::runtime_error("broken"); });
  Session session = play(kWritesAFile);
  EXPECT_EQ(run(session).said(), "Done.");
  EXPECT_TRUE(exists("made.txt"));
}

TEST_P(Contract, APolicyThatThrowsBlocks) {
  options.permission_mode = PermissionMode::accept_edits;
  options.hooks.pre_tool_use(
      [](const PreToolUse&) -> Verdict<PreToolUse> { throw std::runtime_error("broken"); },
      {.on_failure = OnFailure::block});
  Session session = play(kWritesAFile);
  run(session);
  EXPECT_FALSE(exists("made.txt"));
}

}  // namespace
}  // namespace claude::test
