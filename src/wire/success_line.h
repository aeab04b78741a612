// The answer of an operation that was done, its frame read without a parser.
//
// Somebody waits for it. It takes the line exactly as CLI 2.1.325 writes it; anything else is left
// to the general decoder. tests/wire/success_line_test.cpp holds the two equal.
#pragma once

#include "base/hot.h"
#include "wire/block.h"
#include "wire/line.h"

namespace claude::wire {

// False, and `out` untouched, unless the line of the block is of that one form.
CLAUDE_EACH_ASK bool decode_success_line(const Block& block, Line& out);

}  // namespace claude::wire
