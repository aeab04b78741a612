// The memory behind a decoded line: the text itself, and room for what has to be unescaped.
#pragma once

#include <claude/field.h>

#include "json/reader.h"

#include <cstring>
#include <memory>

namespace claude::wire {

struct Block {
  // Copies the text. One allocation; where nothing is escaped, no room is taken for it.
  explicit Block(std::string_view line) {
    bool escaped = std::memchr(line.data(), '\\', line.size()) != nullptr;
    std::size_t padded = line.size() + json::kPaddingBytes;
    // A string is read twice at most: once to see what a line is, once as a field.
    auto memory = std::make_shared_for_overwrite<char[]>(padded + (escaped ? 2 * line.size() : 0));
    std::memcpy(memory.get(), line.data(), line.size());
    std::memset(memory.get() + line.size(), 0, json::kPaddingBytes);
    text = {memory.get(), line.size()};
    arena.at = memory.get() + padded;
    keep = std::move(memory);
  }

  std::string_view text;
  json::Arena arena;
  Keep keep;
};

}  // namespace claude::wire
