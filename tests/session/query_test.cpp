// query(): one question, all its messages.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "session/fixture.h"
#include "session/own_transport.h"

namespace claude::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Queries : public SimTest {};

// S166
TEST_F(Queries, AreALoopOverTheMessagesOfOneQuestion) {
  play_turn(R"([{"text": "4"}])");
  std::vector<Message> messages;
  for (const Message& message : query("What is 2 + 2?", options)) messages.push_back(message);

  ASSERT_FALSE(messages.empty());
  EXPECT_TRUE(std::holds_alternative<ResultMessage>(messages.back()));
  Seen seen{messages, {}};
  EXPECT_EQ(seen.said(), "4");
  EXPECT_EQ(seen.all<SystemInit>().size(), 1u);
}

TEST_F(Queries, TellHowTheyEnded) {
  play_turn(R"([{"text": "4", "cost_usd": 0.125}])");
  Query asked = query("What is 2 + 2?", options);
  Result<TurnResult> result = asked.result();
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_TRUE(result->ok());
  EXPECT_DOUBLE_EQ(result->cost_usd.value(), 0.125);
  EXPECT_FALSE(asked.next()) << "the messages before it were passed over";
}

TEST_F(Queries, AfterAResumeCostWhatTheyThemselvesDid) {
  play(R"({"turns": [{"repeat": true, "model": [{"text": "4", "cost_usd": 0.125}]}]})");
  Result<TurnResult> first = query("once", options).result();
  ASSERT_TRUE(first) << first.error().to_string();
  options.resume = std::string(first->message.session_id);
  Result<TurnResult> second = query("again", options).result();
  ASSERT_TRUE(second) << second.error().to_string();
  EXPECT_DOUBLE_EQ(second->message.total_cost_usd.value_or(0), 0.25);
  EXPECT_DOUBLE_EQ(second->cost_usd.value(), 0.125);
}

// S168
TEST_F(Queries, SpeakBothWaysWhateverIsConfigured) {
  Query plain = query("Hello", options);
  EXPECT_EQ(all_said(plain), "You said: Hello");
  EXPECT_EQ(wire->our_requests("initialize").size(), 1u);
  EXPECT_EQ(wire->written().back()["message"]["content"], "Hello");
}

TEST_F(Queries, HaveHooksPermissionsAndServersAsSessionsDo) {
  play_turn(R"([{"blocks": [{"tool": "Bash", "input": {"command": "rm -rf /"}},
                            {"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}},
                            {"mcp": {"server": "calc", "tool": "add", "arguments": {}}}]},
                {"text": "Done."}])");
  options.hooks.pre_tool_use("Bash", [](const PreToolUse&) { return deny("no shell today"); });
  options.can_use_tool = [](const ToolRequest&) -> Permission { return allow(); };
  options.mcp_servers.add("calc", [](const Json& message) {
    Json result = Json::object({{"tools", Json::array({Json::object({{"name", "add"}})})}});
    if (message["method"].text() == "tools/call") {
      result = Json::object(
          {{"content", Json::array({Json::object({{"type", "text"}, {"text", "five"}})})}});
    }
    return Json::object({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", result}});
  });

  std::vector<Message> messages;
  for (const Message& message : query("go", options)) messages.push_back(message);

  std::vector<std::string> results = Seen{messages, {}}.tool_results();
  ASSERT_EQ(results.size(), 3u);
  EXPECT_THAT(results, Contains(HasSubstr("no shell today")));
  EXPECT_THAT(results, Contains("five"));
  EXPECT_EQ(project.read("a.txt"), "A");
}

TEST_F(Queries, GiveTheirSessionForOperations) {
  play_turn(R"([{"hang": true}])");
  Query asked = query("wait for ever", options);
  ASSERT_NE(asked.session(), nullptr);
  while (std::optional<Message> message = asked.next()) {
    if (std::holds_alternative<SystemInit>(*message)) break;
  }
  ASSERT_TRUE(asked.session()->interrupt().get());
  Result<TurnResult> result = asked.result();
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_TRUE(result->interrupted());
}

TEST_F(Queries, GoOnWhileBackgroundWorkLives) {
  options.allowed_tools = {"Bash"};
  play_turn(R"([{"tool": "Bash", "input": {"command": "make", "run_in_background": true},
                 "output": "made", "finishes_ms": 1, "then": [{"text": "It is done."}]},
                {"text": "Started."}])");
  Query asked = query("build it", options);
  EXPECT_EQ(all_said(asked), "Started.It is done.");
}

