// The line that asks a PreToolUse hook, read without a walk over names.
//
// It is the CLI's most frequent question, and it stands between the model and its tool. Most of
// what it costs is the general decoder looking for what stands in the same place every time. This
// takes the line exactly as CLI 2.1.325 writes it; anything else is left to the general decoder.
// tests/wire/hook_line_test.cpp holds the two equal.
#pragma once

#include "base/hot.h"
#include "wire/block.h"
#include "wire/line.h"

namespace claude::wire {

// False unless the line of the block is of that one form and good to its last byte; then `out` is a
// ControlRequest, and its event is decoded as well. What is in it otherwise means nothing.
CLAUDE_EACH_ASK bool decode_hook_line(const Block& block, Line& out);

}  // namespace claude::wire
