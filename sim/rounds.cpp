// As seen on CLI 2.1.325.
#include "rounds.h"

namespace claude::sim {

void Rounds::add(const Json& row) {
  if (text_of(row, "subtype") == "compact_boundary") {
    last_ = kept();
    count_ = last_.empty() ? 0 : 1;
    message_.clear();
    return;
  }
  const std::string message = text_of(member(row, "message"), "id");
  if (!message.empty() && message != message_) {
    message_ = message;
    last_.clear();
    ++count_;
  }
  last_.push_back(text_of(row, "uuid"));
}

}  // namespace claude::sim
