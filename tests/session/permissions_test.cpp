// May this tool run? The permission callback, its answers and its failures.
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "session/fixture.h"
#include "session/memory_transport.h"

namespace claude::test {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kWrite =
    R"([{"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}}, {"text": "Done."}])";

class Permissions : public SimTest {
 protected:
  Permissions() { play_turn(kWrite); }

  WireJson answer(std::size_t n = 0) {
    std::vector<WireJson> asked = wire->their_requests("can_use_tool");
    return n < asked.size() ? wire->answer_to(asked[n])["response"] : nullptr;
  }
};

// S119 S129
TEST_F(Permissions, TheCallbackGetsTheWholeContext) {
  Session* running = nullptr;
  options.can_use_tool = [&](const ToolRequest& request) -> Permission {
    EXPECT_EQ(request.tool_name, "Write");
    EXPECT_EQ(request.input["content"].text(), "A");
    EXPECT_FALSE(request.tool_use_id.empty());
    EXPECT_FALSE(request.request_id.empty());
    EXPECT_EQ(request.session_id, running->id());
    EXPECT_EQ(*request.description, "a.txt");
    EXPECT_FALSE(request.blocked_path);
    EXPECT_FALSE(request.cancel.requested());
    return allow();
  };
  Session session = start();
  running = &session;
  EXPECT_EQ(said(session.send("go")), "Done.");
  EXPECT_EQ(wire->callbacks().size(), 1u);
}

// S121 S123
TEST_F(Permissions, AllowRunsTheToolWithItsInputAsItCame) {
  options.can_use_tool = [](const ToolRequest&) -> Permission { return allow(); };
  watch(start().send("go"));

  EXPECT_EQ(project.read("a.txt"), "A");
  WireJson asked = wire->their_requests("can_use_tool").at(0)["request"];
  EXPECT_EQ(answer()["behavior"], "allow");
  EXPECT_EQ(answer()["updatedInput"], asked["input"]);
  EXPECT_EQ(answer()["toolUseID"], asked["tool_use_id"]);
}

TEST_F(Permissions, AllowMayChangeTheInput) {
  options.can_use_tool = [](const ToolRequest& request) -> Permission {
    Json input = request.input.json();
    input.set("content", "changed");
    return allow().with_input(input);
  };
  watch(start().send("go"));
  EXPECT_EQ(project.read("a.txt"), "changed");
}

// S125 S120
TEST_F(Permissions, ASuggestionSentBackChangesTheRules) {
  play_turn(R"([{"tool": "Write", "input": {"file_path": "a.txt", "content": "A"}},
                {"tool": "Write", "input": {"file_path": "b.txt", "content": "B"}},
                {"text": "Done."}])");
  int asked = 0;
  options.can_use_tool = [&](const ToolRequest& request) -> Permission {
    ++asked;
    EXPECT_THAT(request.suggestions(),
                ElementsAre(PermissionUpdate::set_mode(PermissionMode::accept_edits)));
    return Permission(allow()).with_permissions(request.suggestions());
  };
  watch(start().send("go"));

  EXPECT_EQ(asked, 1) << "the second file was allowed by the new mode";
  EXPECT_EQ(project.read("b.txt"), "B");
  EXPECT_EQ(
      answer()["updatedPermissions"],
      WireJson::parse(R"([{"type": "setMode", "mode": "acceptEdits", "destination": "session"}])"));
}

TEST_F(Permissions, ARuleOfOurOwnHoldsForTheSession) {
  play_turn(R"([{"tool": "Bash", "input": {"command": "make all"}, "output": "made"},
                {"tool": "Bash", "input": {"command": "make test"}, "output": "tested"},
                {"text": "Done."}])");
  int asked = 0;
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    ++asked;
    return Permission(allow()).with_permissions({PermissionUpdate::allow_rule("Bash", "make *")});
  };
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre("made", "tested"));
  EXPECT_EQ(asked, 1);
}

// S122
TEST_F(Permissions, DenyTellsTheModelWhy) {
  options.can_use_tool = [](const ToolRequest&) -> Permission { return deny("not that file"); };
  Seen seen = watch(start().send("go"));

  EXPECT_THAT(seen.tool_results(), ElementsAre(HasSubstr("not that file")));
  EXPECT_EQ(seen.said(), "Done.") << "the model goes on";
  EXPECT_EQ(project.read("a.txt"), "");
  ASSERT_EQ(seen.result->message.permission_denials.size(), 1u);
  EXPECT_EQ(seen.result->message.permission_denials[0].tool_name, "Write");
  EXPECT_EQ(answer()["behavior"], "deny");
  EXPECT_EQ(answer()["message"], "not that file");
  EXPECT_FALSE(answer().contains("interrupt"));
}

