// The line that asks a hook, read without a walk over names.
//
// It is the CLI's most frequent question, and much of what it costs is the general decoder looking
// for what stands in the same place every time. This takes the frame around the hook's input
// exactly as CLI 2.1.325 writes it, without escapes; anything else is left to the general decoder.
// tests/wire/hook_line_test.cpp holds the two equal.
#pragma once

#include "json/reader.h"
#include "wire/line.h"

namespace claude::wire {

// `line` is what `in` is about to read, and has no backslash in it. False, and both untouched,
// unless the line is of that one form.
[[gnu::hot]] bool decode_hook_line(std::string_view line, json::Reader& in, ControlRequest& out);

}  // namespace claude::wire
