#include "session/mailbox.h"

namespace claude {
namespace {

std::size_t size_of(const MessageOrEvent& item) {
  auto* message = std::get_if<Message>(&item);
  return sizeof(item) + (message ? message->raw().size() : 0);
}

}  // namespace

void Mailbox::put(MessageOrEvent item) {
  if (!wanted_ || overflow_) return;
  if (!first_) {
    first_ = std::move(item);
    return;
  }
  std::size_t size = size_of(item);
  if (bytes_ + size > budget_bytes_) {
    overflow_ = Error{.code = Errc::mailbox_overflow,
                      .message = "More than " + std::to_string(budget_bytes_) +
                                 " bytes of messages wait for their consumer",
                      .where = "Limits::mailbox_bytes",
                      .advice = "Take messages faster, or allow more."};
    closed_ = true;
    return;
  }
  bytes_ += size;
  rest_.push_back(std::move(item));
}

std::optional<MessageOrEvent> Mailbox::take() {
  std::optional<MessageOrEvent> item = std::move(first_);
  first_.reset();
  if (!rest_.empty()) {
    bytes_ -= size_of(rest_.front());
    first_ = std::move(rest_.front());
    rest_.pop_front();
  }
  return item;
}

void Mailbox::discard() {
  wanted_ = false;
  first_.reset();
  rest_.clear();
  bytes_ = 0;
}

}  // namespace claude
