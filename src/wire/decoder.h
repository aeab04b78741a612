// Fills the structs of the vocabulary from JSON, by their description in fields_*.h.
//
// One pass, no tree. A value of another type than the member, and a name that no member has, are
// kept aside as OtherField; only broken JSON is an error.
#pragma once

#include <claude/content.h>

#include "json/reader.h"
#include "wire/fields_content.h"

#include <array>
#include <tuple>

namespace claude::wire {

class Decoder {
 public:
  Decoder(json::Reader& reader, json::Arena& arena) : in(reader), arena_(arena) {}

  json::Reader& in;
  std::vector<OtherField> other;

  // Each reads what comes next and tells whether it fitted; if not, it was left where it is.
  bool read(std::string_view& out) {
    auto text = in.string(arena_);
    if (text) out = *text;
    return text.has_value();
  }
  bool read(bool& out) { return take(in.boolean(), out); }
  bool read(std::int64_t& out) { return take(in.integer(), out); }
  bool read(double& out) { return take(in.number(), out); }
  bool read(RawJson& out) {
    out = in.raw();
    return static_cast<bool>(out);
  }
  bool read(Content& out) {
    if (in.kind() == json::Kind::string) return read(out.plain.emplace());
    return read(out.blocks);
  }

  template <class T>
  bool read(Field<T>& out) {
    if (in.kind() == json::Kind::null) {
      out = nullptr;
      return static_cast<bool>(in.raw());
    }
    if (read(out.emplace())) return true;
    out = Field<T>();
    return false;
  }
  template <class T>
  bool read(std::vector<T>& out) {
    if (in.kind() != json::Kind::array) return false;
    out.clear();
    std::size_t index = 0;
    return in.each_item([&] {
      Step step(*this, {}, index++);
      T item{};
      if (step.fits && read(item)) {
        out.push_back(std::move(item));
      } else {
        keep();
      }
    });
  }
  template <class T>
  bool read(Table<T>& out) {
    if (in.kind() != json::Kind::object) return false;
    out.clear();
    return in.each_member([&](json::Key key) {
      Step step(*this, key.raw());
      T item{};
      if (step.fits && read(item)) {
        out.emplace_back(key.raw(), std::move(item));
      } else {
        keep();
      }
      return true;
    });
  }
  // A variant of structs told apart by their "type".
  template <class... Alternatives>
  bool read(std::variant<Alternatives...>& out) {
    using Variant = std::variant<Alternatives...>;
    if (in.kind() != json::Kind::object) return false;
    std::string_view type = peek_type();
    bool known = std::apply(
        [&](auto... tag) { return (read_if(type == tag.name, tag, out) || ...); },
        Tags<Variant>::all);
    if (!known) out = typename Tags<Variant>::Unknown{type, in.raw()};
    return true;
  }
  // A described struct. Its "type" has been read by whoever chose the struct.
  template <class Struct>
    requires std::is_class_v<Struct>
  bool read(Struct& out) {
    if (in.kind() != json::Kind::object) return false;
    return in.each_member([&](json::Key key) {
      Match match{*this, key};
      if (!fields(match, out)) unknown(key, out);
      return true;
    });
  }

  // The "type" of the object that comes next; reads nothing.
  std::string_view peek_type() {
    std::string_view type;
    auto start = in.mark();
    in.each_member([&](json::Key key) {
      if (!key.is("type")) return static_cast<bool>(in.raw());
      read(type);
      return false;
    });
    in.back_to(start);
    return type;
  }

  // Where we are: "message.content[0].input".
  std::string path() const;

  // Keeps what comes next aside, under the path that leads to it.
  void keep() {
    if (in.broken()) return;
    std::string path = this->path();
    RawJson value = in.raw();
    if (value) other.push_back({std::move(path), value});
  }

 private:
  // Where in the line we are; made into text only when it is wanted. It also bounds how deep
  // typed values are read: content may hold tool results that hold content, without end.
  struct Place {
    std::string_view name;
    std::size_t index = 0;
  };
  static constexpr std::size_t kMaxTypedDepth = 24;

  struct Step {
    Step(Decoder& decoder, std::string_view name, std::size_t index = 0)
        : fits(decoder.depth_ < kMaxTypedDepth), depth(decoder.depth_) {
      if (fits) decoder.path_[depth++] = {name, index};
    }
    ~Step() {
      if (fits) --depth;
    }
    Step(const Step&) = delete;
    bool fits;
    std::size_t& depth;
  };

  struct Match {
    Decoder& decoder;
    json::Key key;
    template <std::size_t N, class T>
    bool operator()(const char (&name)[N], T& member) {
      if (!key.is(name)) return false;
      Step step(decoder, {name, N - 1});
      if (!step.fits || !decoder.read(member)) decoder.keep();
      return true;
    }
  };

  // A name that no member has: perhaps spelled with escapes, else really new.
  template <class Struct>
  void unknown(json::Key key, Struct& out) {
    if (key.is("type")) {
      in.raw();
      return;
    }
    std::string_view name = key.raw();
    std::array<char, 2 * json::kPaddingBytes> plain{};
    if (name.find('\\') != name.npos && name.size() < json::kPaddingBytes) {
      json::Arena space{plain.data()};
      if (auto text = json::unescape(name, space)) {
        *space.at = '"';
        Match match{*this, json::Key(text->data())};
        if (fields(match, out)) return;
      }
    }
    Step step(*this, name);
    keep();
  }

  template <class T, template <class> class TagOf, class Variant>
  bool read_if(bool matches, TagOf<T>, Variant& out) {
    return matches && read(out.template emplace<T>());
  }

  template <class T>
  static bool take(std::optional<T> found, T& out) {
    if (found) out = *found;
    return found.has_value();
  }

  json::Arena& arena_;
  std::array<Place, kMaxTypedDepth> path_;
  std::size_t depth_ = 0;
};

}  // namespace claude::wire
