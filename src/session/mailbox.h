// Where what arrives waits for its consumer: of a Turn, or of a Stream.
//
// Guarded by the mutex of its session. It has a budget of bytes: a consumer that lags too far
// behind gets an error in place of the rest, never a silent gap.
#pragma once

#include <claude/session.h>

#include "core/events.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace claude {

class Mailbox {
 public:
  Mailbox(std::shared_ptr<LiveSession> session, std::size_t budget_bytes)
      : session_(std::move(session)), budget_bytes_(budget_bytes) {}

  LiveSession& session() const { return *session_; }

  // The item is moved from.
  [[gnu::hot]] void put(Message&& message);
  void put(SessionEvent event);
  std::optional<MessageOrEvent> take();
  // Of a mailbox that holds messages only: to `into`, if there is one.
  [[gnu::hot]] void take_message(std::optional<Message>& into);
  // No more will come.
  void close() { closed_ = true; }
  // Nobody wants the rest.
  void discard();

  bool has_item() const { return first_.has_value(); }
  bool over() const { return closed_ && !first_; }
  bool closed() const { return closed_; }
  bool has_calls() const { return !next_waiters.empty() || on_item; }
  bool wanted() const { return wanted_; }
  const std::optional<Error>& overflow() const { return overflow_; }

  // Of a turn.
  std::string uuid;
  std::optional<core::TurnEnded> ended;
  // Of all messages: behind so many of those that lie here a turn that nobody prompted has ended
  // unseen.
  std::optional<std::size_t> lost_result;
  std::size_t size() const { return (first_ ? 1 : 0) + rest_.size(); }

 private:
  // The first waits outside the queue: a consumer that keeps up costs no allocation.
  std::optional<MessageOrEvent> first_;

  // From here on lies together what each message looks at.
 public:
  // A consumer that waits right now gets the next message straight into his hands.
  std::optional<Message>* hands = nullptr;

  // What to call instead of waiting: each once with the next item (or none), for each item, at the
  // end.
  std::vector<std::function<void(std::optional<MessageOrEvent>)>> next_waiters;
  using OnItem = std::function<void(const MessageOrEvent&)>;
  std::shared_ptr<const OnItem> on_item;  // a call under way has its share: it may be replaced
  std::vector<std::function<void(const Mailbox&)>> on_end;  // hold no share of it: they are its own
  bool delivering = false;  // items are being handed to on_item, one at a time

 private:
  template <class Item>
  void put_item(Item&& item);
  void refill();

  std::shared_ptr<LiveSession> session_;
  bool closed_ = false;
  bool wanted_ = true;
  std::size_t budget_bytes_;
  std::size_t bytes_ = 0;
  std::deque<MessageOrEvent> rest_;
  std::optional<Error> overflow_;
};

}  // namespace claude
