// AskUserQuestion: a permission request whose answer carries what the user chose.
#pragma once

#include <claude/permission.h>

#include <optional>

namespace claude::wire {

// The questions in a request, with a copy of it. Nothing when it is a request for another tool,
// or its questions are of no shape that we know.
std::optional<Questions> decode_questions(const ToolRequest& request);

// The answer in the form that the CLI takes (seen on 2.1.325): the input as it was, and `answers`
// by the text of the question. Several choices stand in one text, with ", " between them.
Permission to_permission(const Answers& answers, const Questions& questions);

}  // namespace claude::wire
