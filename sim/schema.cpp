// One function a keyword, or a pair that belongs together.
#include "schema.h"

#include <algorithm>

namespace claude::sim {
namespace {

using Found = std::optional<Violation>;

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

Found wrong(const std::string& path, const std::string& what) {
  return Violation{path, what, path};
}

bool is_of(const Json& value, const std::string& type) {
  return (type == "string" && value.is_string()) || (type == "number" && value.is_number()) ||
         (type == "integer" && value.is_number_integer()) ||
         (type == "boolean" && value.is_boolean()) || (type == "object" && value.is_object()) ||
         (type == "array" && value.is_array());
}

std::string name_of(const std::string& type) {
  if (type == "boolean") return "true or false";
  if (type == "array") return "a list";
  if (type == "integer") return "a whole number";
  return (type == "object" ? "an " : "a ") + type;
}

// A type, or a list of those that may be.
Found check_type(const Json& value, const Json& type, const std::string& path) {
  const Json types = type.is_array() ? type : Json::array({type});
  std::string names;
  for (const std::string one : types) {
    if (is_of(value, one)) return std::nullopt;
    names += (names.empty() ? "must be " : " or ") + name_of(one);
  }
  return wrong(path, names);
}

Found check_enum(const Json& value, const Json& allowed, const std::string& path) {
  if (std::ranges::find(allowed, value) != allowed.end()) return std::nullopt;
  return wrong(path, "must be one of " + allowed.dump());
}

Found check_bounds(const Json& number, const Json& schema, const std::string& path) {
  if (has(schema, "minimum") && number < schema["minimum"])
    return wrong(path, "must be " + schema["minimum"].dump() + " or more");
  if (has(schema, "maximum") && number > schema["maximum"])
    return wrong(path, "must be " + schema["maximum"].dump() + " or less");
  return std::nullopt;
}

Found check_keys(const Json& value, const Json& schema, const Json& root, const std::string& path) {
  for (const std::string key : member(schema, "required"))
    if (!value.contains(key)) return wrong(path, "needs '" + key + "'");
  const Json& properties = member(schema, "properties");
  const Json& others = member(schema, "additionalProperties");
  for (const auto& [key, part] : value.items()) {
    const std::string where = joined(path, key);
    const bool known = properties.contains(key);
    if (!known && others == false) return Violation{path, "unknown key '" + key + "'", where};
    if (!known && !others.is_object()) continue;
    Found found = find_violation(part, known ? properties[key] : others, root, where);
    if (found) return found;
  }
  return std::nullopt;
}

Found check_items(const Json& value, const Json& items, const Json& root, const std::string& path) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    Found found = find_violation(value[i], items, root, path + "[" + std::to_string(i) + "]");
    if (found) return found;
  }
  return std::nullopt;
}

std::ptrdiff_t count_that_hold(const Json& value, const Json& alternatives, const Json& root) {
  return std::ranges::count_if(alternatives,
                               [&](const Json& one) { return !find_violation(value, one, root); });
}

Found check_alternatives(const Json& value, const Json& schema, const Json& root,
                         const std::string& path) {
  const std::string why = text_of(schema, "$comment", "fits none of its forms");
  if (has(schema, "anyOf") && count_that_hold(value, schema["anyOf"], root) == 0)
    return wrong(path, why);
  if (has(schema, "oneOf") && count_that_hold(value, schema["oneOf"], root) != 1)
    return wrong(path, why);
  for (const Json& part : member(schema, "allOf"))
    if (Found found = find_violation(value, part, root, path)) return found;
  if (!has(schema, "if")) return std::nullopt;
  const bool holds = !find_violation(value, schema["if"], root);
  return find_violation(value, schema[holds ? "then" : "else"], root, path);
}

// "#/$defs/turn"
const Json& resolved(const std::string& reference, const Json& root) {
  return root.at(Json::json_pointer(reference.substr(1)));
}

}  // namespace

std::optional<Violation> find_violation(const Json& value, const Json& schema, const Json& root,
                                        const std::string& path) {
  if (has(schema, "$ref")) return find_violation(value, resolved(schema["$ref"], root), root, path);
  Found found;
  if (has(schema, "type")) found = check_type(value, schema["type"], path);
  if (!found && has(schema, "enum")) found = check_enum(value, schema["enum"], path);
  if (!found && value.is_number()) found = check_bounds(value, schema, path);
  if (!found && value.is_object()) found = check_keys(value, schema, root, path);
  if (!found && value.is_array() && has(schema, "items"))
    found = check_items(value, schema["items"], root, path);
  if (!found) found = check_alternatives(value, schema, root, path);
  return found;
}

}  // namespace claude::sim
