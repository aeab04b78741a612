// query() with Options::legacy_argv: the prompt on the command line, nothing on stdin.
#include <signal.h>

#include <filesystem>
#include <string>
#include <vector>

#include "session/fixture.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LegacyQueries : public SimTest {
 protected:
  LegacyQueries() {
    options.legacy_argv = true;
    options.timeouts.exit_grace = 10ms;
  }
  // With a CLI that is a script.
  Query ask(const std::string& script) {
    project.write("cli", "#!/bin/sh\n" + script);
    std::filesystem::permissions(project.path() / "cli", std::filesystem::perms::owner_all);
    options.cli_path = project.path() / "cli";
    return query("Hello", options);
  }
  // Lines of such a script.
  static std::string says(const WireJson& line) { return "echo '" + line.dump() + "'\n"; }
  static std::string gives_result(const WireJson& more = WireJson::object()) {
    WireJson result = {
        {"type", "result"}, {"subtype", "success"}, {"is_error", false}, {"result", "4"}};
    result.update(more);
    return says(result);
  }
  static std::string has_tasks(const WireJson& tasks) {
    return says({{"type", "system"}, {"subtype", "background_tasks_changed"}, {"tasks", tasks}});
  }
};

std::string answer(Query query) {
  Result<TurnResult> result = query.result();
  return result ? std::string(result->message.result.value_or({})) : result.error().to_string();
}

// S7
TEST_F(LegacyQueries, HaveTheirPromptOnTheCommandLine) {
  Query asked = query("Hello", options);
  EXPECT_EQ(all_said(asked), "You said: Hello");
  EXPECT_THAT(wire->written(), IsEmpty()) << "nothing is written to stdin";
  EXPECT_EQ(asked.session(), nullptr);
  ASSERT_TRUE(asked.result());
  EXPECT_TRUE(asked.result()->ok());

  Command command = resolve(options).value();
  EXPECT_THAT(command.arguments, Contains("--output-format=stream-json"));
  EXPECT_THAT(command.arguments, ::testing::Not(Contains("--input-format=stream-json")));
  EXPECT_EQ(command.initialize, "");
}

// S167
TEST_F(LegacyQueries, WarnThatCallbacksAreIgnored) {
  options.hooks.pre_tool_use([](const PreToolUse&) {
    ADD_FAILURE() << "the old form calls nobody";
    return proceed();
  });
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    ADD_FAILURE() << "the old form asks nobody";
    return allow();
  };
  options.mcp_servers.add("calc", [](const Json&) { return Json(); });
  play_turn(R"([{"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}},
                {"text": "Refused."}])");

  Query asked = query("write it", options);
  EXPECT_EQ(all_said(asked), "Refused.");

  std::vector<std::string> warnings = log.at(LogLevel::warning);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("hooks"));
  EXPECT_THAT(warnings[0], HasSubstr("can_use_tool"));
  EXPECT_THAT(warnings[0], HasSubstr("mcp_servers"));
  EXPECT_EQ(project.read("a.txt"), "");
}

// S167
TEST_F(LegacyQueries, CallNobodyWhenTheCliAsksAllTheSame) {
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    ADD_FAILURE() << "the old form asks nobody";
    return allow();
  };
  const std::string asks = says({{"type", "control_request"},
                                 {"request_id", "r"},
                                 {"request",
                                  {{"subtype", "can_use_tool"},
                                   {"tool_name", "Bash"},
                                   {"input", WireJson::object()},
                                   {"tool_use_id", "t"}}}});
  EXPECT_EQ(answer(ask(asks + gives_result())), "4");
  EXPECT_THAT(wire->diagnostics(), ElementsAre("request_unanswered"));
}

// S167
TEST_F(LegacyQueries, TakeAPromptOfTextOnly) {
  Result<TurnResult> result =
      query(Prompt{Json::array({Json::object({{"type", "text"}, {"text", "Hello"}})})}, options)
          .result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::invalid_option);
  EXPECT_THAT(result.error().message, HasSubstr("only be text"));
}

