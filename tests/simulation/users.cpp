// What users do with a session, and what they check of what they get.
#include "scene.h"

namespace claude::simulation {

using namespace std::chrono_literals;

namespace {

// Meanwhile nobody looks after the session but the loop.
constexpr Duration kThinking[] = {1ms, 20ms, 3s, 40s};

template <class T>
const Error* error_of(const Result<T>& result) {
  return result ? nullptr : &result.error();
}

}  // namespace

void Scene::use() {
  for (std::size_t operations = 2 + world_.decide.below(5); operations > 0; --operations) {
    act();
    if (world_.decide.one_in(3)) world_.sleep(world_.decide.of(kThinking));
  }
  --users_at_work_;
}

// Anything at all. Also called in callbacks.
void Scene::act() {
  if (operations_left_ == 0 || finishing_ || !session_) return;
  --operations_left_;
  world_.event("does something");
  switch (world_.decide.below(16)) {
    default:
      return send();
    case 8:
    case 9:
    case 10:
      return call();
    case 11:
      return read_messages();
    case 12:
      return read_events();
    case 13:
      return subscribe();
    case 14:
      if (kept_replies_.empty()) return;
      std::exchange(kept_replies_, {}).front()();
      return reached(Reached::reply_later);
    case 15:
      if (world_.decide.one_in(2)) return close();
      (void)session_->counts();
      (void)session_->server_info();
      return;
  }
}

// ---- Turns -------------------------------------------------------------------------------------

void Scene::send() {
  bool collects = laws_->is_collecting();  // from its first message on
  auto turn = std::make_shared<Turn>(session_->send("a prompt"));
  TurnRecord& record = laws_->turn(turn->uuid());
  world_.event("sends ", record.uuid);
  if (turn->done()) record.refused = true;
  switch (world_.decide.below(9)) {
    default:
      take_all(*turn, record);
      return ask_result(*turn, record);
    case 2:
      return ask_result(*turn, record);
    case 3:
      call_at_end(*turn, record);
      break;
    case 4:
      call_for_each(*turn, record);
      call_at_end(*turn, record);
      break;
    case 5:
      take_later(turn, record);
      break;
    case 6:
      return drop(std::move(turn), record, collects);
    case 7:
      while (auto message = turn->next(world_.decide.of(kLimits))) {
        laws_->user_got(record, *message);
      }
      reached(turn->done() ? Reached::turn_taken : Reached::turn_left_waiting);
      break;
    case 8:
      // Who waits for another thread in a callback may hold up what that one waits for.
      if (!laws_->in_callback()) return take_together(turn, record);
      break;
  }
  kept_turns_.push_back(std::move(turn));
}

void Scene::take_all(Turn& turn, TurnRecord& record) {
  // Of two who share a turn only one has a message, but both the end.
  auto due = [&] {
    return (record.said > record.got && !record.shared) || record.over || is_over();
  };
  while (auto message = waiting("a message of " + record.uuid + " is there", due,
                                [&] { return turn.next(); })) {
    laws_->user_got(record, *message);
  }
  if (!turn.done()) world_.fail("nothing comes of " + record.uuid + ", which is not over");
  record.ended = true;
}

void Scene::take_together(const std::shared_ptr<Turn>& turn, TurnRecord& record) {
  reached(Reached::turn_shared);
  record.shared = true;
  ++users_at_work_;
  int other = world_.spawn("helper", [this, turn, &record] {
    take_all(*turn, record);
    --users_at_work_;
  });
  take_all(*turn, record);
  world_.wait([&] { return world_.is_done(other); });
  ask_result(*turn, record);
}

void Scene::ask_result(Turn& turn, TurnRecord& record) {
  bool took_all = record.ended;
  auto result = waiting(
      "the end of " + record.uuid + " is there", [&] { return record.over || is_over(); },
      [&] { return turn.result(); });
  laws_->turn_ended(record, error_of(result));
  if (took_all && result && record.got != record.said) {
    world_.fail("a message of " + record.uuid + " was lost");
  }
  record.all_goes = took_all && (result || result.error().code != Errc::mailbox_overflow);
  record.ended = true;
}

// What it holds then, and what comes later, goes to messages().
void Scene::drop(std::shared_ptr<Turn> turn, TurnRecord& record, bool collects) {
  reached(Reached::turn_dropped);
  record.ended = true;
  bool is_called_back = world_.decide.one_in(2);
  if (is_called_back) {
    turn->on_message([this, owned = belonging()](const Message& message) {
      in_callback([&] { laws_->took(message); });
    });
  }
  if (!laws_->in_callback() && world_.decide.one_in(2)) {
    world_.sleep(world_.decide.of(kThinking));
  }
  turn.reset();
  // What came too much for its mailbox is nobody's any more.
  record.all_goes = !laws_->ended && !laws_->mailboxes_overflow;
  record.passed_on = record.all_goes && collects && !is_called_back;
}

void Scene::call_at_end(Turn& turn, TurnRecord& record) {
  auto debt = laws_->is_to_be_called("the end of " + record.uuid + " is there",
                                     [&] { return record.over || is_over(); });
  turn.then([this, &record, debt, owned = belonging()](const Result<TurnResult>& result) {
    in_callback([&] {
      if (++record.told > 1) world_.fail(record.uuid + " ended twice");
      laws_->paid(debt);
      reached(Reached::turn_continued);
      laws_->turn_ended(record, error_of(result));
      record.ended = true;
      if (world_.decide.one_in(4)) act();
    });
  });
}

void Scene::call_for_each(Turn& turn, TurnRecord& record) {
  reached(Reached::turn_called_back);
  turn.on_message([this, &turn, &record, owned = belonging()](const Message& message) {
    in_callback([&] {
      laws_->user_got(record, message);
      // Another one like it takes its place, and what this one owns.
      if (!finishing_) call_for_each(turn, record);
    });
  });
}

void Scene::take_later(const std::shared_ptr<Turn>& turn, TurnRecord& record) {
  auto debt = laws_->is_to_be_called("a message of " + record.uuid + " is there", [&] {
    return record.said > record.got || record.over || is_over();
  });
  auto take = [this, turn, &record, debt,
               owned = belonging()](const std::optional<Message>& message) {
    in_callback([&] {
      laws_->paid(debt);
      reached(Reached::turn_awaited);
      if (message) {
        laws_->user_got(record, *message);
        take_later(turn, record);
      } else {
        record.ended = true;
      }
    });
  };
  turn->next_later(std::move(take));
}

// ---- Streams -----------------------------------------------------------------------------------

void Scene::read_messages() {
  Stream<Message> stream = session_->messages();
  LastNumbers last;
  ++other_readers_;
  while (auto message = stream.next(world_.decide.of(kLimits))) got_stray(last, *message);
  --other_readers_;
}

// On a thread of its own, until the session ends.
void Scene::collect_messages() {
  auto stream = std::make_shared<Stream<Message>>(session_->messages());
  laws_->collecting_begins();
  world_.spawn("collector", [this, stream] {
    LastNumbers last;
    // Another one may have a message in his hands and be held up by a callback.
    auto due = [this] { return (laws_->owes_collector() && other_readers_ == 0) || is_over(); };
    while (auto message =
               waiting("a message of no turn is there", due, [&] { return stream->next(); })) {
      got_stray(last, *message);
    }
    if (stream->error()) return laws_->collecting_failed();
    if (!laws_->ended) world_.fail("messages() ended before the session");
    reached(Reached::messages_collected);
  });
}

// In the order of each prompt: a Turn that is dropped late passes on its messages late, and may
// have had some that name no prompt.
void Scene::got_stray(LastNumbers& last, const Message& message) {
  reached(Reached::stray_message);
  laws_->took(message);
  Mark mark = mark_in(message.raw());
  world_.event("message ", mark.number, ", of no turn");
  if (mark.number == 0 || mark.prompt == kBackground) return;
  std::size_t& before = last[std::string(mark.prompt)];
  if (mark.number <= before) world_.fail("messages() is out of order");
  before = mark.number;
}

void Scene::read_events() {
  Stream<SessionEvent> stream = session_->events();
  auto next = [&] {
    return waiting(
        "the end of the session is there", [&] { return is_over(); },
        [&] { return stream.next(); });
  };
  if (!next()) world_.fail("the session ended without an event");
  if (next()) world_.fail("the session ended twice");
  reached(Reached::end_event);
}

void Scene::subscribe() {
  Stream<MessageOrEvent> stream = session_->subscribe();
  if (world_.decide.one_in(3)) act();
  std::size_t last = 0;
  while (auto item = stream.next(world_.decide.of(kLimits))) {
    auto* message = std::get_if<Message>(&*item);
    if (!message) return reached(Reached::subscriber_saw_the_end);
    std::size_t number = mark_in(message->raw()).number;
    if (number != 0 && last != 0 && number != last + 1)
      world_.fail("a subscriber misses a message");
    if (number != 0) last = number;
    reached(Reached::subscriber_saw_a_message);
  }
}

// ---- The end -----------------------------------------------------------------------------------

void Scene::close() {
  world_.event("closes the session");
  laws_->closing = true;
  // An inline callback that sleeps on the loop's thread holds up what the loop does.
  auto held_up = [this, before = laws_->slept] { return laws_->slept - before; };
  EndStage stage = waiting(
      "the session is closed",
      [this, held_up, since = world_.now()] { return world_.now() > since + kLadder + held_up(); },
      [&] { return session_->close(); });
  reached(stage == EndStage::killed       ? Reached::closed_by_kill
          : stage == EndStage::terminated ? Reached::closed_by_terminate
                                          : Reached::closed_by_end_of_input);
}

}  // namespace claude::simulation
