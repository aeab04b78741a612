// Compares two transcripts in normal form, line by line, and says in words what differs.
#pragma once

#include <string>

#include "differential/transcript.h"

namespace claude::differential {

// Empty when they are equal. Lines are aligned by what they are, so that a missing line does not
// spoil the rest: it is reported as missing, and lines of a kind field by field.
std::string differences(const Transcript& real, const Transcript& sim);

}  // namespace claude::differential
