// nlohmann-json as a second opinion: it shares no code with our reader and writer.
#pragma once

#include <claude/json.h>

#include <nlohmann/json.hpp>

#include <string_view>

namespace claude::test {

using Oracle = nlohmann::json;

inline bool same(const Json& ours, const Oracle& theirs) {
  if (theirs.is_null()) return ours.is_null();
  if (theirs.is_boolean()) return ours.is_bool() && ours.boolean() == theirs.get<bool>();
  if (theirs.is_string()) return ours.is_string() && ours.text() == theirs.get<std::string>();
  if (theirs.is_number_unsigned()) return ours == Json(theirs.get<std::uint64_t>());
  if (theirs.is_number_integer()) return ours == Json(theirs.get<std::int64_t>());
  if (theirs.is_number_float()) return ours == Json(theirs.get<double>());
  if (theirs.is_array() != ours.is_array() || theirs.size() != ours.size()) return false;
  if (theirs.is_array()) {
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (!same(ours[i], theirs[i])) return false;
    }
    return true;
  }
  for (const Json::Member& member : ours.members()) {
    const auto found = theirs.find(member.name);
    if (found == theirs.end() || !same(member.value, *found)) return false;
  }
  return ours.is_object();
}

}  // namespace claude::test
