// The limits of the JSON room, for whoever prepares text for it.
#pragma once

#include <cstddef>

namespace claude::json {

// Arrays and objects inside one another. Values are read, written and destroyed by recursion:
// this bounds the stack that a document from outside can use.
inline constexpr std::size_t kMaxDepth = 512;

// What a value may take beside its text where that comes from the CLI: empty things take a hundred
// times their text.
inline constexpr std::size_t kMaxTreeBytes = std::size_t{32} << 20;

// Readable bytes that the reader needs behind a text: it reads in blocks.
inline constexpr std::size_t kPaddingBytes = 64;

}  // namespace claude::json
