// The memory behind a decoded line: the text itself, and room for what has to be unescaped.
#pragma once

#include <claude/field.h>

#include "json/reader.h"
#include "wire/framer.h"

#include <cstring>
#include <memory>
#include <utility>

namespace claude::wire {

struct Block {
  // Copies the text. One allocation; where nothing is escaped, no room is taken for it. There is
  // room for `beside` more bytes of the caller's.
  [[gnu::hot]] explicit Block(std::string_view line, std::size_t beside = 0)
      : escaped(has_escape(line)) {
    std::size_t padded = line.size() + json::kPaddingBytes;
    std::size_t plain = (escaped ? room(line) : 0) + beside;
    auto memory = std::allocate_shared_for_overwrite<char[]>(Malloc<char>(), padded + plain);
    line.copy(memory.get(), line.size());
    std::memset(memory.get() + line.size(), 0, json::kPaddingBytes);
    text = {memory.get(), line.size()};
    arena.at = memory.get() + padded;
    keep = std::move(memory);
  }

  // Takes over the memory in which the text stands; the padding behind it is free to be written.
  Block(Memory memory, std::string_view line) : text(line), escaped(has_escape(line)) {
    std::memset(memory.get() + (line.data() + line.size() - memory.get()), 0, json::kPaddingBytes);
    std::unique_ptr<char[]> plain;
    if (escaped) {
      plain = std::make_unique_for_overwrite<char[]>(room(line));
    }
    arena.at = plain.get();
    using Both = std::pair<Memory, std::unique_ptr<char[]>>;
    auto both = std::make_shared<Both>(std::move(memory), std::move(plain));
    keep = Keep(both, both->first.get());
  }

  // A part of a line whose memory `line` keeps already: nothing is copied.
  Block(Keep line, std::string_view part, bool may_escape = true)
      : text(part), keep(std::move(line)), escaped(may_escape && has_escape(part)) {
    if (!escaped) return;
    auto plain = std::make_unique_for_overwrite<char[]>(room(part));
    arena.at = plain.get();
    using Both = std::pair<Keep, std::unique_ptr<char[]>>;
    auto both = std::make_shared<Both>(std::move(keep), std::move(plain));
    keep = Keep(both, both->first.get());
  }

  // A copy that lives as long as the block.
  std::string_view copy(std::string_view beside) {
    char* at = std::exchange(arena.at, arena.at + beside.size());
    return {at, beside.copy(at, beside.size())};
  }

  std::string_view text;
  json::Arena arena;
  Keep keep;
  bool escaped;

 private:
  static bool has_escape(std::string_view text) { return text.find('\\') != text.npos; }
  // A string is read twice at most: as a field, and once more where the first reading of a line
  // turned out to be the wrong one.
  static std::size_t room(std::string_view escaped) {
    return 2 * escaped.size() + json::kPaddingBytes;
  }
};

}  // namespace claude::wire
