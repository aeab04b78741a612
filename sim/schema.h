// Checks a JSON value against a JSON schema: the part of draft 2020-12 that
// docs/scenario.schema.json uses. Where alternatives all fail, the schema's own $comment is what is
// said.
#pragma once

#include <optional>
#include <string>

#include "json.h"

namespace claude::sim {

struct Violation {
  std::string path;  // "turns[0].model[2]"; empty: the document itself
  std::string what;  // "must be a number"
  std::string at;    // the path to show the line of: that of an unknown key, say
};

// The first thing that is wrong. `root` is the document that references start from.
std::optional<Violation> find_violation(const Json& value, const Json& schema, const Json& root,
                                        const std::string& path = {});

}  // namespace claude::sim
