// Answers by operation; their fields are described in fields_control.h.
#include "wire/decode_answers.h"

#include "wire/decode_part.h"
#include "wire/fields_control.h"

#include <algorithm>

namespace claude::wire {

template <class T>
T decode_answer(RawJson payload) {
  T answer;
  if (!payload) return answer;
  Block block(payload.text());
  decode_part(block, answer);
  return answer;
}

template ServerInfo decode_answer(RawJson);
template InterruptReceipt decode_answer(RawJson);
template PermissionModeSet decode_answer(RawJson);
template ModelSet decode_answer(RawJson);
template RewindResult decode_answer(RawJson);
template McpStatus decode_answer(RawJson);

}  // namespace claude::wire

namespace claude {

bool ServerInfo::has(std::string_view capability) const {
  return std::ranges::find(capabilities, capability) != capabilities.end();
}

}  // namespace claude
