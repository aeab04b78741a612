// The small types that messages are made of.
//
// A message is one block of memory: the line as it came from the CLI, and behind it the texts that
// had to be unescaped. The fields are views into it, so a copy is cheap, and a view stays good as
// long as any copy of its message lives.
#pragma once

#include <claude/json.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claude {

// Keeps a message's memory alive.
using Keep = std::shared_ptr<const char[]>;

// A field that the CLI may leave out, or send as null. Reads like std::optional.
template <class T>
class Field {
 public:
  Field() = default;
  Field(T value) : value_(std::move(value)), state_(State::set) {}
  Field(std::nullptr_t) : state_(State::null) {}

  explicit operator bool() const { return state_ == State::set; }
  bool has_value() const { return state_ == State::set; }
  bool is_null() const { return state_ == State::null; }      // there, and null
  bool is_absent() const { return state_ == State::absent; }  // not there

  const T& operator*() const { return value_; }
  T& operator*() { return value_; }
  const T* operator->() const { return &value_; }
  T* operator->() { return &value_; }
  T value_or(T fallback) const { return has_value() ? value_ : std::move(fallback); }

  // Makes it set, for filling in place.
  T& emplace() {
    state_ = State::set;
    return value_ = T{};
  }

  friend bool operator==(const Field& a, const Field& b) {
    return a.state_ == b.state_ && (!a.has_value() || a.value_ == b.value_);
  }

 private:
  enum class State : unsigned char { absent, null, set };
  T value_{};
  State state_ = State::absent;
};

using Text = Field<std::string_view>;

// A JSON object used as a table: names that are data, in the order of the wire.
template <class T>
using Table = std::vector<std::pair<std::string_view, T>>;

// What this version of the library has no member for, or found with another type than it knows:
// nothing that the CLI says is lost.
struct OtherField {
  std::string path;  // "message.usage.new_field", "content[0].new_field"
  RawJson value;
  std::string_view name{};  // the end of the path: "new_field"; empty for an element of a list
};

}  // namespace claude
