// Answers by operation; their fields are described in fields_control.h.
#include "wire/decode_answers.h"

#include "wire/decode_part.h"
#include "wire/fields_control.h"

#include <algorithm>

namespace claude::wire {

template <class T>
T decode_answer(RawJson payload, KeptLine line) {
  T answer;
  if (!payload) return answer;
  Block block = line.keep ? Block(std::move(line.keep), payload.text()) : Block(payload.text());
  decode_part(block, answer, line.tokens);
  return answer;
}

template ServerInfo decode_answer(RawJson, KeptLine);
template InterruptReceipt decode_answer(RawJson, KeptLine);
template PermissionModeSet decode_answer(RawJson, KeptLine);
template ModelSet decode_answer(RawJson, KeptLine);
template RewindResult decode_answer(RawJson, KeptLine);
template McpStatus decode_answer(RawJson, KeptLine);

}  // namespace claude::wire

namespace claude {

bool ServerInfo::has(std::string_view capability) const {
  return std::ranges::find(capabilities, capability) != capabilities.end();
}

}  // namespace claude
