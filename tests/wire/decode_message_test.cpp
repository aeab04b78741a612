// Lines that are messages.
#include "wire/support.h"

#include <gmock/gmock.h>

namespace claude {
namespace {

using test::decode;
using test::decode_as;
using test::paths;
using testing::ElementsAre;

template <class T>
bool is(std::string_view type, std::string_view subtype = {}) {
  std::string line = R"({"type":")" + std::string(type) + "\"";
  if (!subtype.empty()) line += R"(,"subtype":")" + std::string(subtype) + "\"";
  const wire::Line decoded = decode(line + R"(,"uuid":"u","session_id":"s"})");
  auto* message = std::get_if<Message>(&decoded);
  return message != nullptr && std::holds_alternative<T>(*message) && message->uuid() == "u" &&
         message->session_id() == "s";
}

// S34 S47 S48
TEST(DecodeMessage, EachTypeHasItsStruct) {
  EXPECT_TRUE(is<AssistantMessage>("assistant"));
  EXPECT_TRUE(is<UserMessage>("user"));
  EXPECT_TRUE(is<ResultMessage>("result", "success"));
  EXPECT_TRUE(is<StreamEvent>("stream_event"));
  EXPECT_TRUE(is<SystemInit>("system", "init"));
  EXPECT_TRUE(is<StatusMessage>("system", "status"));
  EXPECT_TRUE(is<ApiRetry>("system", "api_retry"));
  EXPECT_TRUE(is<CompactBoundary>("system", "compact_boundary"));
  EXPECT_TRUE(is<PermissionDenied>("system", "permission_denied"));
  EXPECT_TRUE(is<Informational>("system", "informational"));
  EXPECT_TRUE(is<Notification>("system", "notification"));
  EXPECT_TRUE(is<HookEvent>("system", "hook_started"));
  EXPECT_TRUE(is<HookEvent>("system", "hook_progress"));
  EXPECT_TRUE(is<HookEvent>("system", "hook_response"));
  EXPECT_TRUE(is<TaskStarted>("system", "task_started"));
  EXPECT_TRUE(is<TaskProgress>("system", "task_progress"));
  EXPECT_TRUE(is<TaskUpdated>("system", "task_updated"));
  EXPECT_TRUE(is<TaskNotification>("system", "task_notification"));
  EXPECT_TRUE(is<BackgroundTasks>("system", "background_tasks_changed"));
  EXPECT_TRUE(is<ThinkingTokens>("system", "thinking_tokens"));
  EXPECT_TRUE(is<SessionStateChanged>("system", "session_state_changed"));
  EXPECT_TRUE(is<SessionTitleChanged>("system", "session_title_changed"));
  EXPECT_TRUE(is<ControlRequestProgress>("system", "control_request_progress"));
  EXPECT_TRUE(is<ToolProgress>("tool_progress"));
  EXPECT_TRUE(is<CommandLifecycle>("command_lifecycle"));
  EXPECT_TRUE(is<ConversationReset>("conversation_reset"));
  EXPECT_TRUE(is<PromptSuggestion>("prompt_suggestion"));
  EXPECT_TRUE(is<TranscriptMirror>("transcript_mirror"));
  EXPECT_TRUE(is<RateLimit>("rate_limit_event"));
  EXPECT_TRUE(is<AuthStatus>("auth_status"));
  EXPECT_TRUE(is<ToolUseSummary>("tool_use_summary"));
  EXPECT_TRUE(is<ErrorMessage>("error"));
  EXPECT_TRUE(is<UnknownMessage>("system", "dreaming"));
  EXPECT_TRUE(is<UnknownMessage>("dream"));
  EXPECT_TRUE(is<UnknownMessage>(""));
  EXPECT_TRUE(std::holds_alternative<wire::KeepAlive>(decode(R"({"type":"keep_alive"})")));
}

