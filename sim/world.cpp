// The world of each thread.
#include "world.h"

namespace claude::sim {

World& world() {
  thread_local World mine;
  return mine;
}

std::string variable(std::string_view name, std::string_view otherwise) {
  const auto found = world().environment.find(name);
  const bool is_set = found != world().environment.end() && !found->second.empty();
  return std::string(is_set ? std::string_view(found->second) : otherwise);
}

}  // namespace claude::sim
