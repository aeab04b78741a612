// Recording a session to a cassette, and playing it again to the library.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>

#include "session/fixture.h"
#include "support/full_disk.h"

namespace claude::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class Recording : public SimTest {
 protected:
  Recording() {
    play_turn(R"([{"tool": "Bash", "input": {"command": "make"}, "output": "made"},
                  {"text": "Done."}])");
    options.hooks.pre_tool_use([](const PreToolUse&) { return proceed(); });
    options.can_use_tool = [](const ToolRequest&) -> Permission { return allow(); };
  }

  std::string path() const { return (tapes.path() / "tape.ndjson").string(); }

  // One turn that is recorded.
  void record(const std::string& prompt = "go") {
    auto recorder = Recorder::open(path()).value();
    options.observer = recorder;
    Session session = start();
    EXPECT_EQ(said(session.send(prompt)), "Done.");
    session.close();
    EXPECT_TRUE(recorder->status());
  }

  Session replay() {
    options.observer = nullptr;
    options.environment.set["CLAUDE_SIM_REPLAY"] = path();
    return start();
  }

  TempDir tapes;
};

TEST_F(Recording, PlaysAgainAsItWas) {
  record();
  int asked = 0;
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    ++asked;
    return allow();
  };
  Session session = replay();
  Seen turn = watch(session.send("go"));
  EXPECT_EQ(turn.said(), "Done.");
  EXPECT_EQ(turn.tool_results(), std::vector<std::string>{"made"});
  EXPECT_EQ(asked, 1);
}

TEST_F(Recording, AnotherPromptIsAnErrorThatNamesTheLine) {
  record();
  Session session = replay();
  Result<TurnResult> result = session.send("stop").result();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().stderr_tail, HasSubstr("tape.ndjson:"));
  EXPECT_THAT(result.error().stderr_tail, HasSubstr(R"(expected "go", got "stop")"));
}

TEST_F(Recording, LooselyAnotherPromptWillDo) {
  record();
  options.environment.set["CLAUDE_SIM_REPLAY_MATCH"] = "loose";
  Session session = replay();
  EXPECT_EQ(said(session.send("stop")), "Done.");
}

TEST_F(Recording, HasBothDirectionsWithTheirTimes) {
  record();
  std::istringstream rows(tapes.read("tape.ndjson"));
  std::int64_t before = 0;
  int to_cli = 0, from_cli = 0;
  std::string row, last;
  std::getline(rows, row);
  EXPECT_EQ(row, R"({"cassette":1})");
  while (std::getline(rows, row)) {
    const Json json = Json::parse(row).value();
    const std::int64_t now = json.find("at_us")->integer();
    EXPECT_GE(now, before);
    before = now;
    last = row;
    to_cli += json.find("to_cli") != nullptr;
    from_cli += json.find("from_cli") != nullptr;
  }
  EXPECT_GE(to_cli, 4);  // initialize, the prompt, a hook, a permission
  EXPECT_GT(from_cli, to_cli);
  EXPECT_THAT(last, HasSubstr(R"("end":"stopped")"));
}

TEST_F(Recording, HidesSecretsAndTheHomeFolder) {
  ::setenv("DEPLOY_TOKEN", "hunter2-hunter2", 1);
  ::setenv("HOME", "/home/jane", 1);
  record("deploy /home/jane/app with hunter2-hunter2 or sk-ant-api03-abcdefgh");
  const std::string tape = tapes.read("tape.ndjson");
  EXPECT_THAT(tape, HasSubstr("deploy $HOME/app with *** or sk-***"));
  EXPECT_THAT(tape, Not(HasSubstr("jane")));
  EXPECT_THAT(tape, Not(HasSubstr("hunter2")));
  EXPECT_THAT(tape, Not(HasSubstr("abcdefgh")));
  Session session = replay();
  EXPECT_EQ(
      said(session.send("deploy /home/jane/app with hunter2-hunter2 or sk-ant-api03-abcdefgh")),
      "Done.");
}

