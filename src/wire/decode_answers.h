// What the CLI answers to our operations, as values.
#pragma once

#include <claude/control.h>

#include "wire/kept_line.h"

namespace claude::wire {

// Never fails: whatever the CLI acknowledges with is a success, and what this version does not
// find in it stays empty (older CLIs say less). `payload` may be absent. `line` is where it
// stands; without it, it is copied.
template <class T>
T decode_answer(RawJson payload, KeptLine line = {});

extern template ServerInfo decode_answer(RawJson, KeptLine);
extern template InterruptReceipt decode_answer(RawJson, KeptLine);
extern template PermissionModeSet decode_answer(RawJson, KeptLine);
extern template ModelSet decode_answer(RawJson, KeptLine);
extern template RewindResult decode_answer(RawJson, KeptLine);
extern template McpStatus decode_answer(RawJson, KeptLine);

}  // namespace claude::wire