// S52
TEST(DecodeMessage, ReadsAnAssistantMessage) {
  const auto message = decode_as<AssistantMessage>(
      R"({"type":"assistant","message":{"model":"claude-opus-4","id":"msg_1","type":"message",)"
      R"("role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},)"
      R"({"type":"text","text":"Hello "},{"type":"text","text":"there"},)"
      R"({"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls"}}],)"
      R"("stop_reason":"end_turn","usage":{"input_tokens":12,"output_tokens":3}},)"
      R"("parent_tool_use_id":null,"session_id":"s1","uuid":"u1"})");

  EXPECT_EQ(message.text(), "Hello there");
  EXPECT_EQ(message.message.model, "claude-opus-4");
  EXPECT_EQ(message.message.id, "msg_1");
  EXPECT_EQ(message.message.role, "assistant");
  EXPECT_EQ(message.message.stop_reason, Text("end_turn"));
  EXPECT_EQ(message.message.usage->input_tokens, Field<std::int64_t>(12));
  EXPECT_EQ(message.session_id, "s1");
  EXPECT_EQ(message.uuid, "u1");
  EXPECT_TRUE(message.parent_tool_use_id.is_null());
  EXPECT_TRUE(message.error.is_absent());
  const auto& blocks = message.message.content.blocks;
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(std::get<ThinkingBlock>(blocks[0]).signature, Text("sig"));
  EXPECT_EQ(std::get<ToolUseBlock>(blocks[3]).input["command"].text(), "ls");
}

// S53
TEST(DecodeMessage, ReadsADeltaInsideAnAssistantMessage) {
  const auto event = decode_as<StreamEvent>(
      R"({"type":"assistant","delta":{"type":"content_block_delta","index":0,)"
      R"("delta":{"type":"text_delta","text":"Hel\n"}},"session_id":"s","new":1})");
  EXPECT_EQ(event.text(), "Hel\n");
  EXPECT_EQ(event.session_id, "s");
  EXPECT_EQ(paths(event.other), "new");
}

TEST(DecodeMessage, ReadsTheEventsOfAStream) {
  const auto event = [](std::string_view json) {
    return decode_as<StreamEvent>(R"({"type":"stream_event","event":)" + std::string(json) + "}");
  };
  EXPECT_EQ(event(R"({"type":"content_block_delta","index":2,)"
                  R"("delta":{"type":"text_delta","text":"\u00e9"}})")
                .text(),
            "é");
  const auto start =
      event(R"({"type":"message_start","message":{"id":"m","content":[],"usage":{}}})");
  EXPECT_EQ(std::get<MessageStart>(start.event).message.id, "m");
  const auto block =
      event(R"({"type":"content_block_start","index":1,)"
            R"("content_block":{"type":"tool_use","id":"t","name":"Bash","input":{}}})");
  EXPECT_EQ(std::get<ToolUseBlock>(std::get<ContentBlockStart>(block.event).content_block).id, "t");
  const auto json = event(R"({"index":1,"delta":{"partial_json":"{\"a","type":"input_json_delta"},)"
                          R"("type":"content_block_delta"})");
  EXPECT_EQ(std::get<InputJsonDelta>(std::get<ContentBlockDelta>(json.event).delta).partial_json,
            "{\"a");
  const auto end = event(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},)"
                         R"("usage":{"output_tokens":9}})");
  EXPECT_EQ(std::get<MessageDelta>(end.event).delta.stop_reason, Text("end_turn"));
  EXPECT_EQ(std::get<MessageDelta>(end.event).usage->output_tokens, Field<std::int64_t>(9));
  EXPECT_TRUE(std::holds_alternative<MessageStop>(event(R"({"type":"message_stop"})").event));
}

