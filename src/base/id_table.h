// Values by number, in the order of their numbers. For the few things that are open at a time: a
// sorted list costs no allocation for each of them, as a tree does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace claude::base {

template <class Value>
class IdTable {
 public:
  struct Entry {
    std::uint64_t id;
    Value value;
  };

  // A number that is not there yet.
  template <class V>
  Value& add(std::uint64_t id, V&& value) {
    if (entries_.empty() || entries_.back().id < id) {
      return entries_.emplace_back(id, std::forward<V>(value)).value;
    }
    return entries_.insert(place_of(id), Entry{id, std::forward<V>(value)})->value;
  }
  // Good until the table changes; null where there is none.
  Value* find(std::uint64_t id) {
    auto place = place_of(id);
    return place != entries_.end() && place->id == id ? &place->value : nullptr;
  }
  // One that is there.
  void remove(std::uint64_t id) { entries_.erase(place_of(id)); }
  // Removes it and gives it back.
  std::optional<Value> take(std::uint64_t id) {
    auto place = place_of(id);
    if (place == entries_.end() || place->id != id) return std::nullopt;
    std::optional<Value> taken(std::move(place->value));
    entries_.erase(place);
    return taken;
  }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

 private:
  auto place_of(std::uint64_t id) { return std::ranges::lower_bound(entries_, id, {}, &Entry::id); }

  std::vector<Entry> entries_;
};

}  // namespace claude::base
