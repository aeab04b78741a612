// Fills the structs of the vocabulary from JSON, by their description in fields_*.h.
//
// One pass, no tree. A value of another type than the member, and a name that no member has, are
// kept aside as OtherField; only broken JSON is an error.
#pragma once

#include <claude/content.h>

#include "json/reader.h"
#include "wire/fields.h"
#include "wire/line.h"

#include <array>
#include <tuple>

namespace claude::wire {

class Decoder {
 public:
  Decoder(json::Reader& reader, json::Arena& arena) : in(reader), arena_(arena) {}

  json::Reader& in;
  std::vector<OtherField> other;
  // What all lists so far take beside their text, and `other`.
  std::size_t list_bytes() const { return list_bytes_; }

  // Each reads what comes next and tells whether it fitted; if not, it was left where it is.
  bool read(std::string_view& out) { return take(in.string(arena_), out); }
  bool read(bool& out) { return take(in.boolean(), out); }
  bool read(std::int64_t& out) { return take(in.integer(), out); }
  bool read(double& out) { return take(in.number(), out); }
  bool read(RawJson& out) {
    out = in.raw();
    return static_cast<bool>(out);
  }
  bool read(RequestId& out);
  bool read(Content& out);

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
    List list(*this, out);
    std::size_t index = 0;
    return list.read_all(in.each_item([&] {
      Step step(*this, index++);
      T item{};
      if (!list.has_room()) {
        in.raw();
      } else if (step.fits && read(item)) {
        out.push_back(std::move(item));
      } else {
        keep();
      }
    }));
  }
  template <class T>
  bool read(Table<T>& out) {
    if (in.kind() != json::Kind::object) return false;
    List list(*this, out);
    return list.read_all(in.each_member([&](json::Key key) {
      std::string_view name = plain(key);
      Step step(*this, name);
      T item{};
      if (!list.has_room()) {
        in.raw();
      } else if (step.fits && read(item)) {
        out.emplace_back(name, std::move(item));
      } else {
        keep();
      }
      return true;
    }));
  }
  // A variant of structs told apart by the word in their tag.
  template <class... Alternatives>
  bool read(std::variant<Alternatives...>& out) {
    using Known = Tags<std::variant<Alternatives...>>;
    if (in.kind() != json::Kind::object) return false;
    std::string_view word = peek(Known::key);
    bool known = std::apply(
        [&](auto... tag) { return ((tag.word == word && read_as(tag, out, Known::key)) || ...); },
        Known::all);
    if (!known) out = typename Known::Unknown{word, in.raw()};
    return true;
  }
  // A described struct.
  template <class Struct>
    requires std::is_class_v<Struct>
  bool read(Struct& out) {
    if (in.kind() != json::Kind::object) return false;
    out = Struct();  // of two members with one name the last one counts
    return read_object(out);
  }

  // The object that comes next, but for its tags: whoever chose the struct has read them.
  template <class Struct, std::size_t... N>
  bool read_object(Struct& out, const char (&... tag)[N]) {
    return in.each_member([&](json::Key key) {
      if ((key.is(tag) || ...)) return static_cast<bool>(in.raw());
      Match match{*this, key};
      if (!fields(match, out)) {
        Step step(*this, plain(key));
        keep();
      }
      return true;
    });
  }

  // The text of a member of the object that comes next; reads nothing.
  template <std::size_t N>
  std::string_view peek(const char (&name)[N]) {
    std::string_view text;
    auto start = in.mark();
    in.each_member([&](json::Key key) {
      if (!key.is(name)) return static_cast<bool>(in.raw());
      read(text);
      return false;
    });
    in.back_to(start);
    return text;
  }

 private:
  // Where in the line we are; made into text only when it is wanted. It also bounds how deep
  // typed values are read: content may hold tool results that hold content, without end.
  struct Place {
    const char* name;  // null: an element, by its index
    std::size_t size_or_index;
  };
  static constexpr std::size_t kMaxTypedDepth = 24;

  struct Step {
    Step(Decoder& decoder, std::string_view name)
        : Step(decoder, Place{name.empty() ? "" : name.data(), name.size()}) {}
    Step(Decoder& decoder, std::size_t index) : Step(decoder, Place{nullptr, index}) {}
    Step(Decoder& decoder, Place place) : depth(decoder.depth_), fits(depth < kMaxTypedDepth) {
      decoder.path_[depth++] = place;
    }
    ~Step() { --depth; }
    Step(const Step&) = delete;
    std::size_t& depth;
    bool fits;  // if not, what comes next may only be kept
  };

  // A list while it is read. Empty things take a hundred times the memory of their text: when the
  // lists of a line have become too large, the one at hand is left where it is.
  static constexpr std::size_t kMaxListBytes = std::size_t{32} << 20;

  template <class Items>
  class List {
   public:
    List(Decoder& decoder, Items& items)
        : decoder_(decoder),
          items_(items),
          start_(decoder.in.mark()),
          kept_(decoder.other.size()),
          bytes_(decoder.list_bytes_) {
      items_.clear();
    }
    // For one more. Once it has none, the rest is only checked.
    bool has_room() {
      if (fits_) decoder_.list_bytes_ += sizeof(typename Items::value_type);
      return fits_ = fits_ && decoder_.list_bytes_ <= kMaxListBytes;
    }
    bool read_all(bool good) {
      if (fits_ || !good) return good;
      items_ = Items();
      decoder_.list_bytes_ = bytes_;
      decoder_.other.resize(kept_);
      decoder_.in.back_to(start_);
      return false;
    }

   private:
    Decoder& decoder_;
    Items& items_;
    json::Reader::Mark start_;
    std::size_t kept_;
    std::size_t bytes_;
    bool fits_ = true;
  };

  struct Match {
    Decoder& decoder;
    json::Key key;
    // Inlined, because most names are not the one: what follows is shared by all of one type.
    template <std::size_t N, class T>
    [[gnu::always_inline]] bool operator()(const char (&name)[N], T& member) {
      if (!key.is(name)) return false;
      decoder.read_member(std::string_view(name, N - 1), member);
      return true;
    }
  };

  template <class T>
  [[gnu::noinline]] void read_member(std::string_view name, T& member) {
    Step step(*this, name);
    if (!step.fits || !read(member)) keep();
  }

  // Keeps what comes next aside, under the path that leads to it.
  [[gnu::cold]] void keep();
  std::size_t path_bytes() const;  // no less than it will have
  // The name without its escapes.
  std::string_view plain(json::Key key);

  template <class T, class Variant, std::size_t N>
  bool read_as(Tag<T>, Variant& out, const char (&tag)[N]) {
    return read_object(out.template emplace<T>(), tag);
  }

  template <class T>
  static bool take(std::optional<T> found, T& out) {
    if (found) out = *found;
    return found.has_value();
  }

  json::Arena& arena_;
  std::array<Place, kMaxTypedDepth + 1> path_;
  std::size_t depth_ = 0;
  std::size_t list_bytes_ = 0;
};

}  // namespace claude::wire
