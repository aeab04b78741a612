// What the CLI answers to our operations.
#include "wire/decode_answers.h"

#include "wire/support.h"

#include <gmock/gmock.h>

namespace claude::wire {
namespace {

using test::paths;
using testing::ElementsAre;
using testing::IsEmpty;

// S144 S69
TEST(Answers, ToInitialize) {
  const auto info = decode_answer<ServerInfo>(RawJson(
      R"({"commands":[{"name":"compact","description":"d","argumentHint":"","aliases":["c"]}],)"
      R"("models":[{"value":"opus","displayName":"Opus","supportedEffortLevels":["low","high"]}],)"
      R"("agents":[{"name":"helper"}],"account":{"apiKeySource":"env"},"pid":7,)"
      R"("claude_code_version":"2.1.325","capabilities":["a\u002fb","c"],"new":1})"));
  EXPECT_EQ(info.claude_code_version, Text("2.1.325"));
  EXPECT_TRUE(info.has("a/b"));
  EXPECT_FALSE(info.has("b"));
  ASSERT_EQ(info.commands.size(), 1u);
  EXPECT_THAT(info.commands[0].aliases, ElementsAre("c"));
  ASSERT_EQ(info.models.size(), 1u);
  EXPECT_THAT(info.models[0].supported_effort_levels, ElementsAre("low", "high"));
  EXPECT_EQ(info.agents[0].name, "helper");
  EXPECT_EQ(info.account->api_key_source, Text("env"));
  EXPECT_EQ(info.pid, Field<std::int64_t>(7));
  EXPECT_EQ(paths(info.other), "new");
  EXPECT_EQ(info.raw["new"].integer(), 1);
}

TEST(Answers, ToOperations) {
  EXPECT_THAT(
      decode_answer<InterruptReceipt>(RawJson(R"({"still_queued":["a","b"],"cancelled":["c"]})"))
          .still_queued,
      ElementsAre("a", "b"));
  EXPECT_EQ(decode_answer<PermissionModeSet>(RawJson(R"({"mode":"plan"})")).mode, Text("plan"));
  EXPECT_EQ(decode_answer<ModelSet>(RawJson(R"({"model":"claude-opus-5-5"})")).model,
            Text("claude-opus-5-5"));
  const auto rewind = decode_answer<RewindResult>(
      RawJson(R"({"canRewind":true,"filesChanged":["/a"],"insertions":1,"deletions":2})"));
  EXPECT_TRUE(rewind.can_rewind);
  EXPECT_THAT(rewind.files_changed, ElementsAre("/a"));
  EXPECT_EQ(rewind.deletions, Field<std::int64_t>(2));
  const auto status = decode_answer<McpStatus>(
      RawJson(R"({"mcpServers":[{"name":"calc","status":"connected","tools":[{"name":"add"}]}]})"));
  ASSERT_EQ(status.servers.size(), 1u);
  EXPECT_EQ(status.servers[0].status, "connected");
  EXPECT_EQ(status.servers[0].tools[0].name, "add");
}

// S42 S70
TEST(Answers, MayLackAnythingOrBeSomethingElse) {
  const auto nothing = decode_answer<ServerInfo>(RawJson());
  EXPECT_TRUE(nothing.claude_code_version.is_absent());
  EXPECT_THAT(nothing.capabilities, IsEmpty());
  EXPECT_FALSE(nothing.raw);
  const auto odd = decode_answer<ServerInfo>(
      RawJson(R"({"commands":"none","capabilities":{"hooks":true},"models":[1]})"));
  EXPECT_THAT(odd.commands, IsEmpty());
  EXPECT_THAT(odd.capabilities, IsEmpty());
  EXPECT_EQ(paths(odd.other), "commands capabilities models[0]");
  const auto list = decode_answer<InterruptReceipt>(RawJson("[1,2]"));
  EXPECT_THAT(list.still_queued, IsEmpty());
  EXPECT_EQ(list.raw.json().size(), 2u);
}

TEST(Answers, LiveWithoutTheLineTheyCameIn) {
  std::string payload = R"({"model":"a\nb"})";
  const auto set = decode_answer<ModelSet>(RawJson(payload));
  payload.assign(payload.size(), '#');
  EXPECT_EQ(set.model, Text("a\nb"));
  EXPECT_EQ(set.raw.text(), R"({"model":"a\nb"})");
}

}  // namespace
}  // namespace claude::wire
