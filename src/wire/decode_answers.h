// What the CLI answers to our operations, as values.
#pragma once

#include <claude/control.h>

namespace claude::wire {

// Never fails: whatever the CLI acknowledges with is a success, and what this version does not
// find in it stays empty (older CLIs say less). `payload` may be absent. `line` is the memory of
// the line in which it stands; without it, it is copied.
template <class T>
T decode_answer(RawJson payload, Keep line = nullptr);

extern template ServerInfo decode_answer(RawJson, Keep);
extern template InterruptReceipt decode_answer(RawJson, Keep);
extern template PermissionModeSet decode_answer(RawJson, Keep);
extern template ModelSet decode_answer(RawJson, Keep);
extern template RewindResult decode_answer(RawJson, Keep);
extern template McpStatus decode_answer(RawJson, Keep);

}  // namespace claude::wire
