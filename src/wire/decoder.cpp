// The parts of the decoder that are the same for every struct.
#include "wire/decoder.h"

#include "base/text.h"
#include "wire/fields_content.h"

namespace claude::wire {

bool Decoder::read(RequestId& out) {
  auto start = in.mark();
  out = RequestId{{}, in.raw()};
  if (in.broken()) return false;
  auto end = in.mark();
  in.back_to(start);
  read(out.text);
  in.back_to(end);
  return true;
}

bool Decoder::read(Content& out) {
  out = Content();
  if (in.kind() == json::Kind::string) return read(out.plain.emplace());
  return read(out.blocks);
}

std::string_view Decoder::plain(json::Key key) {
  std::string_view name = key.raw();
  if (name.find('\\') == name.npos) return name;
  return json::unescape(name, arena_).value_or(name);
}

std::size_t Decoder::path_bytes() const {
  constexpr std::size_t kIndexBytes = 22;  // 20 digits in brackets
  std::size_t bytes = 0;
  for (const Place& place : std::span(path_).first(depth_)) {
    bytes += place.name == nullptr ? kIndexBytes : place.size_or_index + 1;
  }
  return bytes;
}

void Decoder::keep() {
  if (in.broken()) return;
  // Each has a whole path, and all of them may stand below one huge name.
  const std::size_t bytes = sizeof(OtherField) + path_bytes();
  if (list_bytes_ + bytes > kMaxListBytes) {  // the text of the line has it all the same
    in.raw();
    return;
  }
  list_bytes_ += bytes;
  std::string path;
  for (const Place& place : std::span(path_).first(depth_)) {
    if (place.name == nullptr) {
      path += '[';
      base::append_number(path, place.size_or_index);
      path += ']';
    } else {
      if (!path.empty()) path += '.';
      path.append(place.name, place.size_or_index);
    }
  }
  std::string_view name;
  if (depth_ > 0 && path_[depth_ - 1].name != nullptr) {
    name = {path_[depth_ - 1].name, path_[depth_ - 1].size_or_index};
  }
  RawJson value = in.raw();
  if (value) other.push_back({std::move(path), value, name});
}

}  // namespace claude::wire
