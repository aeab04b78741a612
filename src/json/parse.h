// Text from the CLI to Json: where it stands, without the copy that Json::parse makes, and bounded.
#pragma once

#include <claude/json.h>

#include "json/tokens.h"

#include <string_view>

namespace claude::json {

// The text, or the line of which it is a part, has kPaddingBytes readable bytes behind it.
// Fails above kMaxTreeBytes.
Result<Json> parse_padded(std::string_view text, const Tokens& tokens);

// Whether Json::parse would take the text; makes no value of it.
bool is_json(std::string_view text);

}  // namespace claude::json
