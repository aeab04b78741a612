// Text to Json where it stands, without the copy that Json::parse makes.
#pragma once

#include <claude/json.h>

#include "json/tokens.h"

#include <string_view>

namespace claude::json {

// The text, or the line of which it is a part, has kPaddingBytes readable bytes behind it.
Result<Json> parse_padded(std::string_view text, const Tokens& tokens);

}  // namespace claude::json