// S55
TEST(DecodeMessage, ReadsToolResults) {
  const auto message = decode_as<UserMessage>(
      R"({"type":"user","message":{"role":"user","content":[)"
      R"({"tool_use_id":"t1","type":"tool_result","content":"done","is_error":false},)"
      R"({"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"a"},)"
      R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]}]},)"
      R"("tool_use_result":{"stdout":"done"}})");
  const auto& blocks = message.message.content.blocks;
  ASSERT_EQ(blocks.size(), 2u);
  const auto& first = std::get<ToolResultBlock>(blocks[0]);
  EXPECT_EQ(first.tool_use_id, "t1");
  EXPECT_EQ(first.content->text(), "done");
  EXPECT_EQ(first.is_error, Field<bool>(false));
  const auto& second = std::get<ToolResultBlock>(blocks[1]);
  EXPECT_EQ(second.content->text(), "a");
  EXPECT_EQ(std::get<ImageBlock>(second.content->blocks[1]).source.data, Text("AA=="));
  EXPECT_EQ(message.tool_use_result["stdout"].text(), "done");
}

// S54 S58
TEST(DecodeMessage, ReadsTheEchoOfAPrompt) {
  const auto message = decode_as<UserMessage>(
      R"({"type":"user","message":{"role":"user","content":"hi"},"uuid":"4f","isReplay":true})");
  EXPECT_EQ(message.message.content.text(), "hi");
  EXPECT_EQ(message.uuid, "4f");
  EXPECT_EQ(message.is_replay, Field<bool>(true));
}

// S57
TEST(DecodeMessage, ReadsAResult) {
  const auto result = decode_as<ResultMessage>(
      R"({"duration_api_ms":7,"total_cost_usd":0.25,"permission_denials":[{"tool_name":"Write",)"
      R"("tool_use_id":"t","tool_input":{"file_path":"/x"}}],"modelUsage":{"claude-3.5":)"
      R"({"inputTokens":4,"costUSD":0.1}},"type":"result","subtype":"success","is_error":false,)"
      R"("num_turns":2,"result":"done","duration_ms":1500,"uuid":"u","session_id":"s"})");
  EXPECT_EQ(result.subtype, "success");
  EXPECT_EQ(result.result, Text("done"));
  EXPECT_EQ(result.num_turns, 2);
  EXPECT_EQ(result.total_cost_usd, Field<double>(0.25));
  ASSERT_EQ(result.permission_denials.size(), 1u);
  EXPECT_EQ(result.permission_denials[0].tool_name, "Write");
  EXPECT_EQ(result.permission_denials[0].tool_input["file_path"].text(), "/x");
  ASSERT_EQ(result.model_usage.size(), 1u);
  EXPECT_EQ(result.model_usage[0].first, "claude-3.5");
  EXPECT_EQ(result.model_usage[0].second.cost_usd, Field<double>(0.1));
}

// S56
TEST(DecodeMessage, ReadsAnError) {
  const auto message = decode_as<ErrorMessage>(
      R"({"type":"error","error":{"type":"invalid_request","message":"no"}})");
  EXPECT_EQ(message.error.type, Text("invalid_request"));
  EXPECT_EQ(message.error.message, Text("no"));
}

// F6
TEST(DecodeMessage, KeepsATypeThatItDoesNotKnow) {
  const std::string line =
      R"({"subtype":"deep","a":{"b":[1]},"type":"dream","uuid":"u","session_id":"s"})";
  const auto message = decode_as<UnknownMessage>(line);
  EXPECT_EQ(message.type, "dream");
  EXPECT_EQ(message.subtype, "deep");
  EXPECT_EQ(message.uuid, "u");
  EXPECT_EQ(message.raw, line);
  ASSERT_EQ(message.other.size(), 1u);
  EXPECT_EQ(message.other[0].path, "a");
  EXPECT_EQ(message.other[0].value.text(), R"({"b":[1]})");
  EXPECT_EQ(decode_as<UnknownMessage>(R"({"type":"system","subtype":"new"})").subtype, "new");
}

