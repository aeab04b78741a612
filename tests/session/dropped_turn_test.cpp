// What becomes of the messages of a Turn that nobody holds any more.
#include <unistd.h>

#include <future>
#include <thread>

#include "session/own_transport.h"
#include "session/thread_state.h"

namespace claude::test {
namespace {

class DroppedTurn : public OwnTransport {
 protected:
  // The prompt's first message has been read: it waits in the Turn.
  std::optional<Turn> with_a_message(Session& session) {
    std::optional<Turn> turn = session.send("Hello");
    cli.next();
    Call<ModelSet> call = session.set_model("opus");
    cli.inject_line(assistant("early"));
    cli.answer(cli.next(), {{"model", "claude-opus"}});
    EXPECT_TRUE(call.get());
    return turn;
  }
};

// S161
TEST_F(DroppedTurn, LeavesToMessagesWhatCameBefore) {
  Session session = start();
  Stream<Message> messages = session.messages();
  std::optional<Turn> turn = with_a_message(session);

  turn.reset();
  cli.inject_line(assistant("late"));

  std::vector<std::string> texts;
  for (int i = 0; i < 2; ++i) texts.push_back(std::get<AssistantMessage>(*messages.next()).text());
  EXPECT_THAT(texts, ::testing::ElementsAre("early", "late"));
}

TEST_F(DroppedTurn, CallsWhoeverAskedForTheNextMessage) {
  Session session = start();
  Stream<Message> messages = session.messages();
  std::optional<Turn> turn = with_a_message(session);
  std::promise<bool> told;
  messages.next_later([&](std::optional<Message> message) { told.set_value(message.has_value()); });

  turn.reset();

  EXPECT_TRUE(told.get_future().get());
}

TEST_F(DroppedTurn, WakesWhoeverWaitsForMessages) {
  Session session = start();
  Stream<Message> messages = session.messages();
  std::optional<Turn> turn = with_a_message(session);
  std::promise<pid_t> waits;
  auto waiting = std::async(std::launch::async, [&] {
    waits.set_value(::gettid());
    return messages.next();
  });
  const pid_t waiter = waits.get_future().get();
  wait_until_asleep(waiter);

  turn.reset();

  EXPECT_TRUE(waiting.get());
}

}  // namespace
}  // namespace claude::test
