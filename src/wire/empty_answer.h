// The answer of an operation that was done and has nothing to tell, read without a parser.
//
// Operations that only change something are mostly answered so, and who waits for one waits for
// this as well. It takes the line exactly as CLI 2.1.325 writes it; anything else is left to the
// general decoder. tests/wire/empty_answer_test.cpp holds the two equal.
#pragma once

#include "base/hot.h"
#include "wire/block.h"
#include "wire/line.h"

namespace claude::wire {

// False, and `out` untouched, unless the line of the block is of that one form.
CLAUDE_EACH_ASK bool decode_empty_answer(const Block& block, Line& out);

}  // namespace claude::wire
