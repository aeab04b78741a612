// Reads a part of a line, once it is known what that part is: hook inputs, answers.
#pragma once

#include "wire/block.h"
#include "wire/decoder.h"

#include <string>

namespace claude::wire {

// Fills `out` from an object, with `raw`, `other` and `keep`. False when it is no object, or when
// it is broken, which text that came with a line never is. `line` is the number of the line's
// tokens, if it is known.
template <class Struct>
bool decode_part(Block& block, Struct& out, std::uint64_t line = 0) {
  out.raw = RawJson(block.text);
  out.keep = block.keep;
  if (block.text == "{}") return true;
  const json::Tokens tokens(block.text, line);
  if (!tokens.first()) return false;
  json::Reader reader(block.text, tokens, block.escaped);
  Decoder decoder(reader, block.arena);
  if (reader.kind() != json::Kind::object) return false;
  decoder.read_object(out);
  out.other = std::move(decoder.other);
  return reader.finished();
}

}  // namespace claude::wire