TEST_F(Recording, PlaysAgainWhereItHidNamesNumbersAndPaths) {
  ::setenv("DEPLOY_TOKEN", "12345678", 1);
  ::setenv("HOME", "/home/jane", 1);
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    return allow().with_input(Json::object(
        {{"command", "make"}, {"pin", 12345678}, {"at /home/jane/12345678", "12345678"}}));
  };
  record("ask /home/janet for /home/jane");
  const std::string tape = tapes.read("tape.ndjson");
  EXPECT_THAT(tape, HasSubstr(R"({"command":"make","pin":"***","at $HOME/***":"***"})"));
  EXPECT_THAT(tape, HasSubstr("ask /home/janet for $HOME"));
  Session session = replay();
  EXPECT_EQ(said(session.send("ask /home/janet for /home/jane")), "Done.");
}

TEST_F(Recording, PlaysAgainATextThatIsJsonWithBlanks) {
  const std::string prompt = "{\"a\": [1, 2],\n \"b\": \"c\\/d\"}";
  record(prompt);
  Session session = replay();
  EXPECT_EQ(said(session.send(prompt)), "Done.");
}

TEST_F(Recording, PlaysAgainATextThatIsJsonWhereItHidSomething) {
  ::setenv("DEPLOY_TOKEN", "12345678", 1);
  const std::string prompt = R"({"pin": 12345678, "b": [1, 2], "password": "\u0041bc"})";
  record(prompt);
  EXPECT_THAT(tapes.read("tape.ndjson"), HasSubstr(R"({\"pin\":\"***\",)"));
  Session session = replay();
  EXPECT_EQ(said(session.send(prompt)), "Done.");
}

TEST_F(Recording, PlaysAgainANameOfTheHomeFolder) {
  ::setenv("HOME", "/home/jane", 1);
  const std::string prompt = "read /home/jane/.claude/projects/-home-jane-app/x";
  record(prompt);
  EXPECT_THAT(tapes.read("tape.ndjson"), HasSubstr("$HOME/.claude/projects/-HOME-app/x"));
  Session session = replay();
  EXPECT_EQ(said(session.send(prompt)), "Done.");
}

TEST_F(Recording, HidesTheSecretsOfTheOptions) {
  options.environment.set["DEPLOY_TOKEN"] = "of-the-options";
  options.settings = R"({"env": {"SIGNING_KEY": "of-the-settings"}})";
  options.mcp_servers.add_external(
      "local", Json::object({{"command", "/no/such/server"},
                             {"env", Json::object({{"DATABASE_PASSWORD", "of-a-server"}})}}));
  options.mcp_servers.add_external(
      "remote", Json::object({{"type", "http"},
                              {"url", "http://127.0.0.1:1"},
                              {"headers", Json::object({{"Authorization", "Bearer of-a-header"},
                                                        {"Accept", "text/plain"}})}}));
  record("of-the-options of-the-settings of-a-server of-a-header text/plain");
  EXPECT_THAT(tapes.read("tape.ndjson"), HasSubstr("*** *** *** *** text/plain"));
}

TEST_F(Recording, TakesWhatIsShorterThanEightCharactersForAWord) {
  options.environment.set["DEPLOY_TOKEN"] = "release";
  record("make a release");
  EXPECT_THAT(tapes.read("tape.ndjson"), HasSubstr("make a release"));
}

// Each took minutes when each thing to hide, or each member, cost a walk over the whole line.
TEST_F(Recording, HidesAsMuchAsALongLineHas) {
  ::setenv("DEPLOY_TOKEN", "hunter2-hunter2", 1);
  ::setenv("HOME", "/home/jane", 1);
  auto recorder = Recorder::open(path()).value();
  std::string listing = R"({"listing":")";
  std::string members = R"({"first":1)";
  for (int i = 0; i < 100'000; ++i) {
    listing += "/home/jane/app hunter2-hunter2 ";
    members += ",\"member_" + std::to_string(i) + R"(":"text")";
  }
  recorder->on_line(Direction::from_cli, listing + R"("})", {});
  recorder->on_line(Direction::from_cli, members + "}", {});
  const std::string tape = tapes.read("tape.ndjson");
  EXPECT_THAT(tape, HasSubstr(R"({"listing":"$HOME/app *** $HOME/app *** )"));
  EXPECT_THAT(tape, Not(HasSubstr("jane")));
  EXPECT_THAT(tape, Not(HasSubstr("hunter2")));
  EXPECT_THAT(tape, HasSubstr(R"("member_99999":"text"})"));
}

// F32
TEST_F(Recording, APlaceThatCannotBeWrittenIsAClearError) {
  Result<std::shared_ptr<Recorder>> recorder = Recorder::open("/nowhere/tape.ndjson");
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().code, Errc::recording_failed);
  EXPECT_EQ(recorder.error().where, "/nowhere/tape.ndjson");
  EXPECT_EQ(recorder.error().os_error, ENOENT);
}

// F32
TEST_F(Recording, AFullDiskEndsTheRecordingAndKeepsWhatWasWritten) {
  options.persist_session = false;  // the limit is the CLI's too
  auto recorder = Recorder::open(path()).value();
  options.observer = recorder;
  {
    const FullDisk full(2500);  // the answer to initialize alone is larger
    Session session = start();
    EXPECT_EQ(said(session.send("go")), "Done.");
  }

  const Result<void> status = recorder->status();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Errc::recording_failed);
  EXPECT_EQ(status.error().os_error, EFBIG);
  const std::string tape = tapes.read("tape.ndjson");
  EXPECT_THAT(tape, HasSubstr("to_cli"));
  EXPECT_THAT(tape, EndsWith("}\n"));
}

// A cassette that is a pipe: what it is worth, its reader knows.
class RecordingToAPipe : public Recording {
 protected:
  RecordingToAPipe() { EXPECT_EQ(::mkfifo(path().c_str(), 0600), 0); }
  void open_reader() { reader = ::open(path().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); }
  void close_reader() {
    if (reader >= 0) ::close(std::exchange(reader, -1));
  }
  ~RecordingToAPipe() override { close_reader(); }

  int reader = -1;
};

TEST_F(RecordingToAPipe, FailsAtOnceWhereNobodyReads) {
  Result<std::shared_ptr<Recorder>> recorder = Recorder::open(path());
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().code, Errc::recording_failed);
  EXPECT_EQ(recorder.error().os_error, ENXIO);
}

TEST_F(RecordingToAPipe, EndsWithItsReaderAndTheSessionGoesOn) {
  open_reader();
  auto recorder = Recorder::open(path()).value();
  options.observer = recorder;
  Session session = start();
  EXPECT_TRUE(recorder->status());
  close_reader();
  EXPECT_EQ(said(session.send("go")), "Done.");
  EXPECT_EQ(recorder->status().error().os_error, EPIPE);
}

TEST_F(RecordingToAPipe, DoesNotWaitForAReaderWhoIsBehind) {
  open_reader();
  auto recorder = Recorder::open(path()).value();
  const std::string line(4 << 20, 'x');
  recorder->on_line(Direction::from_cli, line, {});
  EXPECT_EQ(recorder->status().error().os_error, EAGAIN);
}

}  // namespace
}  // namespace claude::test