// S36 F6
TEST(DecodeMessage, KeepsBlocksDeltasEventsAndFieldsThatItDoesNotKnow) {
  const auto message = decode_as<AssistantMessage>(
      R"({"type":"assistant","n":1,"message":{"content":[{"type":"hologram","x":2},)"
      R"({"type":"text","text":"t","m":3}],"usage":{"input_tokens":1,"o":{"p":4}}}})");
  const auto& blocks = message.message.content.blocks;
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(std::get<UnknownBlock>(blocks[0]).type, "hologram");
  EXPECT_EQ(std::get<UnknownBlock>(blocks[0]).raw.text(), R"({"type":"hologram","x":2})");
  EXPECT_EQ(paths(message.other), "n message.content[1].m message.usage.o");
  EXPECT_EQ(message.other[2].name, "o");
  EXPECT_EQ(message.other[2].value["p"].integer(), 4);

  const auto delta = decode_as<StreamEvent>(
      R"({"type":"stream_event","event":{"type":"content_block_delta","index":0,)"
      R"("delta":{"type":"smell_delta","smell":"rose"}}})");
  const auto& unknown = std::get<UnknownDelta>(std::get<ContentBlockDelta>(delta.event).delta);
  EXPECT_EQ(unknown.raw["smell"].text(), "rose");
  const auto event = decode_as<StreamEvent>(R"({"type":"stream_event","event":{"type":"ping"}})");
  EXPECT_EQ(std::get<UnknownEvent>(event.event).type, "ping");
}

// F6
TEST(DecodeMessage, KeepsWordsThatItDoesNotKnow) {
  EXPECT_EQ(
      decode_as<StatusMessage>(R"({"type":"system","subtype":"status","status":"asleep"})").status,
      Text("asleep"));
  EXPECT_EQ(decode_as<ResultMessage>(R"({"type":"result","subtype":"error_new"})").subtype,
            "error_new");
}

// F9
TEST(DecodeMessage, LeavesAFieldOfAnotherTypeEmptyAndKeepsIt) {
  const std::string line =
      R"({"type":"result","subtype":"success","total_cost_usd":null,"usage":"none",)"
      R"("num_turns":"three","is_error":0,"errors":["e",{"f":1},"g"],"session_id":null,"uuid":"u"})";
  const auto result = decode_as<ResultMessage>(line);
  EXPECT_TRUE(result.total_cost_usd.is_null());
  EXPECT_TRUE(result.usage.is_absent());
  EXPECT_EQ(result.num_turns, 0);
  EXPECT_FALSE(result.is_error);
  EXPECT_THAT(result.errors, ElementsAre("e", "g"));
  EXPECT_EQ(result.session_id, "");
  EXPECT_EQ(result.uuid, "u");
  EXPECT_EQ(result.raw, line);
  EXPECT_EQ(paths(result.other), "usage num_turns is_error errors[1] session_id");
  EXPECT_EQ(result.other[1].value.json(), Json("three"));
}

// F9
TEST(DecodeMessage, TakesNullForContentAndIds) {
  const auto empty = decode_as<AssistantMessage>(
      R"({"type":"assistant","message":{"id":null,"content":null,"usage":null}})");
  EXPECT_EQ(empty.text(), "");
  EXPECT_TRUE(empty.message.usage.is_null());
  const auto user = decode_as<UserMessage>(
      R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result",)"
      R"("tool_use_id":null,"content":null,"is_error":"no"},7,null]}})");
  ASSERT_EQ(user.message.content.blocks.size(), 1u);
  const auto& block = std::get<ToolResultBlock>(user.message.content.blocks[0]);
  EXPECT_EQ(block.tool_use_id, "");
  EXPECT_TRUE(block.content.is_null());
  EXPECT_TRUE(block.is_error.is_absent());
  EXPECT_EQ(decode_as<UserMessage>(R"({"type":"user","message":"x"})").message.role, "");
}

TEST(DecodeMessage, TakesNumbersAsTheyFit) {
  const auto result = decode_as<ResultMessage>(
      R"({"type":"result","duration_ms":1.5e3,"num_turns":1.5,"ttft_ms":12,)"
      R"("result_index":99999999999999999999})");
  EXPECT_EQ(result.duration_ms, 1500);
  EXPECT_EQ(result.ttft_ms, Field<double>(12));
  EXPECT_EQ(paths(result.other), "num_turns result_index");
}

