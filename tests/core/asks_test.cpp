// What the CLI asks: hooks, permissions, MCP messages, and how each is answered exactly once.
#include "core/conversation.h"

namespace claude::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const json kProceed = json::parse(R"({"continue":true})");

// S24 S25 S110
TEST(Asks, AHookIsHandedOnUnreadAndAnsweredInTheSameEnvelopeAsOurs) {
  Conversation talk;
  talk.cli.says(
      R"({"type":"control_request","request_id":"h1","request":{"subtype":"hook_callback","callback_id":"hook_1","input":{"hook_event_name":"PreToolUse", "x":[1, 2]},"tool_use_id":"toolu_9"}})");

  ASSERT_THAT(talk.asked(), SizeIs(1));
  Asked asked = talk.asked().front();
  EXPECT_EQ(asked.hook, 1u);
  const auto& hook = std::get<wire::HookCallback>(asked.request.body);
  EXPECT_EQ(hook.input.text(), R"({"hook_event_name":"PreToolUse", "x":[1, 2]})");
  EXPECT_EQ(hook.tool_use_id.value_or(""), "toolu_9");

  talk.user.answers(asked.ask, R"({"continue":false,"stopReason":"no"})");
  EXPECT_EQ(talk.cli.heard().back(), json::parse(R"(
      {"type":"control_response","response":{"subtype":"success","request_id":"h1",
       "response":{"continue":false,"stopReason":"no"}}})"));
}

TEST(Asks, ANumericIdIsAnsweredAsANumber) {
  Conversation talk;
  talk.cli.says(
      R"({"type":"control_request","request_id":17,"request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}})");
  talk.user.answers(talk.last_ask(), R"({"behavior":"allow","updatedInput":{}})");
  EXPECT_EQ(talk.cli.answer_to(17)["behavior"], "allow");

  talk.cli.says(R"({"type":"control_request","request_id":18,"request":{"subtype":"new_thing"}})");
  EXPECT_THAT(talk.cli.answers_to(18), SizeIs(1));
}

TEST(Asks, AnIdIsTheSameHoweverItIsEscaped) {
  Conversation talk;
  talk.cli.says(hook_callback("a/b"));
  talk.cli.says(hook_callback("a\\/b"));
  EXPECT_THAT(talk.asked(), SizeIs(1));
  talk.cli.says(cancel_request("\\u0061/b"));
  EXPECT_THAT(talk.withdrawn(), SizeIs(1));
}

// Each half of an emoji reads as U+FFFD.
TEST(Asks, IdsThatReadAlikeBecauseTheyAreBrokenAreTwo) {
  Conversation talk;
  talk.cli.says(can_use_tool("\\ud800"));
  talk.cli.says(can_use_tool("\\udbff"));
  EXPECT_THAT(talk.asked(), SizeIs(2));
  EXPECT_THAT(talk.notes(LogLevel::warning, "double_request"), IsEmpty());

  talk.cli.says(can_use_tool("\\udbff"));
  EXPECT_THAT(talk.notes(LogLevel::warning, "double_request"), SizeIs(1));
  talk.cli.says(cancel_request("\\udbff"));
  EXPECT_THAT(talk.withdrawn(), ElementsAre(talk.asked().back().ask));
}

// ---- Callbacks that fail -----------------------------------------------------------------------

// S115 S180
TEST(Asks, AHookThatFailsLetsThingsGoOn) {
  Conversation talk;
  talk.cli.says(hook_callback("h1"));
  talk.user.fails(talk.last_ask(), "std::bad_alloc");

  EXPECT_EQ(talk.cli.answer_to("h1"), kProceed);
  EXPECT_EQ(talk.engine().state(), SessionState::running);
}

TEST(Asks, AHookThatIsToBlockOnFailureBlocks) {
  Conversation talk;
  talk.cli.says(hook_callback("h1", "hook_1"));
  talk.user.fails(talk.last_ask(), "oops");
  EXPECT_EQ(talk.cli.answer_to("h1"), json::parse(R"({"decision":"block"})"));
}

