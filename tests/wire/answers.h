// Recorded answers of other SDKs, as the values that ours would have made.
#pragma once

#include <claude/hooks.h>

#include "json/oracle.h"

#include <optional>

namespace claude::test {

// Nothing for an answer that the CLI calls invalid, or ignores a part of.
std::optional<Permission> as_permission(const Oracle& answer);
std::optional<HookOutput> as_hook_output(const Oracle& answer, const std::string& event);

}  // namespace claude::test
