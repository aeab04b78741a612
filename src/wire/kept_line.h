// The line in which a part stands that is decoded later: a hook's input, an answer.
#pragma once

#include <claude/field.h>

#include <cstdint>

namespace claude::wire {

struct KeptLine {
  Keep keep;                 // its memory
  std::uint64_t tokens = 0;  // json::Tokens::number() of its reading; 0: not known
  bool may_escape = true;    // false: there is no backslash in it
};

}  // namespace claude::wire
