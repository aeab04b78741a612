// JSON values for what has no type of its own: tool inputs, MCP messages, unknown fields.
//
// Reading never fails and never throws: what is absent or of another kind reads as null or as the
// fallback that you give. Objects keep the order of their members.
//
//   Json reply = Json::object({{"content", Json::array({...})}, {"isError", false}});
//   std::string_view command = input["command"].text();
//   for (const Json& block : reply["content"].items()) ...
//
// A Json is a plain value: copy it, move it, send it to another thread. Whatever changes it may be
// given parts and texts of the value itself: `json = json["params"]`.
#pragma once

#include <claude/error.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace claude {

class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;

  Json();
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  Json(std::nullptr_t) : Json() {}
  Json(std::same_as<bool> auto value) : Json(Scalar(value)) {}
  template <std::signed_integral T>
  Json(T value) : Json(Scalar(static_cast<std::int64_t>(value))) {}
  // One number has one form, whatever its C++ type was: equality depends on it.
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  Json(T value)
      : Json(static_cast<std::uint64_t>(value) <= INT64_MAX
                 ? Scalar(static_cast<std::int64_t>(value))
                 : Scalar(static_cast<std::uint64_t>(value))) {}
  Json(double value) : Json(Scalar(value)) {}
  Json(const char* value) : Json(std::string(value)) {}
  Json(std::string_view value) : Json(std::string(value)) {}
  Json(std::string value);

  static Json array(std::initializer_list<Json> items = {});
  static Json array(std::vector<Json> items);
  // Of two members with one name the last one counts.
  static Json object(std::initializer_list<Member> members = {});
  static Json object(std::vector<Member> members);

  // Reads one JSON document. The error names the byte. A lone surrogate escape, which node prints
  // for a cut emoji, reads as U+FFFD. Of two members with one name the last one counts.
  static Result<Json> parse(std::string_view text);

  // The shortest text, on one line: never a raw newline. A string that is no UTF-8 is written
  // with U+FFFD for each wrong byte; a number that is not finite is written as null.
  std::string dump() const;

  bool is_null() const;
  bool is_bool() const;
  bool is_integer() const;
  bool is_number() const;
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;

  bool boolean(bool fallback = false) const;
  // A number with a fraction, or out of range, gives the fallback.
  std::int64_t integer(std::int64_t fallback = 0) const;
  std::uint64_t unsigned_integer(std::uint64_t fallback = 0) const;
  double number(double fallback = 0) const;
  std::string_view text(std::string_view fallback = {}) const;

  // Elements of an array, members of an object; empty for anything else.
  std::span<const Json> items() const;
  std::span<const Member> members() const;
  std::size_t size() const;  // of an array or object, else 0

  // The member or element, or null where there is none.
  const Json* find(std::string_view key) const;
  const Json& operator[](std::string_view key) const;
  const Json& operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  const Json& operator[](std::integral auto index) const {
    return at(static_cast<std::size_t>(index));
  }

  // Sets a member, replacing one of that name. Anything but an object becomes an object first.
  // Gives this value back, as push_back does, so that calls can be chained.
  Json& set(std::string_view key, Json value);
  bool erase(std::string_view key);
  // Appends an element. Anything but an array becomes an array first.
  Json& push_back(Json value);

  // Numbers are equal by value, 1 and 1.0 alike; the order of members does not matter.
  friend bool operator==(const Json& a, const Json& b);

 private:
  using Scalar = std::variant<bool, std::int64_t, std::uint64_t, double>;
  explicit Json(Scalar value);
  const Json& at(std::size_t index) const;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object>
      value_;
};

struct Json::Member {
  std::string name;
  Json value;
};

// JSON text known to be well formed, as it came from the CLI: a view, kept alive by the message
// or the context that holds it. Empty where the field was absent.
class RawJson {
 public:
  RawJson() = default;
  // For text that has been checked already; anything else goes through Json::parse.
  explicit RawJson(std::string_view checked) : text_(checked) {}

  std::string_view text() const { return text_; }
  explicit operator bool() const { return !text_.empty(); }

  // As a value. Parses each time it is called. Null where it would take more than 32 MB beside its
  // text: then only the text can be read.
  Json json() const;
  // A member of it: `input["command"].text()`. Parses each time it is called.
  Json operator[](std::string_view key) const { return json()[key]; }

 private:
  std::string_view text_;
};

}  // namespace claude
