// What a message costs on its way through the engine.
#include "core/allocations.h"
#include "core/conversation.h"

namespace claude::core {
namespace {

TEST(Cost, AStreamedMessageTakesOneAllocation) {
  const std::string delta =
      R"({"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"wo\nrd"}},"session_id":"s","parent_tool_use_id":null,"uuid":"u"})"
      "\n";
  Conversation talk;
  talk.user.sends("hello");
  talk.cli.sends_bytes(delta);  // what is allocated once is allocated now
  std::size_t messages = 0;
  Event event;
  for (int i = 0; i < 100; ++i) talk.engine().feed(delta);

  const std::size_t before = allocations();
  while (talk.engine().next(event, talk.now())) {
    messages += std::holds_alternative<MessageArrived>(event);
  }

  EXPECT_EQ(messages, 100u);
  EXPECT_EQ(allocations() - before, 100u);
}

int asked_for_the_time = 0;

TEST(Cost, OnlyALineThatNeedsTheTimeAsksForIt) {
  Conversation talk;
  TimePoint (*const time)() = [] { return ++asked_for_the_time, TimePoint(); };
  Event event;
  talk.engine().feed(assistant("hello") + "\n");
  while (talk.engine().next(event, time)) {
  }
  EXPECT_EQ(asked_for_the_time, 0);
  talk.engine().feed(hook_callback("h1") + "\n");
  ASSERT_TRUE(talk.engine().next(event, time));
  EXPECT_TRUE(std::holds_alternative<Asked>(event));
  EXPECT_EQ(asked_for_the_time, 1);
}

// The cost of a prompt is linear in its size, however little of it is read at a time.
TEST(Cost, APromptThatIsReadInSmallPiecesIsSeldomMoved) {
  constexpr std::size_t kPieces = 1000, kPieceBytes = 100;
  Conversation talk;
  talk.cli.reads(false);
  talk.user.sends(std::string(kPieces * kPieceBytes, 'x'));
  const std::string prompt(talk.engine().output());
  std::string heard;
  int moves = 0;
  while (!talk.engine().output().empty()) {
    const std::string_view piece = talk.engine().output().substr(0, kPieceBytes);
    const char* const behind = piece.data() + piece.size();
    heard += piece;
    talk.engine().written(piece.size());
    moves += talk.engine().output().data() != behind;
  }
  EXPECT_EQ(heard, prompt);
  EXPECT_LE(moves, 12);  // each halves what is left
}

}  // namespace
}  // namespace claude::core
