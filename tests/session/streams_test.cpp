// messages(), events(), subscribe(), and the states of a session.
#include <malloc.h>

#include "session/own_transport.h"

namespace claude::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Streams : public SimTest {};

template <class Event>
const Event* only(Stream<SessionEvent>& events, std::optional<SessionEvent>& held) {
  held = events.next();
  EXPECT_FALSE(events.next()) << "one event, then the end";
  return held ? std::get_if<Event>(&*held) : nullptr;
}

// S162
TEST_F(Streams, ACliThatEndsInGoodOrderCompletesTheSession) {
  play(R"({"turns": [{"model": [{"text": "bye"}], "after": [{"exit": 0}]}]})");
  Session session = start();
  Stream<SessionEvent> events = session.events();

  EXPECT_EQ(said(session.send("Hello")), "bye");

  std::optional<SessionEvent> held;
  EXPECT_NE(only<SessionCompleted>(events, held), nullptr);
  EXPECT_EQ(session.state(), SessionState::stopped);
}

TEST_F(Streams, CloseStopsTheSession) {
  Session session = start();
  Stream<SessionEvent> events = session.events();

  session.close();

  std::optional<SessionEvent> held;
  EXPECT_NE(only<SessionStopped>(events, held), nullptr);
  EXPECT_EQ(session.state(), SessionState::stopped);
}

// S21
TEST_F(Streams, AnExitIsAnEventWithItsCode) {
  play(R"({"turns": [{"model": [{"stderr": "out of memory\n"}, {"exit": 3}]}]})");
  Session session = start();
  Stream<SessionEvent> events = session.events();

  Result<TurnResult> result = session.send("Hello").result();

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::exited);
  EXPECT_EQ(result.error().exit_code, 3);
  std::optional<SessionEvent> held;
  const SessionFailed* failed = only<SessionFailed>(events, held);
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->exit_code, 3);
  EXPECT_THAT(failed->error.stderr_tail, HasSubstr("out of memory"));
  EXPECT_EQ(session.state(), SessionState::failed);
}

TEST_F(Streams, ASignalIsNamedInTheError) {
  play(R"({"turns": [{"model": [{"kill": "KILL"}]}]})");
  Session session = start();

  Result<TurnResult> result = session.send("Hello").result();

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::exited);
  EXPECT_EQ(result.error().signal, 9);
}

// S164
TEST_F(Streams, TheEndShowsInTheMessagesAlone) {
  play(R"({"turns": [{"model": [{"text": "bye"}], "after": [{"exit": 0}]}]})");
  Session session = start();
  Stream<Message> messages = session.messages();
  session.send("Hello");

  int results = 0;
  for (const Message& message : messages) {
    results += std::holds_alternative<ResultMessage>(message) ? 1 : 0;
  }
  EXPECT_EQ(results, 1) << "and the loop has ended";
  EXPECT_FALSE(messages.next());
}

// S163
TEST_F(Streams, SubscribeSeesEveryMessageAndTheEvent) {
  play_turn(R"([{"text": "Hi"}])");
  Session session = start();
  Stream<MessageOrEvent> everything = session.subscribe();

  Seen seen = watch(session.send("Hello"));
  session.close();

  std::vector<std::string_view> uuids;
  int events = 0;
  for (const MessageOrEvent& item : everything) {
    if (auto* message = std::get_if<Message>(&item)) {
      EXPECT_EQ(events, 0) << "the event is the last";
      uuids.push_back(message->uuid());
    } else {
      ++events;
      EXPECT_TRUE(std::holds_alternative<SessionStopped>(std::get<SessionEvent>(item)));
    }
  }
  EXPECT_EQ(events, 1);
  for (const Message& message : seen.messages) {
    EXPECT_THAT(uuids, ::testing::Contains(message.uuid()));
  }
}

TEST_F(Streams, OpenedAfterTheEndStillTellIt) {
  Session session = start();
  session.close();

  EXPECT_FALSE(session.messages().next());
  Stream<SessionEvent> events = session.events();
  std::optional<SessionEvent> held;
  EXPECT_NE(only<SessionStopped>(events, held), nullptr);
  Stream<MessageOrEvent> everything = session.subscribe();
  EXPECT_TRUE(everything.next());
  EXPECT_FALSE(everything.next());
}

TEST_F(Streams, MayBeOpenedAgainAndTwice) {
  Session session = start();
  {
    Stream<Message> dropped = session.messages();
  }
  Stream<Message> kept = session.messages();
  {
    Stream<Message> shared = session.messages();
  }
  {
    Turn dropped = session.send("Hello");
  }
  EXPECT_TRUE(kept.next());
}

