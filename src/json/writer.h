// Writes JSON text, value after value, onto the end of a string.
//
//   Writer(line).begin_object().key("type").string("user").key("n").integer(3).end_object();
//
// It sets the commas and nothing else: whoever calls it keeps objects and arrays balanced.
// The text is one line whatever it is given: never a raw newline.
#pragma once

#include <claude/json.h>

#include "base/text.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace claude::json {

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  Writer& begin_object() { return begin('{'); }
  Writer& end_object() { return end('}'); }
  Writer& begin_array() { return begin('['); }
  Writer& end_array() { return end(']'); }

  // The name of the member whose value comes next.
  Writer& key(std::string_view name) {
    string(name);
    return begin_after(':');
  }

  // Bytes that are no UTF-8 are written as U+FFFD each.
  [[gnu::hot]] Writer& string(std::string_view text);
  Writer& integer(std::int64_t value) { return digits(value); }
  Writer& unsigned_integer(std::uint64_t value) { return digits(value); }
  // The shortest digits that read back as the same number; null when it is not finite.
  Writer& number(double value);
  Writer& boolean(bool value) { return word(value ? "true" : "false"); }
  Writer& null() { return word("null"); }
  // Text known to be JSON, as it is, but for newlines between its tokens. Empty text is null.
  [[gnu::hot]] Writer& raw(std::string_view checked);
  Writer& value(const Json& json);

 private:
  Writer& begin(char bracket) {
    separate();
    return begin_after(bracket);
  }
  Writer& begin_after(char mark) {
    out_ += mark;
    comma_ = false;
    return *this;
  }
  Writer& end(char bracket) {
    out_ += bracket;
    comma_ = true;
    return *this;
  }
  Writer& digits(std::integral auto value) {
    separate();
    base::append_number(out_, value);
    return *this;
  }
  Writer& word(std::string_view text) {
    separate();
    out_ += text;
    return *this;
  }
  // Before each value and name: a comma when something stands before it.
  void separate() {
    if (comma_) out_ += ',';
    comma_ = true;
  }

  std::string& out_;
  bool comma_ = false;  // the next value or name needs a comma before it
};

}  // namespace claude::json
