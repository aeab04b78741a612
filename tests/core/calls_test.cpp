// Our requests and their answers.
#include "core/conversation.h"

#include <set>

namespace claude::core {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// S26 S27
TEST(Calls, IdsAreUniqueAndCountUp) {
  Conversation talk;
  std::set<std::string> ids;
  for (int i = 2; i <= 20; ++i) {
    auto call = talk.user.interrupts();
    EXPECT_EQ(talk.cli.heard().back()["request_id"], "req_" + std::to_string(i) + "_5e1f");
    ids.insert(talk.cli.heard().back()["request_id"]);
    talk.cli.answers(call, "{}");
  }
  EXPECT_THAT(ids, SizeIs(19));
}

// S28 S179 F29
TEST(Calls, AnswersMayComeInAnotherOrder) {
  Conversation talk;
  auto interrupt = talk.user.interrupts();
  auto model = talk.user.sets_model("opus");
  auto status = talk.user.calls(R"({"subtype":"mcp_status"})");

  talk.cli.answers(status, R"({"mcpServers":[]})");
  talk.cli.answers(interrupt, R"({"still_queued":[]})");
  EXPECT_THAT(model, still_waits());
  talk.cli.answers(model, R"({"model":"claude-opus-5-5"})");

  EXPECT_THAT(interrupt, succeeded_with(R"({"still_queued":[]})"));
  EXPECT_THAT(model, succeeded_with(R"({"model":"claude-opus-5-5"})"));
  EXPECT_THAT(status, succeeded_with(R"({"mcpServers":[]})"));
}

// S31
TEST(Calls, ASuccessNeedsNoPayload) {
  Conversation talk;
  auto call = talk.user.calls(R"({"subtype":"end_session"})");
  talk.cli.says(bare_success(call.request_id));
  EXPECT_THAT(call, succeeded_with("null"));
}

// S42
TEST(Calls, AnAcknowledgementMayHaveAnyPayload) {
  Conversation talk;
  for (std::string payload : {R"("done")", "[1,2]", "17", "null", R"({"future":{"deep":[{}]}})"}) {
    auto call = talk.user.sets_model("opus");
    talk.cli.answers(call, payload);
    EXPECT_THAT(call, succeeded_with(payload));
  }
}

// S24
TEST(Calls, AnErrorOfTheCliBringsItsTextAndItsCode) {
  Conversation talk;
  auto call = talk.user.calls(R"({"subtype":"set_permission_mode","mode":"bypassPermissions"})");
  talk.cli.refuses(call, "Cannot set permission mode", "bypass_not_launched");

  EXPECT_THAT(call, ended_with(Errc::cli_error, "set_permission_mode"));
  EXPECT_EQ(call.error()->cli_text, "Cannot set permission mode");
  EXPECT_EQ(call.error()->error_code, "bypass_not_launched");
  EXPECT_THAT(talk.notes(LogLevel::error, "operation_failed"), SizeIs(1));
}

// S30
TEST(Calls, TheIdMayStandBesideTheResponse) {
  Conversation talk;
  auto outside = talk.user.interrupts();
  talk.cli.says(
      with(R"({"type":"control_response","request_id":"$1","response":{"subtype":"success"}})",
           outside.request_id));
  EXPECT_THAT(outside, succeeded_with("null"));

  auto inner = talk.user.interrupts();
  auto outer = talk.user.interrupts();
  talk.cli.says(with(
      R"({"type":"control_response","request_id":"$1","response":{"subtype":"success","request_id":"$2"}})",
      outer.request_id, inner.request_id));
  EXPECT_THAT(inner, succeeded_with("null"));
  EXPECT_THAT(outer, still_waits());

  talk.cli.says(R"({"type":"control_response","response":{"subtype":"success"}})");
  EXPECT_THAT(talk.notes(LogLevel::warning, "bad_line"), SizeIs(1));
}

// S29
TEST(Calls, AnAnswerThatNobodyAskedForIsDroppedWithAWarning) {
  Conversation talk;
  auto call = talk.user.interrupts();
  for (std::string id : {"req_99_5e1f", "req_2", "req_02_5e1f", "req_2_other", "", "\\u0000"}) {
    talk.cli.says(success(id, "{}"));
  }
  EXPECT_THAT(call, still_waits());
  EXPECT_THAT(talk.notes(LogLevel::warning, "late_answer"), SizeIs(6));
  EXPECT_EQ(talk.engine().counts().late_answers, 6u);
}

// S29 S97 F29
TEST(Calls, AnAnswerAfterTheTimeoutIsDroppedQuietly) {
  Conversation talk;
  auto call = talk.user.interrupts();
  talk.passes(5s);
  talk.cli.answers(call, "{}");

  EXPECT_THAT(call, ended_with(Errc::timeout, "interrupt"));
  EXPECT_THAT(talk.notes(LogLevel::debug, "late_answer"), SizeIs(1));
  EXPECT_THAT(talk.notes(LogLevel::warning, "late_answer"), IsEmpty());
}

// S88 F29
TEST(Calls, TheFirstAnswerWins) {
  Conversation talk;
  auto call = talk.user.interrupts();
  talk.cli.answers(call, R"({"n":1})");
  talk.cli.refuses(call, "no");
  talk.cli.answers(call, R"({"n":3})");
  talk.passes(1h);
  talk.cli.dies(exit_code{0});

  EXPECT_THAT(call, succeeded_with(R"({"n":1})"));
  EXPECT_EQ(talk.engine().counts().late_answers, 2u);
}

// S86 S97
TEST(Calls, AnAnswerTakesItsTimerAlong) {
  Conversation talk;
  auto slow = talk.user.calls(R"({"subtype":"rewind_files"})", 30s);
  EXPECT_EQ(talk.engine().next_deadline(), talk.now() + 30s);
  auto quick = talk.user.calls(R"({"subtype":"interrupt"})", 5s);
  EXPECT_EQ(talk.engine().next_deadline(), talk.now() + 5s);

  talk.cli.answers(quick, "{}");
  EXPECT_EQ(talk.engine().next_deadline(), talk.now() + 30s);
  talk.cli.answers(slow, "{}");
  EXPECT_EQ(talk.engine().next_deadline(), TimePoint::max());
}

// S159
TEST(Calls, EachWayToFailHasItsCode) {
  auto setup = Conversation::usual();
  setup.limits.pending_operations = 3;
  setup.limits.queued_operations = 1;
  Conversation talk(not_ready, setup);
  auto queued = talk.user.interrupts();
  EXPECT_THAT(talk.user.interrupts(), ended_with(Errc::init_queue_overflow, "interrupt"));
  talk.cli.initializes();
  auto refused = talk.user.sets_model("x");
  auto waiting = talk.user.calls(R"({"subtype":"mcp_status"})", 60s);
  EXPECT_THAT(talk.user.interrupts(), ended_with(Errc::too_many_pending, "interrupt"));
  talk.cli.refuses(refused, "no such model");
  EXPECT_THAT(refused, ended_with(Errc::cli_error, "set_model"));
  talk.passes(5s);
  EXPECT_THAT(queued, ended_with(Errc::timeout, "interrupt (req_2_5e1f)"));
  talk.user.stops();
  EXPECT_THAT(waiting, ended_with(Errc::session_stopped, "mcp_status"));
  EXPECT_THAT(talk.user.interrupts(), ended_with(Errc::session_stopped, "interrupt"));

  Conversation failed(not_ready);
  auto early = failed.user.interrupts();
  failed.cli.dies(exit_code{1});
  EXPECT_THAT(early, ended_with(Errc::session_not_initialized, "interrupt"));
}

}  // namespace
}  // namespace claude::core
