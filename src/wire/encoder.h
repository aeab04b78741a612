// Writes the structs of the vocabulary as JSON, by their description in fields_*.h: the mirror of
// decoder.h. What is absent is not written, a field that was null is null again, and what the
// decoder kept aside comes back to its place.
#pragma once

#include <claude/content.h>

#include "base/text.h"
#include "json/writer.h"
#include "wire/fields_content.h"
#include "wire/line.h"

#include <span>
#include <tuple>

namespace claude::wire {

class Encoder {
 public:
  explicit Encoder(json::Writer& writer, std::span<const OtherField> other = {})
      : out(writer), other_(other) {}

  json::Writer& out;

  void write(std::string_view text) { out.string(text); }
  void write(bool value) { out.boolean(value); }
  void write(std::int64_t value) { out.integer(value); }
  void write(double value) { out.number(value); }
  void write(const RawJson& json) { out.value(json.json()); }
  void write(const RequestId& id) { write(id.json); }
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
    auto item = items.begin();
    for (std::size_t index = 0;; ++index) {
      Step step(*this, index);
      if (auto* kept = kept_here()) {
        write(kept->value);
      } else if (item != items.end()) {
        write(*item++);
      } else {
        break;
      }
    }
    out.end_array();
  }
  template <class T>
  void write(const Table<T>& table) {
    out.begin_object();
    for (const auto& [name, value] : table) {
      Step step(*this, name);
      out.key(name);
      write(value);
    }
    write_kept();
    out.end_object();
  }
  template <class... Alternatives>
  void write(const std::variant<Alternatives...>& variant) {
    using Known = Tags<std::variant<Alternatives...>>;
    if (auto* unknown = std::get_if<typename Known::Unknown>(&variant)) {
      return write(raw(*unknown));
    }
    std::apply([&](auto... tag) { (write_if(tag, variant, Known::key) || ...); }, Known::all);
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
    write_kept();
  }

 private:
  // Where we are, in the form of OtherField::path.
  struct Step {
    Step(Encoder& encoder, std::string_view name) : path(encoder.path_), size(path.size()) {
      if (!path.empty()) path += '.';
      path += name;
    }
    Step(Encoder& encoder, std::size_t index) : path(encoder.path_), size(path.size()) {
      path += '[';
      base::append_number(path, index);
      path += ']';
    }
    ~Step() { path.resize(size); }
    Step(const Step&) = delete;
    std::string& path;
    std::size_t size;
  };

  struct Member {
    Encoder& encoder;
    template <class T>
    bool operator()(const char* name, const T& value) {
      Step step(encoder, name);
      if (is_absent(value) || encoder.kept_here()) return false;
      encoder.out.key(name);
      encoder.write(value);
      return false;
    }
  };

  const OtherField* kept_here() const {
    for (const OtherField& field : other_) {
      if (field.path == path_) return &field;
    }
    return nullptr;
  }
  // What was kept aside of the object that we are in.
  void write_kept() {
    for (const OtherField& field : other_) {
      if (field.name.data() == nullptr) continue;  // an element of a list
      Step step(*this, field.name);
      if (field.path == path_) out.key(field.name).value(field.value.json());
    }
  }

  template <class T>
  static bool is_absent(const Field<T>& field) {
    return field.is_absent();
  }
  static bool is_absent(const RawJson& json) { return !json; }
  static bool is_absent(const RequestId& id) { return !id; }
  static bool is_absent(std::string_view text) { return text.data() == nullptr; }
  static bool is_absent(const RequestBody& body) {
    auto* other = std::get_if<OtherRequest>(&body);
    return other != nullptr && !other->body;
  }
  template <class T>
  static bool is_absent(const T&) {
    return false;
  }

  static RawJson raw(const OtherRequest& unknown) { return unknown.body; }
  static RawJson raw(const auto& unknown) { return unknown.raw; }

  template <class T, class Variant, std::size_t N>
  bool write_if(Tag<T> tag, const Variant& variant, const char (&key)[N]) {
    auto* value = std::get_if<T>(&variant);
    if (value == nullptr) return false;
    out.begin_object().key(key).string(tag.word);
    members(*value);
    out.end_object();
    return true;
  }

  std::span<const OtherField> other_;
  std::string path_;
};

}  // namespace claude::wire
