// Sessions on disk: the file that a conversation leaves, and the sessions that go on from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "host.h"

namespace claude::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Sessions : public testing::Test {
 protected:
  Start with(std::vector<std::string> flags, const std::string& turns = "") const {
    return {.turns = turns,
            .flags = std::move(flags),
            .environment = {{"CLAUDE_CONFIG_DIR", config.path().string()}}};
  }

  // Says one thing and ends; gives the session's id.
  std::string talk(std::vector<std::string> flags = {}, const std::string& turns = "") const {
    Host host(with(std::move(flags), turns));
    host.prompt("hello");
    const json result = host.until("result");
    host.end();
    return result["session_id"];
  }

  std::filesystem::path file_of(const std::string& id) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(config.path()))
      if (entry.path().filename() == id + ".jsonl") return entry.path();
    return {};
  }

  std::vector<json> rows_of(const std::string& id) const {
    std::vector<json> rows;
    std::istringstream text(config.read(std::filesystem::relative(file_of(id), config.path())));
    for (std::string line; std::getline(text, line);) rows.push_back(json::parse(line));
    return rows;
  }

  static std::vector<std::string> messages(const std::vector<json>& rows) {
    std::vector<std::string> types;
    for (const json& row : rows)
      if (row.contains("parentUuid")) types.push_back(row["type"]);
    return types;
  }

  TempDir config;
};

TEST_F(Sessions, EachMessageNamesTheOneBeforeIt) {
  const std::string id = talk(
      {}, R"([{"model": [{"tool": "Bash", "input": {"command": "echo hi"}}, {"text": "."}]}])");
  const std::vector<json> rows = rows_of(id);
  EXPECT_THAT(messages(rows), ElementsAre("user", "assistant", "user", "assistant"));
  json before = nullptr;
  for (const json& row : rows) {
    if (!row.contains("parentUuid")) continue;
    EXPECT_EQ(row["parentUuid"], before);
    EXPECT_EQ(row["sessionId"], id);
    before = row["uuid"];
  }
}

TEST_F(Sessions, TheModelsMessageIsKeptWithItsFinalReason) {
  const std::vector<json> rows = rows_of(talk());
  EXPECT_EQ(rows[1]["message"]["stop_reason"], "end_turn");
  EXPECT_EQ(rows[1]["message"]["usage"]["output_tokens"], 20);
}

TEST_F(Sessions, LieInAFolderNamedAfterTheWorkingDirectory) {
  Host host(with({}));
  host.prompt("hello");
  const json init = host.until("system/init");
  host.end();
  std::string folder = init["cwd"];
  for (char& c : folder)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  EXPECT_EQ(file_of(init["session_id"]).parent_path(), config.path() / "projects" / folder);
}

TEST_F(Sessions, AResumedOneGoesOnInTheSameFile) {
  const std::string id = talk();
  EXPECT_EQ(talk({"--resume=" + id}), id);
  const std::vector<json> rows = rows_of(id);
  EXPECT_THAT(messages(rows), ElementsAre("user", "assistant", "user", "assistant"));
}

TEST_F(Sessions, AResumedOneGoesOnWithItsCosts) {
  const std::string id = talk();
  Host host(with({"--resume=" + id}));
  host.prompt("more");
  const json result = host.until("result");
  EXPECT_EQ(result["modelUsage"]["claude-opus-5-5"]["inputTokens"], 200);
  EXPECT_EQ(result["usage"]["input_tokens"], 100);
}

TEST_F(Sessions, AForkLeavesTheFirstAsItWas) {
  const std::string id = talk();
  const std::string fork = talk({"--resume=" + id, "--fork-session"});
  EXPECT_NE(fork, id);
  EXPECT_THAT(messages(rows_of(id)), ElementsAre("user", "assistant"));
  EXPECT_THAT(messages(rows_of(fork)), ElementsAre("user", "assistant", "user", "assistant"));
}

TEST_F(Sessions, WithoutPersistenceNothingIsWritten) {
  const std::string id = talk({"--no-session-persistence"});
  EXPECT_TRUE(file_of(id).empty());
}

TEST_F(Sessions, AnIdThatIsTakenIsRefused) {
  TempDir folder;
  const std::string id = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
  const Start start = with({"--session-id=" + id});
  for (const int expected : {0, 1}) {
    ChildProcess cli(command_of(start), environment_of(start, folder), folder.path());
    cli.write_line(R"({"type":"user","message":{"role":"user","content":"hi"}})");
    cli.close_stdin();
    while (cli.read_line()) continue;
    EXPECT_EQ(cli.wait(), expected);
    EXPECT_THAT(cli.stderr_text(), HasSubstr(expected ? "is already in use." : ""));
  }
}

TEST_F(Sessions, RowsAreMirroredOnRequestBeforeTheResult) {
  Host host(with({"--session-mirror"}));
  host.prompt("hello");
  const json first = host.until("transcript_mirror");
  EXPECT_EQ(first["entries"][0]["message"]["content"], "hello");
  EXPECT_THAT(first["filePath"].get<std::string>(), HasSubstr(".jsonl"));
  const json second = host.until("transcript_mirror");
  EXPECT_EQ(second["entries"][0]["type"], "assistant");
  host.until("result");
}

TEST_F(Sessions, ASubagentHasAFileOfItsOwn) {
  const std::string id = talk({}, R"([{"model": [
      {"tool": "Agent", "agent": [{"text": "Seen."}],
       "input": {"description": "look", "prompt": "Look.", "run_in_background": false}},
      {"text": "."}]}])");
  const std::filesystem::path folder = file_of(id).replace_extension() / "subagents";
  ASSERT_TRUE(std::filesystem::exists(folder));
  const auto file = std::filesystem::directory_iterator(folder)->path();
  EXPECT_THAT(file.filename(), HasSubstr("agent-"));
  const std::vector<json> rows = rows_of(file.stem());
  EXPECT_THAT(messages(rows), ElementsAre("user", "assistant"));
  EXPECT_EQ(rows[0]["message"]["content"], "Look.");
  EXPECT_EQ(rows[1]["message"]["content"][0]["text"], "Seen.");
  EXPECT_EQ(rows[1]["parentUuid"], rows[0]["uuid"]);
}

TEST_F(Sessions, ADeferredCallIsTakenUpByResume) {
  std::string id;
  {
    Host host(with({}, R"([{"model": [{"tool": "Bash", "input": {"command": "echo hi"}}]}])"));
    host.initialize(json::parse(R"({"hooks": {"PreToolUse": [{"hookCallbackIds": ["guard"]}]}})"));
    host.prompt("go");
    host.answer(host.until("hook/PreToolUse"), json::parse(R"({"hookSpecificOutput":
        {"hookEventName": "PreToolUse", "permissionDecision": "defer"}})"));
    id = host.until("result")["session_id"];
    host.end();
  }
  Host host(with({"--resume", id}, R"([{"model": [{"text": "Said."}]}])"));
  host.initialize();
  EXPECT_EQ(host.until("user")["message"]["content"][0]["content"], "hi");
  EXPECT_EQ(host.until("result")["result"], "Said.");
}

}  // namespace
}  // namespace claude::test
