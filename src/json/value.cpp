// Json as a value: building, asking, changing, comparing. Reading text is parse.cpp's.
#include <claude/json.h>

#include "json/writer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

namespace claude {
namespace {

// What reading gives where there is nothing. Never destroyed: destructors of static objects read.
const Json& nothing() {
  static const Json& null = *new Json;
  return null;
}

// The number as an integer of this type; nullopt when it has a fraction or does not fit.
template <class Int>
std::optional<Int> exactly(double value) {
  // Both are powers of two or zero, which a double holds exactly; the largest Int it does not.
  constexpr double first = static_cast<double>(std::numeric_limits<Int>::min());
  constexpr double end = 2.0 * static_cast<double>(std::numeric_limits<Int>::max() / 2 + 1);
  if (!(first <= value && value < end) || value != std::trunc(value)) return std::nullopt;
  return static_cast<Int>(value);
}

// The integer of the same value, or null where there is none.
Json as_integer(double value) {
  if (const auto integer = exactly<std::int64_t>(value)) return *integer;
  if (const auto integer = exactly<std::uint64_t>(value)) return *integer;
  return nullptr;
}

// Up to this many members a name is looked for one by one, which is faster than sorting.
constexpr std::size_t kFewMembers = 16;

bool has_twins(const Json::Object& members) {
  for (std::size_t i = 1; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (members[i].name == members[j].name) return true;
    }
  }
  return false;
}

// Of the members with one name the first place and the last value stay, as in JavaScript.
Json::Object without_twins(Json::Object members) {
  if (members.size() <= kFewMembers && !has_twins(members)) return members;
  std::vector<Json::Member*> by_name;
  for (Json::Member& member : members) by_name.push_back(&member);
  std::ranges::sort(by_name, [](const Json::Member* a, const Json::Member* b) {
    return std::tie(a->name, a) < std::tie(b->name, b);
  });

  std::vector<bool> kept(members.size(), true);
  for (std::size_t i = by_name.size(); i-- > 1;) {
    Json::Member *former = by_name[i - 1], *latter = by_name[i];
    if (former->name != latter->name) continue;
    former->value = std::move(latter->value);
    kept[static_cast<std::size_t>(latter - members.data())] = false;
  }
  Json::Object merged;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (kept[i]) merged.push_back(std::move(members[i]));
  }
  return merged;
}

// No name stands twice in an object, so it is enough to look from one side.
bool same_members(const Json::Object& a, const Json& b) {
  return a.size() == b.size() && std::ranges::all_of(a, [&](const Json::Member& member) {
           const Json* other = b.find(member.name);
           return other && *other == member.value;
         });
}

}  // namespace

Json::Json() = default;
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
// What is assigned may be a part of what goes.
Json& Json::operator=(const Json& other) {
  return *this = Json(other);
}
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(std::string value) : value_(std::move(value)) {}

Json::Json(Scalar value) {
  std::visit([this](auto scalar) { value_ = scalar; }, value);
}

Json Json::array(std::initializer_list<Json> items) {
  return array(std::vector<Json>(items));
}

Json Json::array(std::vector<Json> items) {
  Json json;
  json.value_ = std::move(items);
  return json;
}

Json Json::object(std::initializer_list<Member> members) {
  return object(Object(members));
}

Json Json::object(std::vector<Member> members) {
  Json json;
  json.value_ = without_twins(std::move(members));
  return json;
}

std::string Json::dump() const {
  std::string text;
  json::Writer(text).value(*this);
  return text;
}

bool Json::is_null() const {
  return std::holds_alternative<std::monostate>(value_);
}
bool Json::is_bool() const {
  return std::holds_alternative<bool>(value_);
}
bool Json::is_integer() const {
  return std::holds_alternative<std::int64_t>(value_) ||
         std::holds_alternative<std::uint64_t>(value_);
}
bool Json::is_number() const {
  return is_integer() || std::holds_alternative<double>(value_);
}
bool Json::is_string() const {
  return std::holds_alternative<std::string>(value_);
}
bool Json::is_array() const {
  return std::holds_alternative<Array>(value_);
}
bool Json::is_object() const {
  return std::holds_alternative<Object>(value_);
}

bool Json::boolean(bool fallback) const {
  const bool* value = std::get_if<bool>(&value_);
  return value ? *value : fallback;
}

std::int64_t Json::integer(std::int64_t fallback) const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<double>(&value_)) {
    return exactly<std::int64_t>(*value).value_or(fallback);
  }
  return fallback;  // an integer in the other form is above the range
}

std::uint64_t Json::unsigned_integer(std::uint64_t fallback) const {
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&value_)) {
    return *value < 0 ? fallback : static_cast<std::uint64_t>(*value);
  }
  if (const auto* value = std::get_if<double>(&value_)) {
    return exactly<std::uint64_t>(*value).value_or(fallback);
  }
  return fallback;
}

double Json::number(double fallback) const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  return fallback;
}

std::string_view Json::text(std::string_view fallback) const {
  const std::string* value = std::get_if<std::string>(&value_);
  return value ? *value : fallback;
}

std::span<const Json> Json::items() const {
  const Array* items = std::get_if<Array>(&value_);
  return items ? std::span<const Json>(*items) : std::span<const Json>();
}

std::span<const Json::Member> Json::members() const {
  const Object* members = std::get_if<Object>(&value_);
  return members ? std::span<const Member>(*members) : std::span<const Member>();
}

std::size_t Json::size() const {
  return is_array() ? items().size() : members().size();
}

const Json* Json::find(std::string_view key) const {
  for (const Member& member : members()) {
    if (member.name == key) return &member.value;
  }
  return nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  const Json* value = find(key);
  return value ? *value : nothing();
}

const Json& Json::at(std::size_t index) const {
  return index < items().size() ? items()[index] : nothing();
}

Json& Json::set(std::string_view key, Json value) {
  if (!is_object()) {
    const std::string name(key);  // it may be text of what goes
    value_ = Object();
    return set(name, std::move(value));
  }
  auto& members = std::get<Object>(value_);
  // Growing in steps costs more than the few places that stay empty.
  if (members.empty()) members.reserve(4);
  const auto found = std::ranges::find(members, key, &Member::name);
  if (found != members.end()) {
    found->value = std::move(value);
  } else {
    members.push_back({std::string(key), std::move(value)});
  }
  return *this;
}

bool Json::erase(std::string_view key) {
  Object* members = std::get_if<Object>(&value_);
  if (members == nullptr) return false;
  // No name stands twice. To look on while members move would be to compare with another one, where
  // the key is the name of a member.
  const auto found = std::ranges::find(*members, key, &Member::name);
  if (found == members->end()) return false;
  members->erase(found);
  return true;
}

Json& Json::push_back(Json value) {
  if (!is_array()) value_ = Array();
  std::get<Array>(value_).push_back(std::move(value));
  return *this;
}

bool operator==(const Json& a, const Json& b) {
  if (a.value_.index() != b.value_.index()) {
    // Integers of two forms differ by what the forms mean; a double may be any of them.
    if (const auto* number = std::get_if<double>(&a.value_)) {
      return b.is_integer() && as_integer(*number) == b;
    }
    return std::holds_alternative<double>(b.value_) && a.is_integer() && b == a;
  }
  return std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::same_as<T, Json::Object>) {
          return same_members(value, b);
        } else {
          return value == std::get<T>(b.value_);
        }
      },
      a.value_);
}

}  // namespace claude
