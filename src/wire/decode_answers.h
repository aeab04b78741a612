// What the CLI answers to our operations, as values.
#pragma once

#include <claude/control.h>

namespace claude::wire {

// Never fails: whatever the CLI acknowledges with is a success, and what this version does not
// find in it stays empty (older CLIs say less). `payload` may be absent; it is copied.
template <class T>
T decode_answer(RawJson payload);

extern template ServerInfo decode_answer(RawJson);
extern template InterruptReceipt decode_answer(RawJson);
extern template PermissionModeSet decode_answer(RawJson);
extern template ModelSet decode_answer(RawJson);
extern template RewindResult decode_answer(RawJson);
extern template McpStatus decode_answer(RawJson);

}  // namespace claude::wire
