// Bytes to lines: the first byte says how they are cut, the second how long a line may be. What is
// seen of a line that is too long does not hang on the cuts.
#include "fail.h"
#include "wire/framer.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace {

using Lines = std::vector<std::string>;

std::string too_long(std::size_t bytes, const claude::wire::Frame& frame) {
  return "> " + std::to_string(bytes) + " " + frame.type + " " + frame.id.json + " " +
         frame.subtype + " " + frame.callback_id + " " + frame.answered_id.json;
}

// Lines above the limit as their length and what they said, and what is left without an end.
Lines framed(std::string_view bytes, std::size_t most, std::size_t cut) {
  claude::wire::Framer framer(most);
  Lines lines;
  while (!bytes.empty()) {
    auto space = framer.space();
    const std::size_t count = std::min({space.size(), bytes.size(), cut});
    std::ranges::copy(bytes.substr(0, count), space.begin());
    framer.filled(count);
    bytes.remove_prefix(count);
    while (true) {
      const auto line = framer.next_line();
      const auto oversized = framer.take_oversized();
      if (line) lines.emplace_back(*line);
      if (oversized) lines.push_back(too_long(oversized->bytes, *oversized->frame));
      if (!line && !oversized) break;
    }
  }
  lines.push_back("left: " + std::to_string(framer.pending()));
  return lines;
}

Lines split(std::string_view bytes, std::size_t most) {
  Lines lines;
  for (auto end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n')) {
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (line.size() > most) {
      claude::wire::Skim skim;
      skim.read(line);
      lines.push_back(too_long(line.size(), skim.frame()));
      continue;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.emplace_back(line);
  }
  lines.push_back("left: " + std::to_string(bytes.size()));
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::size_t cut = data[0] + 1U;
  const std::size_t most = data[1];
  if (framed(bytes, most, cut) != split(bytes, most)) must_be_none("other lines");
  return 0;
}
