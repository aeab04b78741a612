// The two lines that stand between the model and its tool, read without a walk over names: the
// question to a PreToolUse hook, and that for a permission.
//
// Most of what they cost is the general decoder looking for what stands in the same place every
// time, and the fetching of its code. This takes the lines exactly as CLI 2.1.325 writes them;
// anything else is left to the general decoder. tests/wire/ask_line_test.cpp holds the two equal.
#pragma once

#include "base/hot.h"
#include "wire/block.h"
#include "wire/line.h"

namespace claude::wire {

// False unless the line of the block is of one of these forms and good to its last byte; then `out`
// is a ControlRequest, and the event of a hook is decoded as well. What is in it otherwise means
// nothing.
CLAUDE_EACH_ASK bool decode_ask_line(const Block& block, Line& out);

}  // namespace claude::wire
