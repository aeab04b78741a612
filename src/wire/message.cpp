// The members of messages that are more than data.
#include <claude/message.h>

#include <memory>
#include <utility>

namespace claude {

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
Message::Message(Message&&) noexcept = default;
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