TEST_F(Streams, LeaveNothingBehindWhenTheyAreDropped) {
  Session session = start();
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 10'000; ++i) {
    session.events();
    session.subscribe();
  }
  EXPECT_LT(mallinfo2().uordblks, before + 1'000'000);
}

TEST_F(Streams, BackgroundWorkGoesToMessages) {
  options.allowed_tools = {"Bash"};
  play_turn(R"([{"tool": "Bash", "input": {"command": "make", "run_in_background": true},
                 "output": "made", "finishes_ms": 1, "then": [{"text": "It is done."}]},
                {"text": "Started."}])");
  Session session = start();
  Stream<Message> messages = session.messages();

  EXPECT_EQ(said(session.send("build it")), "Started.");

  std::string later;
  for (const Message& message : messages) {
    if (auto* assistant = std::get_if<AssistantMessage>(&message)) later += assistant->text();
    if (std::holds_alternative<ResultMessage>(message)) break;
  }
  EXPECT_EQ(later, "It is done.");
}

// S77
TEST_F(Streams, TheStatesOfASessionInTheirOrder) {
  Session session = start();
  EXPECT_EQ(session.state(), SessionState::running);
  session.close();
  EXPECT_THAT(wire->states(), ElementsAre("starting -> initializing", "initializing -> running",
                                          "running -> stopped"));
}

TEST_F(Streams, AConsumerThatLagsTooFarGetsAnErrorAndNoGap) {
  options.limits.mailbox_bytes = 20'000;
  play(R"({"turns": [{"model": [{"flood": 1000}, {"text": "Hi"}]}]})");
  Session session = start();
  Turn slow = session.send("Hello");
  // Whoever waits reads for all; this one takes nothing of the turn.
  Stream<SessionEvent> events = session.events();
  while (!slow.done() && !events.next(std::chrono::milliseconds(1))) {
    if (session.counts().lines_in > 1000) break;
  }

  int before = 0;
  while (slow.next()) ++before;
  Result<TurnResult> result = slow.result();

  EXPECT_GT(before, 0);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::mailbox_overflow);
}

TEST_F(Streams, SayWhyTheyEndBeforeTheSession) {
  options.limits.mailbox_bytes = 20'000;
  play(R"({"turns": [{"model": [{"flood": 1000}, {"text": "Hi"}]}]})");
  Session session = start();
  Stream<MessageOrEvent> slow = session.subscribe();
  Stream<SessionEvent> events = session.events();
  EXPECT_TRUE(session.send("Hello").result());

  while (slow.next()) EXPECT_FALSE(events.error());
  EXPECT_EQ(session.state(), SessionState::running);
  ASSERT_TRUE(slow.error());
  EXPECT_EQ(slow.error()->code, Errc::mailbox_overflow);
}

// Messages of many small values, each of which takes a hundred times its text.
class ManyValues : public OwnTransport {
 protected:
  ManyValues() { options.limits.mailbox_bytes = 1'000'000; }

  void say(Session& session, int messages) {
    const std::vector<WireJson> blocks(1'000, WireJson::object());
    const WireJson content = {{"role", "assistant"}, {"content", blocks}};
    for (int i = 0; i < messages; ++i) {
      Call<ModelSet> behind = session.set_model("opus");
      cli.inject_line({{"type", "assistant"}, {"message", content}});
      cli.answer(cli.next(), {{"model", "claude-opus"}});
      EXPECT_TRUE(behind.get());
    }
  }
  template <class Item>
  static int taken_from(Stream<Item>& stream) {
    int taken = 0;
    while (stream.next(std::chrono::milliseconds(0))) ++taken;
    return taken;
  }
};

TEST_F(ManyValues, CountForEachMailboxTheyWaitIn) {
  Session session = start();
  Stream<Message> messages = session.messages();
  Stream<MessageOrEvent> copies = session.subscribe();

  say(session, 100);

  EXPECT_LT(taken_from(messages), 20);
  ASSERT_TRUE(messages.error());
  EXPECT_EQ(messages.error()->code, Errc::mailbox_overflow);
  EXPECT_LT(taken_from(copies), 20);
  ASSERT_TRUE(copies.error());
  EXPECT_EQ(copies.error()->code, Errc::mailbox_overflow);
}

TEST_F(ManyValues, AreForgottenOnceTheyAreTaken) {
  Session session = start();
  Stream<Message> messages = session.messages();
  for (int round = 0; round < 10; ++round) {
    say(session, 3);
    EXPECT_EQ(taken_from(messages), 3);
  }
  EXPECT_FALSE(messages.error());
}

}  // namespace
}  // namespace claude::test
