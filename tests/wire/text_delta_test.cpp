// The short cut for text deltas against the general decoder: never a different message.
#include "wire/text_delta.h"

#include <gmock/gmock.h>

#include "wire/block.h"
#include "wire/changed.h"
#include "wire/line.h"

#include <random>
#include <string>

namespace claude::wire {
namespace {

const std::string kLine =
    R"({"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":)"
    R"({"type":"text_delta","text":"one \"two\"\n\u00e9"}},"session_id":"0b6f","parent_tool_use_id":null,)"
    R"("uuid":"5a00","api_message_id":"msg_01"})";

// The same line, with a blank at its end: not for the short cut.
StreamEvent in_the_general_way(const std::string& line) {
  Line decoded = decode_line(line + " ");
  auto* message = std::get_if<Message>(&decoded);
  auto* event = message ? std::get_if<StreamEvent>(message) : nullptr;
  return event ? *event : StreamEvent{};
}

TEST(TextDelta, IsReadAsTheGeneralDecoderReadsIt) {
  Block block(kLine);
  StreamEvent event;
  ASSERT_TRUE(decode_text_delta(block.text, block.arena, event));
  StreamEvent general = in_the_general_way(kLine);
  EXPECT_EQ(event.text(), "one \"two\"\n\u00e9");
  EXPECT_EQ(event.text(), general.text());
  EXPECT_EQ(event.uuid, general.uuid);
  EXPECT_EQ(event.session_id, general.session_id);
  EXPECT_EQ(event.api_message_id, general.api_message_id);
  EXPECT_TRUE(event.parent_tool_use_id.is_null());
  EXPECT_TRUE(general.parent_tool_use_id.is_null());
}

// Whatever a line has been turned into: the short cut either leaves it alone or reads the same.
TEST(TextDelta, NeverReadsAChangedLineDifferently) {
  std::mt19937 random(7);
  int taken = 0;
  for (int round = 0; round < 50'000; ++round) {
    const std::string line = test::changed_somewhere(kLine, random);
    Block block(line);
    StreamEvent event;
    if (!decode_text_delta(block.text, block.arena, event)) continue;
    ++taken;
    StreamEvent general = in_the_general_way(line);
    ASSERT_EQ(event.text(), general.text()) << line;
    ASSERT_EQ(event.uuid, general.uuid) << line;
    ASSERT_EQ(event.session_id, general.session_id) << line;
    ASSERT_EQ(event.api_message_id, general.api_message_id) << line;
    ASSERT_EQ(event.parent_tool_use_id, general.parent_tool_use_id) << line;
    ASSERT_EQ(std::get<ContentBlockDelta>(event.event).index,
              std::get<ContentBlockDelta>(general.event).index)
        << line;
  }
  EXPECT_GT(taken, 1'000);
}

}  // namespace
}  // namespace claude::wire