// S126 S180
TEST(Asks, APermissionCallbackThatFailsDenies) {
  Conversation talk;
  talk.cli.says(can_use_tool("p1"));
  talk.user.fails(talk.last_ask(), "the database is down");

  json answer = talk.cli.answer_to("p1");
  EXPECT_EQ(answer["behavior"], "deny");
  EXPECT_THAT(answer["message"].get<std::string>(), HasSubstr("the database is down"));
}

// S136
TEST(Asks, AnMcpHandlerThatFailsBecomesAJsonRpcError) {
  Conversation talk;
  talk.cli.says(mcp_message("m1"));
  talk.user.fails(talk.last_ask(), "division by zero");

  EXPECT_EQ(talk.cli.answers_to("m1").front()["subtype"], "success");
  EXPECT_EQ(talk.cli.answer_to("m1"), json::parse(R"({"mcp_response":{"jsonrpc":"2.0","id":7,
      "error":{"code":-32603,"message":"division by zero"}}})"));
}

// S117
TEST(Asks, TheLogNamesTheCallbackAndTheReason) {
  Conversation talk;
  talk.cli.says(hook_callback("h1"));
  talk.user.fails(talk.last_ask(), "std::bad_alloc");
  talk.cli.says(hook_callback("h2", "hook_1"));
  talk.passes(2s);

  EXPECT_THAT(talk.notes(LogLevel::error, "callback_failed"),
              ElementsAre("the hook hook_0 (PreToolUse) failed: std::bad_alloc"));
  EXPECT_THAT(talk.notes(LogLevel::warning, "callback_timeout"),
              ElementsAre(HasSubstr("the hook hook_1 (PreToolUse) gave no answer within 2000 ms")));
}

// F13
TEST(Asks, TextThatIsNoUtf8DoesNotBreakTheLine) {
  Conversation talk;
  talk.cli.says(can_use_tool("p1"));
  talk.user.fails(talk.last_ask(), "caf\xe9\n\xff");
  EXPECT_EQ(talk.cli.answer_to("p1")["behavior"], "deny");  // read by a strict reader
}

// ---- Nobody there ------------------------------------------------------------------------------

// S118
TEST(Asks, AnUnknownHookProceedsAndIsLoggedAsAnError) {
  Conversation talk;
  int asked = 0;
  for (std::string callback :
       {"hook_2", "hook_", "hook_x", "hook_0x", "perm_0", "hook_-1", "hook_99999999999999999999"}) {
    std::string id = std::to_string(++asked);
    talk.cli.says(hook_callback(id, callback));
    EXPECT_EQ(talk.cli.answer_to(id), kProceed) << callback;
  }
  EXPECT_THAT(talk.asked(), IsEmpty());
  EXPECT_THAT(talk.notes(LogLevel::error, "unknown_callback"), SizeIs(7));
  EXPECT_EQ(talk.engine().counts().unknown_requests, 7u);
}

// S126
TEST(Asks, WithoutAPermissionCallbackTheAnswerIsNo) {
  auto setup = Conversation::usual();
  setup.permissions = false;
  Conversation talk(setup);
  talk.cli.says(can_use_tool("p1"));
  EXPECT_EQ(talk.cli.answer_to("p1")["behavior"], "deny");
  EXPECT_NE(talk.cli.answer_to("p1")["message"], "");
}

// ---- MCP ---------------------------------------------------------------------------------------

// S134 S135
TEST(Asks, AnMcpMessageGoesToItsServerAndBackUnread) {
  Conversation talk;
  talk.cli.says(
      R"({"type":"control_request","request_id":"m1","request":{"subtype":"mcp_message","server_name":"calc","message":{"no":"JSON-RPC at all", "n": 1.50}}})");

  const auto asked = talk.asked();
  const auto& call = std::get<wire::McpMessage>(asked.at(0).request.body);
  EXPECT_EQ(call.server_name, "calc");
  EXPECT_EQ(call.message.text(), R"({"no":"JSON-RPC at all", "n": 1.50})");

  talk.user.answers(talk.last_ask(), R"({"mcp_response":["whatever"]})");
  EXPECT_EQ(talk.cli.answer_to("m1"), json::parse(R"({"mcp_response":["whatever"]})"));
}

