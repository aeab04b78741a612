// The one line that streaming is made of, read without a parser.
//
// An answer arrives as thousands of lines that differ only in a few words of text and a uuid. Read
// in the general way such a line costs some 4,900 instructions, this way some 700 (callgrind). It
// takes the line exactly as CLI 2.1.325 writes it, in plain ASCII; anything else, be it one blank
// more, is left to the general decoder. tests/wire/text_delta_test.cpp holds the two equal.
#pragma once

#include <claude/message.h>

#include "json/reader.h"

namespace claude::wire {

// False, and `out` untouched, unless the line is of that one form.
[[gnu::hot]] bool decode_text_delta(std::string_view line, json::Arena& arena, StreamEvent& out);

}  // namespace claude::wire
