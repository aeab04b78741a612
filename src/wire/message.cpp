// The members of messages that are more than data.
#include <claude/message.h>

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
Message& Message::operator=(const Message&) = default;
Message& Message::operator=(Message&&) noexcept = default;
Message::~Message() = default;

const MessageBase& Message::base() const {
  return *std::visit([](const MessageBase& base) { return &base; },
                     static_cast<const MessageVariant&>(*this));
}

}  // namespace claude