TEST(DecodeMessage, ReadsNamesThatAreSpelledWithEscapes) {
  const auto message = decode_as<UserMessage>(
      R"({"\u0074ype":"user","m\u0065ssage":{"role":"user","content":"hi"},"a\tb":{"\"":1}})");
  EXPECT_EQ(message.message.content.text(), "hi");
  EXPECT_EQ(paths(message.other), "a\tb");
  EXPECT_EQ(message.other[0].name, "a\tb");
}

TEST(DecodeMessage, OfTwoMembersWithOneNameTheLastCounts) {
  const auto message = decode_as<AssistantMessage>(
      R"({"type":"assistant","uuid":"1","message":{"id":"a","role":"r","content":"x"},"uuid":"2",)"
      R"("message":{"id":"b","content":[]}})");
  EXPECT_EQ(message.uuid, "2");
  EXPECT_EQ(message.message.id, "b");
  EXPECT_EQ(message.message.role, "");
  EXPECT_EQ(message.text(), "");
}

TEST(DecodeMessage, ReadsTheHalfOfAnEmoji) {
  const auto message = decode_as<UserMessage>(
      R"({"type":"user","message":{"role":"user","content":"cut \ud83d"},"x":"\ud83d"})");
  EXPECT_EQ(message.message.content.text(), "cut \xEF\xBF\xBD");
  EXPECT_EQ(message.other[0].value.json(), Json("\xEF\xBF\xBD"));
}

TEST(DecodeMessage, ACopyKeepsItsMemory) {
  Message copy;
  {
    std::string line = R"({"type":"user","message":{"role":"user","content":"a\"b"},"uuid":"u"})";
    const wire::Line decoded = decode(line);
    line.assign(line.size(), '#');
    copy = std::get<Message>(decoded);
  }
  EXPECT_EQ(std::get<UserMessage>(copy).message.content.text(), "a\"b");
  EXPECT_EQ(copy.uuid(), "u");
  EXPECT_TRUE(copy.raw().starts_with("{\"type\""));
}

std::string nested_results(int levels) {
  std::string line = R"({"type":"user","message":{"role":"user","content":)";
  for (int i = 0; i < levels; ++i) {
    line += R"([{"type":"tool_result","tool_use_id":"t","content":)";
  }
  line += R"("core")";
  for (int i = 0; i < levels; ++i) line += "}]";
  return line + "}}";
}

