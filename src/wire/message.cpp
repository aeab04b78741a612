// The members of messages that are more than data.
#include <claude/message.h>

#include <memory>
#include <utility>

namespace claude {
namespace {

// Makes a StreamEvent in its place: of the message's, if it is one.
struct MovedFrom {
  Message& message;
  operator StreamEvent() const {
    auto* event = std::get_if<StreamEvent>(&message);
    return event ? StreamEvent(std::move(*event)) : StreamEvent();
  }
};

}  // namespace

std::string Content::text() const {
  if (plain) return std::string(*plain);
  std::string all;
  for (const ContentBlock& block : blocks) {
    if (auto* text = std::get_if<TextBlock>(&block)) all += text->text;
  }
  return all;
}

Message::Message() = default;
Message::Message(const Message&) = default;
// Text that streams, of which there is most, is moved right here: what a variant of so many types
// does through its tables lies elsewhere in memory, and is cold when a message comes after a pause.
Message::Message(Message&& other) noexcept
    : MessageVariant(std::in_place_type<StreamEvent>, MovedFrom{other}) {
  if (other.index() == index() || other.valueless_by_exception()) return;
  std::visit([&]<class T>(T& from) { emplace<T>(std::move(from)); },
             static_cast<MessageVariant&>(other));
}
// By making it anew: to assign within each of so many types would be 50 KB of code.
Message& Message::operator=(const Message& other) {
  return *this = Message(other);
}
Message& Message::operator=(Message&& other) noexcept {
  if (this == &other) return *this;
  std::destroy_at(this);
  return *std::construct_at(this, std::move(other));
}
Message::~Message() = default;

const MessageBase& Message::base() const {
  return *std::visit([](const MessageBase& base) { return &base; },
                     static_cast<const MessageVariant&>(*this));
}

}  // namespace claude
