// What a user's transport says, made such that nobody waits for ever or reads what is not there.
#include "session/guarded_transport.h"

#include <algorithm>

namespace claude {
namespace {

// No bytes are no progress, whatever it is called: who went on until it would block would never
// end.
IoResult plausible(IoResult said, std::size_t possible) {
  said.bytes = std::min(said.bytes, possible);
  if (said.status != IoStatus::closed) {
    said.status = said.bytes > 0 ? IoStatus::ok : IoStatus::would_block;
  }
  return said;
}

}  // namespace

IoResult GuardedTransport::read(std::span<char> into) {
  return plausible(own_->read(into), into.size());
}

IoResult GuardedTransport::write(std::string_view bytes) {
  return plausible(own_->write(bytes), bytes.size());
}

IoResult GuardedTransport::read_errors(std::span<char> into) {
  return plausible(own_->read_errors(into), into.size());
}

}  // namespace claude
