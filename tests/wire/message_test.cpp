// A message as a value: what is moved is what it was.
#include "wire/support.h"

#include <gmock/gmock.h>

#include <memory>
#include <utility>

namespace claude {
namespace {

Message read(std::string_view line) {
  return std::get<Message>(test::decode(line));
}

TEST(Message, IsTheSameWhereverItIsMoved) {
  for (
      std::string_view line :
      {R"({"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}},"session_id":"s","parent_tool_use_id":null,"uuid":"u","new":1})",
       R"({"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]},"uuid":"u"})",
       R"({"type":"of_tomorrow","uuid":"u","new":1})"}) {
    auto first = std::make_unique<Message>(read(line));
    const Message copy = *first;
    Message moved = std::move(*first);
    first.reset();  // nothing of it may be needed any more
    Message assigned = read(R"({"type":"keep","uuid":"other"})");
    assigned = std::move(moved);
    EXPECT_EQ(assigned.index(), copy.index()) << line;
    EXPECT_EQ(assigned.raw(), line);
    EXPECT_EQ(assigned.uuid(), "u");
    EXPECT_EQ(assigned.base().other.size(), copy.base().other.size());
  }
}

TEST(Message, OfTextIsMovedWithAllOfItsText) {
  Message moved = read(
      R"({"type":"stream_event","event":{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"h\u00e9"}},"session_id":"s","parent_tool_use_id":"p","uuid":"u","api_message_id":"m"})");
  const Message last = std::move(moved);
  const auto& event = std::get<StreamEvent>(last);
  EXPECT_EQ(event.text(), "h\u00e9");
  EXPECT_EQ(std::get<ContentBlockDelta>(event.event).index, 2);
  EXPECT_EQ(event.parent_tool_use_id, Text("p"));
  EXPECT_EQ(event.api_message_id, Text("m"));
}

TEST(Message, ThatAnExceptionHasEmptiedCanBeMoved) {
  struct Throws {
    operator UserMessage() const { throw 1; }
  };
  Message message;
  EXPECT_THROW(message.emplace<UserMessage>(Throws()), int);
  ASSERT_TRUE(message.valueless_by_exception());
  const Message moved = std::move(message);
  EXPECT_EQ(moved.raw(), "");
}

}  // namespace
}  // namespace claude
