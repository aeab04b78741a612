// The library's version, as the build gives it. Nothing here is written by hand.
#include <claude/version.h>

namespace claude {

std::string_view version() {
  return CLAUDE_AGENT_VERSION;
}

}  // namespace claude