TEST_F(Permissions, DenyMayEndTheTurn) {
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    return Permission(deny("stop here")).and_interrupt();
  };
  Seen seen = watch(start().send("go"));
  EXPECT_EQ(seen.said(), "");
  EXPECT_TRUE(seen.result->interrupted());
  EXPECT_EQ(answer()["interrupt"], true);
}

TEST_F(Permissions, AnAnswerMayComeLaterFromAnyThread) {
  std::promise<std::thread> elsewhere;
  options.can_use_tool_later = [&](ToolRequest request, Reply<Permission> reply) {
    elsewhere.set_value(std::thread([request, reply = std::move(reply)]() mutable {
      reply(request.tool_name == "Write" ? Permission(allow()) : Permission(deny("no")));
    }));
  };
  EXPECT_EQ(said(start().send("go")), "Done.");
  elsewhere.get_future().get().join();
  EXPECT_EQ(project.read("a.txt"), "A");
}

// S126
TEST_F(Permissions, AnExceptionDenies) {
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    throw std::runtime_error("the dialog broke");
  };
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre(HasSubstr("the dialog broke")));
  EXPECT_EQ(answer()["behavior"], "deny");
  EXPECT_EQ(project.read("a.txt"), "");
}

TEST_F(Permissions, ARequestMayOutliveItsSession) {
  std::promise<ToolRequest> asked;
  options.can_use_tool_later = [&](ToolRequest request, Reply<Permission>) {
    asked.set_value(std::move(request));
  };
  std::optional<Session> session = start();
  const std::string id(session->id());
  watch(session->send("go"));
  session->close();
  session.reset();
  const ToolRequest request = asked.get_future().get();
  EXPECT_EQ(request.tool_name, "Write");
  EXPECT_EQ(request.session_id, id);
}

TEST_F(Permissions, AnExceptionOfALaterAnswerDeniesToo) {
  options.can_use_tool_later = [](ToolRequest, Reply<Permission>) {
    throw std::runtime_error("the dialog broke");
  };
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre(HasSubstr("the dialog broke")));
}

TEST_F(Permissions, ADroppedReplyDenies) {
  options.can_use_tool_later = [](ToolRequest, Reply<Permission>) {};
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre(HasSubstr("dropped")));
  EXPECT_EQ(project.read("a.txt"), "");
}

TEST_F(Permissions, AnInputThatIsNoObjectDenies) {
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    return allow().with_input("no object");
  };
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre(HasSubstr("no JSON object")));
  EXPECT_EQ(project.read("a.txt"), "");
}

TEST_F(Permissions, WithATimeoutALateCallbackDenies) {
  options.timeouts.permission = 20ms;
  // Nobody waits for a callback that was answered for: it may outlive the test.
  options.can_use_tool = [cancelled = std::make_shared<Gate>()](const ToolRequest& request) {
    request.cancel.on_request([cancelled] { cancelled->open(); });
    cancelled->wait();
    return Permission(allow());
  };
  EXPECT_THAT(watch(start().send("go")).tool_results(), ElementsAre(HasSubstr("in time")));
  EXPECT_EQ(project.read("a.txt"), "");
}

// S131 S132
TEST_F(Permissions, WithoutACallbackTheCliDeniesByItself) {
  Session session = start();
  Seen seen = watch(session.send("go"));

  EXPECT_THAT(wire->their_requests("can_use_tool"), IsEmpty());
  EXPECT_EQ(project.read("a.txt"), "");
  EXPECT_EQ(seen.result->message.permission_denials.size(), 1u);
  EXPECT_EQ(seen.all<PermissionDenied>().size(), 1u);
}

// S3
TEST_F(Permissions, TheFlagOfThePromptToolIsThereWhenACallbackIs) {
  const std::string flag = "--permission-prompt-tool=stdio";
  EXPECT_THAT(resolve(options)->arguments, ::testing::Not(Contains(flag)));
  options.can_use_tool = [](const ToolRequest&) -> Permission { return allow(); };
  EXPECT_THAT(resolve(options)->arguments, Contains(flag));
}