// S184
TEST_F(LegacyQueries, BringTheSameMessagesAsTheOthers) {
  play(R"({"seed": 7, "turns": [{"model": [
      {"thinking": "Look.", "text": "Reading.", "tool": "Read", "input": {"file_path": "in.txt"}},
      {"text": "It says hello."}]}]})");
  project.write("in.txt", "hello\n");
  auto shape = [](Query asked) {
    std::vector<std::string> shapes;
    for (const Message& message : asked) {
      WireJson line = WireJson::parse(message.raw());
      // Prompts with an id have life cycle lines; a prompt on the command line has none.
      if (std::holds_alternative<CommandLifecycle>(message)) continue;
      std::string blocks;
      if (line.contains("message")) {
        for (const WireJson& block : line["message"]["content"])
          blocks += " " + block["type"].dump();
      }
      shapes.push_back(line["type"].dump() + blocks);
    }
    return shapes;
  };
  std::vector<std::string> one_way = shape(query("read it", options));
  options.legacy_argv = false;
  std::vector<std::string> both_ways = shape(query("read it", options));

  EXPECT_EQ(one_way, both_ways);
  EXPECT_THAT(one_way, Contains(HasSubstr("tool_use")));
  EXPECT_THAT(one_way, Contains(HasSubstr("tool_result")));
}

TEST_F(LegacyQueries, AreSeenByTheObserverTheLogAndWhoeverHearsStderr) {
  Gate heard;
  options.on_stderr = [heard](std::string_view text) mutable {
    if (text.find("a word aside") != text.npos) heard.open();
  };
  EXPECT_EQ(answer(ask("echo a word aside >&2\n" + says({{"no", "type"}}) + gives_result())), "4");

  EXPECT_TRUE(heard.wait());
  EXPECT_THAT(wire->order(), Contains("< result"));
  EXPECT_THAT(wire->states(), Contains("initializing -> running"));
  EXPECT_THAT(wire->diagnostics(), ElementsAre("bad_line"));
  EXPECT_THAT(log.at(LogLevel::warning), Contains(HasSubstr(R"({"no":"type"})")));
}

// ---- CLIs that behave otherwise ----------------------------------------------------------------

TEST_F(LegacyQueries, EndWithTheirResultWhereTheCliDoesNot) {
  EXPECT_EQ(answer(ask("echo $$ > pid\n" + gives_result() + "exec " IO_PROBE " linger")), "4");
  EXPECT_NE(kill(std::stoi(project.read("pid")), 0), 0) << "and the CLI ends with them";
}

TEST_F(LegacyQueries, EndWithTheirResultWhereTheCliTalksOn) {
  EXPECT_EQ(answer(ask(gives_result() + "while :; do " + says({{"type", "more"}}) + "done")), "4");
}

// An id that the CLI gave the prompt by itself.
TEST_F(LegacyQueries, TakeTheResultWhomeverItNames) {
  EXPECT_EQ(answer(ask(gives_result({{"user_message_uuids", {"u"}}}) + "exec " IO_PROBE " linger")),
            "4");
}

TEST_F(LegacyQueries, HearTheTurnThatBackgroundWorkBrings) {
  const WireJson task = {{"task_id", "t"}, {"task_type", "local_bash"}, {"description", "make"}};
  Query asked =
      ask(has_tasks(WireJson::array({task})) + gives_result() + has_tasks(WireJson::array()));
  std::vector<std::string> types;
  for (const Message& message : asked) types.push_back(WireJson::parse(message.raw())["type"]);
  EXPECT_THAT(types, ElementsAre("system", "result", "system"));
  EXPECT_EQ(answer(std::move(asked)), "4");
}

// F5
TEST_F(LegacyQueries, FailWhenTheCliDiesBeforeItsBackgroundWorkIsDone) {
  const WireJson task = {{"task_id", "t"}, {"task_type", "local_bash"}, {"description", "make"}};
  const Result<TurnResult> result =
      ask(has_tasks(WireJson::array({task})) + gives_result() + "exit 7").result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().exit_code, 7);
}

// F18
TEST_F(LegacyQueries, DoNotWaitForThoseWhomTheCliLeavesBehind) {
  EXPECT_EQ(answer(ask("sleep 1000 &\n" + gives_result())), "4");
}

// F22
TEST_F(LegacyQueries, EndACliThatClosesItsOutputAndLivesOn) {
  Result<TurnResult> result = ask("exec >&-; exec sleep 1000").result();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("closed its output"));
}

// F21
TEST_F(LegacyQueries, HearOutACliThatHasClosedItsOutput) {
  Result<TurnResult> result =
      ask("exec >&-; head -c 200000 /dev/zero >&2; echo last words >&2; exit 3").result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().exit_code, 3);
  EXPECT_THAT(result.error().stderr_tail, EndsWith("last words\n"));
}

// F11
TEST_F(LegacyQueries, WhoseResultIsAboveTheLimitSaySo) {
  options.limits.line_bytes = 10;
  Result<TurnResult> result = ask(gives_result()).result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::line_too_long);
}

}  // namespace
}  // namespace claude::test