TEST(DecodeMessage, BoundsHowDeepItGoes) {
  const auto shallow = decode_as<UserMessage>(nested_results(5));
  EXPECT_EQ(paths(shallow.other), "");
  // Deeper content is kept, but no longer typed.
  const auto deep = decode_as<UserMessage>(nested_results(100));
  ASSERT_EQ(deep.other.size(), 1u);
  EXPECT_THAT(deep.other[0].path, testing::StartsWith("message.content[0].content[0].content[0]"));
  EXPECT_THAT(std::string(deep.other[0].value.text()), testing::HasSubstr("core"));
  // What has no end is refused before it takes the stack.
  const wire::Line endless = decode(nested_results(100'000));
  EXPECT_THAT(std::get<wire::BadLine>(endless).problem, testing::HasSubstr("nested too deeply"));
}

std::string empty_blocks(int count) {
  std::string blocks = "[{}";
  for (int i = 1; i < count; ++i) blocks += ",{}";
  return blocks + "]";
}
UserMessage message_of(const std::string& content) {
  return decode_as<UserMessage>(R"({"type":"user","message":{"role":"user","content":)" + content +
                                R"(},"uuid":"u"})");
}

TEST(DecodeMessage, BoundsHowMuchMemoryItsListsTake) {
  const auto small = message_of(empty_blocks(10'000));
  EXPECT_EQ(small.message.content.blocks.size(), 10'000u);
  EXPECT_EQ(paths(small.other), "");
  // A block takes a hundred times the memory of its text. Too many are kept as that.
  const std::string blocks = empty_blocks(500'000);
  const auto huge = message_of(blocks);
  EXPECT_TRUE(huge.message.content.blocks.empty());
  ASSERT_EQ(paths(huge.other), "message.content");
  EXPECT_EQ(huge.other[0].value.text(), blocks);
  EXPECT_EQ(huge.uuid, "u");
  // So are those of the first list that goes too far, and no more.
  const auto nested = message_of(R"([{"type":"tool_result","tool_use_id":"t","content":)" + blocks +
                                 R"(},{"type":"text","text":"behind"}])");
  EXPECT_EQ(paths(nested.other), "message.content[0].content");
  EXPECT_EQ(nested.message.content.text(), "behind");
}

TEST(DecodeMessage, BoundsHowManyUnknownFieldsItLists) {
  constexpr std::size_t kFields = 1'000'000;
  std::string line = R"({"type":"user")";
  for (std::size_t i = 0; i < kFields; ++i) line += R"(,"x":0)";
  const auto message = decode_as<UserMessage>(line + R"(,"uuid":"u"})");
  EXPECT_GT(message.other.size(), 100'000u);
  EXPECT_LT(message.other.size(), kFields);
  EXPECT_EQ(message.uuid, "u");
  EXPECT_GT(message.raw.size(), line.size());
}

// Each of them would have a copy of the name that it stands below.
TEST(DecodeMessage, BoundsHowLongThePathsOfUnknownFieldsAreInAll) {
  constexpr std::size_t kNameBytes = 1'000'000;
  std::string fields = R"("a0":1)";
  for (int i = 1; i < 1'000; ++i) fields += ",\"a" + std::to_string(i) + "\":1";
  const auto result = decode_as<ResultMessage>(R"({"type":"result","modelUsage":{")" +
                                               std::string(kNameBytes, 'k') + "\":{" + fields +
                                               R"(}},"errors":["behind"],"new":1})");
  std::size_t bytes = 0;
  for (const OtherField& field : result.other) bytes += field.path.size();
  EXPECT_GT(bytes, 10 * kNameBytes);
  EXPECT_LT(bytes, 40 * kNameBytes);
  // What takes little is still read.
  EXPECT_THAT(result.errors, ElementsAre("behind"));
  EXPECT_EQ(result.other.back().path, "new");
}

std::string problem(std::string_view line) {
  const wire::Line decoded = decode(line);
  auto* bad = std::get_if<wire::BadLine>(&decoded);
  return bad != nullptr ? bad->problem : "none";
}

// S37 F8
TEST(DecodeMessage, SaysAtWhichByteALineIsBroken) {
  using namespace std::string_literals;
  EXPECT_EQ(problem(R"({"type":"user",})"), "the name of a member is missing at byte 15");
  EXPECT_EQ(problem(R"({"type":"user" "uuid":1})"), "a comma is missing at byte 15");
  EXPECT_EQ(problem(R"({"type":"user","uuid":tru})"), "a value is broken at byte 22");
  EXPECT_EQ(problem(R"({"type":"user","uuid":"\x"})"), "a string has a broken escape at byte 22");
  EXPECT_EQ(problem(R"({"type":"user"}{"type":"user"})"), "more text behind the value at byte 15");
  EXPECT_EQ(problem("{\"type\":\"\xFF\"}"), "it is not UTF-8 at byte 9");
  EXPECT_EQ(problem("{\"type\":\"a\0b\"}"s), "a string holds a raw control character at byte 10");
  EXPECT_EQ(problem("{\"type\":\"user"), "a string has no end at byte 13");
  EXPECT_EQ(problem("   "), "it is empty at byte 0");
  EXPECT_EQ(problem("Error: no"), "the line is no JSON object");
  EXPECT_EQ(problem("[1]"), "the line is no JSON object");
  EXPECT_EQ(problem(R"({"a":1})"), "the line has no type");
  EXPECT_EQ(problem(R"({"type":7,"a":1})"), "the line has no type");
  EXPECT_EQ(problem(R"({"a":[1,})"), "a value is broken at byte 8");
}

}  // namespace
}  // namespace claude
