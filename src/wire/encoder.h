// Writes the structs of the vocabulary as JSON, by their description in fields_*.h: the mirror of
// decoder.h. What is absent is not written; a field that was null is null again.
#pragma once

#include "json/writer.h"
#include "wire/fields_content.h"

#include <tuple>

namespace claude::wire {

class Encoder {
 public:
  explicit Encoder(json::Writer& writer) : out(writer) {}

  json::Writer& out;

  void write(std::string_view text) { out.string(text); }
  void write(bool value) { out.boolean(value); }
  void write(std::int64_t value) { out.integer(value); }
  void write(double value) { out.number(value); }
  void write(const RawJson& json) { out.value(json.json()); }
  void write(const Content& content) {
    if (content.plain) return write(*content.plain);
    write(content.blocks);
  }
  template <class T>
  void write(const Field<T>& field) {
    if (field) return write(*field);
    out.null();
  }
  template <class T>
  void write(const std::vector<T>& items) {
    out.begin_array();
    for (const T& item : items) write(item);
    out.end_array();
  }
  template <class T>
  void write(const Table<T>& table) {
    out.begin_object();
    for (const auto& [name, value] : table) {
      out.key(name);
      write(value);
    }
    out.end_object();
  }
  template <class... Alternatives>
  void write(const std::variant<Alternatives...>& variant) {
    using Variant = std::variant<Alternatives...>;
    if (auto* unknown = std::get_if<typename Tags<Variant>::Unknown>(&variant)) {
      return write(unknown->raw);
    }
    std::apply([&](auto... tag) { (write_if(tag, variant) || ...); }, Tags<Variant>::all);
  }
  template <class Struct>
    requires std::is_class_v<Struct>
  void write(const Struct& value) {
    out.begin_object();
    members(value);
    out.end_object();
  }

  // The members alone, inside an object that the caller has begun.
  template <class Struct>
  void members(const Struct& value) {
    Member member{*this};
    fields(member, value);
  }

 private:
  struct Member {
    Encoder& encoder;
    template <class T>
    bool operator()(const char* name, const T& value) {
      if (is_absent(value)) return false;
      encoder.out.key(name);
      encoder.write(value);
      return false;
    }
  };
  template <class T>
  static bool is_absent(const Field<T>& field) {
    return field.is_absent();
  }
  static bool is_absent(const RawJson& json) { return !json; }
  template <class T>
  static bool is_absent(const T&) {
    return false;
  }

  template <class T, template <class> class TagOf, class Variant>
  bool write_if(TagOf<T> tag, const Variant& variant) {
    auto* value = std::get_if<T>(&variant);
    if (value == nullptr) return false;
    out.begin_object().key("type").string(tag.name);
    members(*value);
    out.end_object();
    return true;
  }
};

}  // namespace claude::wire