TEST_F(Queries, ThatCannotStartSayWhy) {
  options.cli_path = project.path() / "no-such-program";
  Query asked = query("Hello", options);
  EXPECT_FALSE(asked.next());
  EXPECT_EQ(asked.session(), nullptr);
  ASSERT_FALSE(asked.result());
  EXPECT_EQ(asked.result().error().code, Errc::cli_not_found);
}

TEST_F(Queries, ThatLoseTheirCliSayWhy) {
  play(R"({"turns": [{"model": [{"stderr": "oops\n"}, {"exit": 7}]}]})");
  Query asked = query("Hello", options);
  while (asked.next()) {
  }
  Result<TurnResult> result = asked.result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().exit_code, 7);
  EXPECT_THAT(result.error().stderr_tail, HasSubstr("oops"));
}

// A query over a transport whose CLI is played by the test.
class PlayedQueries : public OwnTransport {
 protected:
  // What the CLI says to the prompt, by its uuid.
  Result<TurnResult> result_when_told(
      std::function<std::vector<WireJson>(const std::string&)> say) {
    cli.on_write = [&, say, otherwise = cli.on_write](const WireJson& line) {
      if (line["type"] != "user") return otherwise(line);
      for (const WireJson& each : say(line["uuid"])) cli.inject_line(each);
    };
    return query("go", options).result();
  }
  // All that is said, when the CLI says this to the prompt, and nothing more. Read ahead: all of it
  // before any is taken.
  enum class Read { ahead, as_taken };
  std::string said_when_told(
      Read read, std::function<std::vector<WireJson>(const std::string&)> say,
      std::function<void(const Message&)> and_then = [](auto&) {}) {
    cli.on_write = [this, say, otherwise = cli.on_write](const WireJson& line) {
      if (line["type"] == "user") {
        for (const WireJson& each : say(line["uuid"])) cli.inject_line(each);
      } else if (line["request"]["subtype"] == "set_model") {
        cli.answer(line, {{"model", "opus"}});
      } else {
        otherwise(line);
      }
    };
    Query asked = query("go", options);
    if (read == Read::ahead) asked.session()->set_model("opus").get();
    std::string texts;
    for (const Message& message : asked) {
      if (auto* result = std::get_if<ResultMessage>(&message)) texts += result->result.value_or({});
      and_then(message);
    }
    return texts;
  }
  static WireJson tasks(std::vector<WireJson> alive) {
    return {{"type", "system"},
            {"subtype", "background_tasks_changed"},
            {"tasks", alive},
            {"uuid", "t"},
            {"session_id", "s"}};
  }
  static WireJson task(const char* type) {
    return {{"task_id", "b1"}, {"task_type", type}, {"description", "d"}};
  }
  static WireJson news(const char* status) {
    return {{"type", "system"},   {"subtype", "task_notification"},
            {"task_id", "b1"},    {"status", status},
            {"uuid", "n"},        {"session_id", "s"},
            {"output_file", "o"}, {"summary", "d"}};
  }
  static WireJson result_of_news() {
    WireJson result = result_for({{"uuid", ""}});
    result["origin"] = {{"kind", "task-notification"}};
    result["result"] = ", news";
    return result;
  }
  static WireJson lifecycle(const std::string& uuid, const char* state) {
    return {{"type", "command_lifecycle"},
            {"command_uuid", uuid},
            {"state", state},
            {"uuid", "c"},
            {"session_id", "s"}};
  }
};

TEST_F(PlayedQueries, EndWhenTheirPromptIsCancelledBeforeItRuns) {
  auto result = result_when_told([](const std::string& uuid) {
    return std::vector{lifecycle(uuid, "queued"), lifecycle(uuid, "cancelled")};
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::cancelled);
}

// F11
TEST_F(PlayedQueries, WhoseResultIsAboveTheLimitSaySo) {
  options.limits.line_bytes = 1000;
  auto result = result_when_told([](const std::string& uuid) {
    WireJson huge = result_for({{"uuid", uuid}});
    huge["result"] = std::string(2000, 'x');
    return std::vector{lifecycle(uuid, "started"), huge};
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::line_too_long);
}

// F9
TEST_F(PlayedQueries, HaveFailedWhereTheResultSaysSoInAnyOfItsFields) {
  const auto result = result_when_told([](const std::string& uuid) {
    WireJson failed = result_for({{"uuid", uuid}});
    failed["subtype"] = "error_during_execution";
    failed["is_error"] = "of another type";
    failed["errors"] = {"the API failed"};
    return std::vector{lifecycle(uuid, "started"), failed};
  });
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->ok());
  ASSERT_TRUE(result->error());
  EXPECT_THAT(result->error()->cli_text, HasSubstr("the API failed"));
}

TEST_F(PlayedQueries, EndWithAResultThatNamesNobodyThoughAnotherPromptWasNamed) {
  const auto result = result_when_told([](const std::string& uuid) {
    WireJson unnamed = result_for({{"uuid", uuid}});
    unnamed.erase("user_message_uuids");
    return std::vector{lifecycle("somebody", "started"), unnamed};
  });
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->ok());
}

