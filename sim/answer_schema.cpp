// Keywords in the order in which the CLI's validator complains: type, then numbers, text, lists,
// objects, and at last those that fit any type.
#include "answer_schema.h"

#include <algorithm>
#include <cmath>
#include <regex>
#include <vector>

namespace claude::sim {
namespace {

bool is_type(const Json& value, const std::string& type) {
  if (type == "integer")
    return value.is_number_integer() ||
           (value.is_number() && value.get<double>() == std::floor(value.get<double>()));
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

class Checker {
 public:
  explicit Checker(const Json& root) : root_(root) {}

  void check(const Json& schema, Json& value, const std::string& path) {
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) complain(path, "boolean schema is false");
      return;
    }
    if (!schema.is_object()) return;
    if (const Json* target = referred(schema)) check(*target, value, path);
    if (!check_type(schema, value, path)) return;
    if (value.is_number()) check_number(schema, value.get<double>(), path);
    if (value.is_string()) check_text(schema, value.get<std::string>(), path);
    if (value.is_array()) check_list(schema, value, path);
    if (value.is_object()) check_object(schema, value, path);
    check_choices(schema, value, path);
  }

  std::string text() const {
    std::string all;
    for (const std::string& complaint : complaints_) all += (all.empty() ? "" : ", ") + complaint;
    return all;
  }

 private:
  void complain(const std::string& path, const std::string& what) {
    complaints_.push_back((path.empty() ? "root" : path) + ": " + what);
  }

  const Json* referred(const Json& schema) const {
    const std::string target = text_of(schema, "$ref");
    if (!target.starts_with("#")) return nullptr;
    const Json::json_pointer pointer(target.substr(1));
    return root_.contains(pointer) ? &root_.at(pointer) : nullptr;
  }

  bool check_type(const Json& schema, Json& value, const std::string& path) {
    const Json& type = member(schema, "type");
    if (type.is_null()) return true;
    const Json types = type.is_array() ? type : Json::array({type});
    const auto fits = [&](const Json& given) {
      return std::ranges::any_of(types, [&](const Json& name) { return is_type(given, name); });
    };
    if (fits(value)) return true;
    if (value.is_string()) {
      const Json meant = parse(value.get<std::string>());
      if (!meant.is_discarded() && !meant.is_null() && fits(meant)) {
        value = meant;
        return true;
      }
    }
    std::string names;
    for (const std::string name : types) names += (names.empty() ? "" : ",") + name;
    complain(path, "must be " + names);
    return false;
  }

  void check_number(const Json& schema, double value, const std::string& path) {
    const auto limit = [&](const char* key, const char* sign, auto holds) {
      const Json& bound = member(schema, key);
      if (bound.is_number() && !holds(value, bound.get<double>()))
        complain(path, std::string("must be ") + sign + " " + dump(bound));
    };
    limit("maximum", "<=", std::less_equal());
    limit("minimum", ">=", std::greater_equal());
    limit("exclusiveMaximum", "<", std::less());
    limit("exclusiveMinimum", ">", std::greater());
    const Json& step = member(schema, "multipleOf");
    if (step.is_number() && std::fmod(value, step.get<double>()) != 0)
      complain(path, "must be multiple of " + dump(step));
  }

  void check_size(const Json& schema, const char* most, const char* least, std::size_t size,
                  const char* unit, const std::string& path) {
    const std::string got = std::string(" ") + unit + " (got " + std::to_string(size) + ")";
    const Json& upper = member(schema, most);
    const Json& lower = member(schema, least);
    if (upper.is_number() && size > upper.get<std::size_t>())
      complain(path, "must NOT have more than " + dump(upper) + got);
    if (lower.is_number() && size < lower.get<std::size_t>())
      complain(path, "must NOT have fewer than " + dump(lower) + got);
  }

  void check_text(const Json& schema, const std::string& value, const std::string& path) {
    check_size(schema, "maxLength", "minLength", characters(value), "characters", path);
    const std::string pattern = text_of(schema, "pattern");
    if (!pattern.empty() && !std::regex_search(value, std::regex(pattern)))
      complain(path, "must match pattern \"" + pattern + "\"");
  }

  void check_list(const Json& schema, Json& value, const std::string& path) {
    check_size(schema, "maxItems", "minItems", value.size(), "items", path);
    for (std::size_t i = 0; i < value.size(); ++i)
      check(member(schema, "items"), value[i], path + "/" + std::to_string(i));
  }

  void check_object(const Json& schema, Json& value, const std::string& path) {
    const Json& known = member(schema, "properties");
    const Json& others = member(schema, "additionalProperties");
    for (const Json& key : member(schema, "required"))
      if (key.is_string() && !value.contains(key.get<std::string>()))
        complain(path, "must have required property '" + key.get<std::string>() + "'");
    for (auto& [key, item] : value.items()) {
      if (has(known, key.c_str())) continue;
      if (others == false)
        complain(path, "must NOT have additional properties ('" + key + "' is not allowed)");
      else
        check(others, item, path + "/" + key);
    }
    for (const auto& [key, wanted] : known.items())
      if (value.contains(key)) check(wanted, value[key], path + "/" + key);
  }

  void check_choices(const Json& schema, Json& value, const std::string& path) {
    if (has(schema, "const") && value != schema["const"])
      complain(path, "must be equal to constant: " + dump(schema["const"]));
    const Json& allowed = member(schema, "enum");
    if (allowed.is_array() && std::ranges::find(allowed, value) == allowed.end())
      complain(path, "must be equal to one of the allowed values: " + dump(allowed));
    for (const Json& part : member(schema, "allOf")) check(part, value, path);
    for (const char* key : {"anyOf", "oneOf"}) {
      const Json& choices = member(schema, key);
      const auto fits = [&](const Json& choice) {
        Checker alone(root_);
        alone.check(choice, value, path);
        return alone.complaints_.empty();
      };
      if (choices.is_array() && std::ranges::none_of(choices, fits))
        complain(path, std::string("must match a schema in ") + key);
    }
  }

  const Json& root_;
  std::vector<std::string> complaints_;
};

}  // namespace

std::string schema_complaint(const Json& schema, Json& value) {
  Checker checker(schema);
  checker.check(schema, value, "");
  return checker.text();
}

}  // namespace claude::sim
