// Escapes in strings: to plain text, or only checked.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace claude::json {

// Room for unescaped strings: never more than the text has bytes, and kPaddingBytes behind it.
struct Arena {
  char* at = nullptr;
};

// The plain form of a string's content, written to the arena; nothing if an escape is broken.
// Half of a surrogate pair, which node prints for a cut emoji, becomes U+FFFD.
std::optional<std::string_view> unescape(std::string_view content, Arena& arena);

// The same of the escape with which the text begins. How many bytes it has; 0, and nothing is
// written, where none begins. Needs no room behind, and may write over what it has read.
std::size_t unescape_first(std::string_view text, Arena& arena);

// True when each escape is one that JSON has.
bool escapes_are_good(std::string_view content);

}  // namespace claude::json