// S124
TEST_F(Permissions, ThereIsNoAnswerThatTheCliTakesAsInvalid) {
  static_assert(!std::convertible_to<Ask, Permission>);
  static_assert(!std::convertible_to<Proceed, Permission>);
  static_assert(!std::default_initializable<Permission>);
  static_assert(std::convertible_to<Allow, Permission> && std::convertible_to<Deny, Permission>);
}

TEST_F(Permissions, InlineTheCallbackRunsOnTheThreadThatReads) {
  std::thread::id ran;
  options.permission_inline = true;
  options.runtime = std::make_shared<Runtime>(RuntimeOptions{.lease = 30s});
  options.can_use_tool = [&](const ToolRequest&) -> Permission {
    ran = std::this_thread::get_id();
    return allow();
  };
  EXPECT_EQ(said(start().send("go")), "Done.");
  EXPECT_EQ(ran, std::this_thread::get_id());
}

TEST_F(Permissions, AnInterruptWithdrawsTheQuestion) {
  Gate inside;
  Gate withdrawn;
  options.can_use_tool = [=](const ToolRequest& request) mutable -> Permission {
    request.cancel.on_request([withdrawn]() mutable { withdrawn.open(); });
    inside.open();
    withdrawn.wait();
    return allow();
  };
  Session session = start();
  Turn turn = session.send("go");
  inside.wait();

  ASSERT_TRUE(session.interrupt().get());

  EXPECT_TRUE(turn.result()->interrupted());
  EXPECT_TRUE(withdrawn.wait());
  EXPECT_EQ(project.read("a.txt"), "");
}

TEST_F(Permissions, ARequestThatCannotBeReadIsRefused) {
  MemoryCli cli;
  options.transport = cli.factory();
  options.can_use_tool = [](const ToolRequest&) -> Permission {
    ADD_FAILURE() << "there is nothing to ask";
    return allow();
  };
  Session session = start();
  cli.next();
  cli.ask("a", {{"subtype", "can_use_tool"}, {"input", WireJson::object()}});
  WireJson answer = cli.next()["response"];
  EXPECT_EQ(answer["subtype"], "error");  // which the CLI takes as a denial
  EXPECT_THAT(answer["error"], HasSubstr("tool_name"));
}

TEST_F(Permissions, AnInputThatIsNoObjectIsNotAllowed) {
  MemoryCli cli;
  options.transport = cli.factory();
  options.can_use_tool = [](const ToolRequest&) -> Permission { return allow(); };
  Session session = start();
  cli.next();
  for (const char* input : {"5", "null", "[]", R"("s")"}) {
    cli.ask(
        "a",
        {{"subtype", "can_use_tool"}, {"tool_name", "Write"}, {"input", WireJson::parse(input)}});
    EXPECT_NE(cli.next()["response"]["response"]["behavior"], "allow") << input;
  }
}

TEST_F(Permissions, WhatIsNotKnownYetIsThereByItsPathInTheRequest) {
  MemoryCli cli;
  options.transport = cli.factory();
  std::vector<std::string> paths;
  options.can_use_tool = [&](const ToolRequest& request) -> Permission {
    for (const OtherField& field : request.other) paths.push_back(field.path);
    return allow();
  };
  Session session = start();
  cli.next();
  cli.ask("a", {{"subtype", "can_use_tool"},
                {"tool_name", "Write"},
                {"input", WireJson::object()},
                {"mcp_server", {{"name", "calc"}, {"new", 1}}},
                {"newer", 2}});
  cli.next();
  EXPECT_THAT(paths, ElementsAre("mcp_server.new", "newer"));
}

// S130
TEST_F(Permissions, EveryModeIsTakenAtTheStart) {
  for (auto [mode, word] : {std::pair{PermissionMode::standard, "default"},
                            {PermissionMode::accept_edits, "acceptEdits"},
                            {PermissionMode::bypass_permissions, "bypassPermissions"},
                            {PermissionMode::plan, "plan"},
                            {PermissionMode::dont_ask, "dontAsk"},
                            {PermissionMode::automatic, "auto"}}) {
    options.permission_mode = mode;
    options.allow_bypass_permissions = true;
    Session session = start();
    Seen turn = watch(session.send("go"));
    ASSERT_FALSE(turn.all<SystemInit>().empty());
    EXPECT_EQ(turn.all<SystemInit>()[0].permission_mode, word);
  }
}

}  // namespace
}  // namespace claude::test
