// See support.h: what takes long to compile.
#include "wire/support.h"

#include "wire/fields_message.h"

namespace claude::test {

Oracle oracle(const Message& message) {
  return std::visit([](const auto& value) { return oracle(value); },
                    static_cast<const MessageVariant&>(message));
}

}  // namespace claude::test
