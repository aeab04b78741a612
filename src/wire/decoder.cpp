#include "wire/decoder.h"

#include "base/text.h"

namespace claude::wire {

std::string Decoder::path() const {
  std::string path;
  for (const Place& place : std::span(path_).first(depth_)) {
    if (place.name.empty()) {
      path += '[';
      base::append_number(path, place.index);
      path += ']';
    } else {
      if (!path.empty()) path += '.';
      path += place.name;
    }
  }
  return path;
}

}  // namespace claude::wire
