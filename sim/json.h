// The simulator's JSON: nlohmann's, with the order of keys kept, because lines on the wire have
// one.
//
// And the few questions that everybody asks of a value that a peer sent and that may be anything.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace claude::sim {

using Json = nlohmann::ordered_json;

// The member `key` of an object; null when there is none or `value` is no object.
inline const Json& member(const Json& value, const char* key) {
  static const Json kNull;
  if (!value.is_object()) return kNull;
  auto found = value.find(key);
  return found == value.end() ? kNull : *found;
}

inline bool has(const Json& value, const char* key) {
  return value.is_object() && value.contains(key);
}

inline std::string text_of(const Json& value, const char* key, std::string_view otherwise = {}) {
  const Json& found = member(value, key);
  return found.is_string() ? found.get<std::string>() : std::string(otherwise);
}

// One that is too large for a whole number comes as the largest that every double is exact for.
inline long long number_of(const Json& value, const char* key, long long otherwise = 0) {
  constexpr double kLargest = 1LL << 53;
  const Json& found = member(value, key);
  if (!found.is_number()) return otherwise;
  return static_cast<long long>(std::clamp(found.get<double>(), -kLargest, kLargest));
}

inline bool flag_of(const Json& value, const char* key, bool otherwise = false) {
  const Json& found = member(value, key);
  return found.is_boolean() ? found.get<bool>() : otherwise;
}

// One line of text, as JSON.stringify writes it. What is no UTF-8 is replaced.
inline std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Arrays and objects inside one another: values are walked by recursion.
inline constexpr int kMaxDepth = 1000;

// Gives a discarded value when the text is no JSON, or nested too deep.
Json parse(std::string_view text);
// The same as the CLI parses a line: invalid UTF-8 and lone surrogates are replaced, not refused.
Json parse_line(std::string_view line);

// Is everything that `part` says also said by `whole`? Objects may have more keys.
bool contains(const Json& whole, const Json& part);

}  // namespace claude::sim