TEST_F(PlayedQueries, WaitForTheirOwnResult) {
  auto result = result_when_told([](const std::string& uuid) {
    WireJson for_another = result_for({{"uuid", "somebody"}});
    for_another["result"] = "not yours";
    return std::vector{lifecycle(uuid, "started"), for_another, result_for({{"uuid", uuid}})};
  });
  ASSERT_TRUE(result);
  EXPECT_EQ(result->message.result.value_or({}), "done");
}

TEST_F(PlayedQueries, HearTheTurnThatBackgroundWorkBrings) {
  EXPECT_EQ(said_when_told(Read::ahead,
                           [](const std::string& uuid) {
                             return std::vector{tasks({task("local_bash")}),
                                                result_for({{"uuid", uuid}}), news("completed"),
                                                tasks({}), result_of_news()};
                           }),
            "done, news");
}

// F11
TEST_F(PlayedQueries, EndWhenTheResultOfThatTurnIsAboveTheLimit) {
  options.limits.line_bytes = 1000;
  EXPECT_EQ(said_when_told(Read::as_taken,
                           [](const std::string& uuid) {
                             WireJson huge = result_of_news();
                             huge["result"] = std::string(2000, 'x');
                             return std::vector{tasks({task("local_bash")}),
                                                result_for({{"uuid", uuid}}), news("completed"),
                                                tasks({}), huge};
                           }),
            "done");
}

TEST_F(PlayedQueries, HearTheNewsThatFollowsAResultAboveTheLimit) {
  options.limits.line_bytes = 1000;
  int notifications = 0;
  EXPECT_EQ(said_when_told(
                Read::ahead,
                [](const std::string& uuid) {
                  WireJson huge = result_of_news();
                  huge["result"] = std::string(2000, 'x');
                  return std::vector{tasks({task("local_bash"), task("local_bash")}),
                                     result_for({{"uuid", uuid}}),
                                     news("completed"),
                                     tasks({task("local_bash")}),
                                     huge,
                                     news("completed"),
                                     tasks({})};
                },
                [&](const Message& message) {
                  const bool is_news = std::holds_alternative<TaskNotification>(message);
                  if (is_news && ++notifications == 2) cli.inject_line(result_of_news());
                }),
            "done, news");
}

TEST_F(PlayedQueries, EndWhenTheLastBackgroundWorkIsStopped) {
  EXPECT_EQ(said_when_told(Read::as_taken,
                           [](const std::string& uuid) {
                             return std::vector{tasks({task("local_bash")}),
                                                result_for({{"uuid", uuid}}), news("stopped"),
                                                tasks({})};
                           }),
            "done");
}

TEST_F(PlayedQueries, HearTheTurnThatAStoppedAgentBrings) {
  EXPECT_EQ(said_when_told(Read::ahead,
                           [](const std::string& uuid) {
                             return std::vector{tasks({task("local_agent")}),
                                                result_for({{"uuid", uuid}}), news("stopped"),
                                                tasks({}), result_of_news()};
                           }),
            "done, news");
}

TEST_F(PlayedQueries, EndWhenAnAgentHasSpentTheBudget) {
  options.max_budget_usd = 1;
  EXPECT_EQ(said_when_told(Read::ahead,
                           [](const std::string& uuid) {
                             return std::vector{tasks({task("local_agent")}),
                                                result_for({{"uuid", uuid}}), news("stopped"),
                                                tasks({})};
                           }),
            "done");
}

// F5
TEST_F(PlayedQueries, FailWhenTheCliDiesBeforeTheirBackgroundWorkIsDone) {
  cli.on_write = [&, otherwise = cli.on_write](const WireJson& line) {
    if (line["type"] != "user") return otherwise(line);
    cli.inject_line(tasks({task("local_bash")}));
    cli.inject_line(result_for(line));
    cli.inject("{\"cut");
    cli.end();
  };
  const auto result = query("go", options).result();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::exited);
  EXPECT_THAT(result.error().message, HasSubstr("in the middle of a line"));
}

TEST_F(PlayedQueries, EndWithAResultThatHasAnEmptyName) {
  auto result = result_when_told([](const std::string& uuid) {
    return std::vector{lifecycle(uuid, "started"), result_for({{"uuid", ""}})};
  });
  EXPECT_TRUE(result);
}

}  // namespace
}  // namespace claude::test
