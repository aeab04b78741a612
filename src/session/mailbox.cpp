// What waits for its consumer, within its budget.
#include "session/mailbox.h"

namespace claude {
namespace {

std::size_t size_of(const Message& message) {
  const MessageBase& base = message.base();
  return sizeof(MessageOrEvent) + base.raw.size() + base.list_bytes;
}
std::size_t size_of(const SessionEvent&) {
  return sizeof(MessageOrEvent);
}
std::size_t size_of(const MessageOrEvent& item) {
  return std::visit([](const auto& each) { return size_of(each); }, item);
}

}  // namespace

void Mailbox::put(Message&& message) {
  if (hands && !*hands && !first_) {
    hands->emplace(std::move(message));
    return;
  }
  put_item(std::move(message));
}

void Mailbox::put(SessionEvent event) {
  put_item(std::move(event));
}

template <class Item>
void Mailbox::put_item(Item&& item) {
  if (!wanted_ || overflow_) return;
  if (!first_) {
    first_.emplace(std::forward<Item>(item));
    return;
  }
  const std::size_t bytes = size_of(item);
  if (bytes_ + bytes > budget_bytes_) {
    overflow_ = Error{.code = Errc::mailbox_overflow,
                      .message = "More than " + std::to_string(budget_bytes_) +
                                 " bytes of messages wait for their consumer",
                      .where = "Limits::mailbox_bytes",
                      .advice = "Take messages faster, or allow more."};
    closed_ = true;
    return;
  }
  bytes_ += bytes;
  rest_.emplace_back(std::forward<Item>(item));
}

std::optional<MessageOrEvent> Mailbox::take() {
  std::optional<MessageOrEvent> item = std::move(first_);
  if (item && lost_result) --*lost_result;
  refill();
  return item;
}

void Mailbox::take_message(std::optional<Message>& into) {
  if (!first_) return;
  into.emplace(std::move(std::get<Message>(*first_)));
  refill();
}

void Mailbox::refill() {
  first_.reset();
  if (rest_.empty()) return;
  bytes_ -= size_of(rest_.front());
  first_ = std::move(rest_.front());
  rest_.pop_front();
}

void Mailbox::discard() {
  wanted_ = false;
  first_.reset();
  rest_.clear();
  bytes_ = 0;
}

}  // namespace claude
