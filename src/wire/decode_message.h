// The message in a line, by its type and subtype.
#pragma once

#include <claude/message.h>

#include "wire/decoder.h"

namespace claude::wire {

// Reads the line's object into `out`. `type` and `subtype` have been found before.
void decode_message(Decoder& decoder, std::string_view type, std::string_view subtype,
                    Message& out);

}  // namespace claude::wire