// S134
TEST(Asks, AMessageForAnUnknownServerIsRefusedByName) {
  Conversation talk;
  talk.cli.says(mcp_message("m1", "weather"));
  EXPECT_THAT(talk.cli.answers_to("m1").at(0)["error"].get<std::string>(), HasSubstr("weather"));
}

// ---- Requests that make no sense ---------------------------------------------------------------

// S39
TEST(Asks, AMissingFieldIsNamedInTheAnswer) {
  Conversation talk;
  auto refused = [&](const std::string& id, const std::string& request) {
    talk.cli.says(
        with(R"({"type":"control_request","request_id":"$1","request":$2})", id, request));
    return talk.cli.answers_to(id).at(0).value("error", "");
  };
  EXPECT_EQ(refused("1", R"({"subtype":"hook_callback","input":{}})"),
            "Missing required field: request.callback_id");
  EXPECT_EQ(refused("2", R"({"subtype":"hook_callback","callback_id":"hook_0"})"),
            "Missing required field: request.input");
  EXPECT_EQ(refused("3", R"({"subtype":"can_use_tool","input":{}})"),
            "Missing required field: request.tool_name");
  EXPECT_EQ(refused("4", R"({"subtype":"mcp_message","server_name":"calc"})"),
            "Missing required field: request.message");
  EXPECT_EQ(refused("5", R"({})"), "Missing required field: request.subtype");
  EXPECT_EQ(refused("6", R"("what?")"), "Missing required field: request");
  EXPECT_THAT(talk.asked(), IsEmpty());
}

// S33 S39 F10
TEST(Asks, ARequestWithoutAnIdIsDroppedWithADiagnostic) {
  Conversation talk;
  auto before = talk.cli.heard().size();
  talk.cli.says(
      R"({"type":"control_request","request":{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":{"questions":[]}}})");
  talk.cli.says(R"({"type":"control_request","request":{"subtype":"hook_callback"}})");

  EXPECT_EQ(talk.cli.heard().size(), before);
  EXPECT_THAT(talk.asked(), IsEmpty());
  EXPECT_THAT(talk.notes(LogLevel::warning, "bad_request"), SizeIs(2));
}

// S40 F10
TEST(Asks, AnUnknownSubtypeIsAnsweredWithAnErrorAndItsCode) {
  Conversation talk;
  talk.cli.says(any_request("u1", "make_coffee"));

  EXPECT_EQ(talk.cli.answers_to("u1").at(0), json::parse(R"({"subtype":"error","request_id":"u1",
      "error":"Unsupported control request subtype: make_coffee",
      "error_code":"unsupported_request"})"));
  EXPECT_EQ(talk.engine().counts().unknown_requests, 1u);
}

// S41
TEST(Asks, ARequestThatOnlyWeMaySendIsAnError) {
  Conversation talk;
  int number = 0;
  for (std::string ours : {"initialize", "interrupt", "set_permission_mode", "set_model",
                           "rewind_files", "mcp_status"}) {
    std::string id = std::to_string(++number);
    talk.cli.says(any_request(id, ours));
    EXPECT_EQ(talk.cli.answers_to(id).at(0)["subtype"], "error");
  }
  EXPECT_THAT(talk.notes(LogLevel::error, "bad_request"), SizeIs(6));
}

// A dialog is answered by whoever declared that he can show it.
TEST(Asks, ADialogThatNobodyDeclaredStaysUnanswered) {
  Conversation talk;
  talk.cli.says(any_request("d1", "request_user_dialog"));
  EXPECT_THAT(talk.cli.answers_to("d1"), IsEmpty());
}

// S32 F10
TEST(Asks, AWrappedRequestIsServed) {
  Conversation talk;
  talk.cli.says(
      R"({"type":"control_request","message":{"type":"control_request","request_id":"w1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}})");
  talk.user.answers(talk.last_ask(), R"({"behavior":"allow","updatedInput":{}})");
  EXPECT_EQ(talk.cli.answer_to("w1")["behavior"], "allow");
}

// ---- Exactly once ------------------------------------------------------------------------------

// S88
TEST(Asks, TheFirstAnswerIsTheOnlyOne) {
  Conversation talk;
  talk.cli.says(hook_callback("h1"));
  AskId ask = talk.last_ask();
  talk.user.answers(ask, R"({"first":1})");
  talk.user.answers(ask, R"({"second":2})");
  talk.user.fails(ask, "third");
  talk.passes(1h);

  EXPECT_EQ(talk.cli.answer_to("h1"), json::parse(R"({"first":1})"));
  EXPECT_THAT(talk.withdrawn(), IsEmpty());
  EXPECT_EQ(talk.engine().open_asks(), 0u);
}

// S87 S88
TEST(Asks, AnAnswerTakesItsTimerAlong) {
  Conversation talk;
  talk.cli.says(hook_callback("h1", "hook_1"));
  EXPECT_EQ(talk.engine().next_deadline(), talk.now() + 2s);
  talk.user.answers(talk.last_ask(), "{}");
  EXPECT_EQ(talk.engine().next_deadline(), TimePoint::max());
}

// F7
TEST(Asks, AWithdrawnAskIsNeverAnswered) {
  Conversation talk;
  talk.cli.says(can_use_tool("p1"));
  AskId ask = talk.last_ask();
  talk.cli.says(cancel_request("p1"));
  EXPECT_THAT(talk.withdrawn(), ElementsAre(ask));

  talk.user.answers(ask, R"({"behavior":"allow","updatedInput":{}})");
  talk.cli.says(cancel_request("p1"));
  talk.cli.says(cancel_request("never-seen"));

  EXPECT_THAT(talk.cli.answers_to("p1"), IsEmpty());
  EXPECT_THAT(talk.withdrawn(), SizeIs(1));
}

// F29
TEST(Asks, AnIdThatIsUsedTwiceIsAnsweredOnce) {
  Conversation talk;
  talk.cli.says(hook_callback("x"));
  talk.cli.says(hook_callback("x", "hook_99"));
  talk.cli.says(can_use_tool("x"));
  talk.cli.says(any_request("x", "make_coffee"));
  EXPECT_THAT(talk.asked(), SizeIs(1));
  EXPECT_THAT(talk.notes(LogLevel::warning, "double_request"), SizeIs(3));

  talk.user.answers(talk.last_ask(), R"({"continue":true})");
  EXPECT_EQ(talk.cli.answer_to("x"), kProceed);

  talk.cli.says(can_use_tool("x"));  // free again
  EXPECT_THAT(talk.asked(), SizeIs(2));
}

// S28 S182
TEST(Asks, ManyAreOpenAtOnceAndAnsweredInAnyOrder) {
  Conversation talk;
  auto prompt = talk.user.sends("go");
  talk.cli.says(hook_callback("h1"));
  AskId hook = talk.last_ask();
  talk.cli.says(can_use_tool("p1"));
  AskId permission = talk.last_ask();
  talk.cli.says(mcp_message("m1"));
  AskId mcp = talk.last_ask();
  auto interrupt = talk.user.interrupts();
  talk.cli.says(assistant("working", prompt.uuid));

  talk.user.answers(mcp, R"({"mcp_response":{}})");
  talk.cli.answers(interrupt, "{}");
  talk.user.answers(permission, R"({"behavior":"deny","message":"no"})");
  talk.user.answers(hook, R"({"continue":true})");
  talk.cli.says(result_for(prompt.uuid, "done"));

  EXPECT_EQ(talk.cli.answer_to("h1"), kProceed);
  EXPECT_EQ(talk.cli.answer_to("p1")["behavior"], "deny");
  EXPECT_EQ(talk.cli.answer_to("m1"), json::parse(R"({"mcp_response":{}})"));
  EXPECT_THAT(interrupt, succeeded_with("{}"));
  EXPECT_THAT(prompt, ended_with_result("done"));
}

}  // namespace
}  // namespace claude::core
