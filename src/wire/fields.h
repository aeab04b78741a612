// How a struct of the vocabulary stands on the wire: the one description that the decoder, the
// encoder and the tests share.
//
//   template <class V>
//   bool fields(V& visit, Is<TextBlock> auto& block) {
//     return visit("text", block.text) || visit("citations", block.citations);
//   }
//
// A visitor returns true to end the walk: the decoder when it has found the member of a key; the
// encoder never does. Fields that come first on the wire stand first, so that they are found soon.
#pragma once

#include <concepts>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace claude::wire {

template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

// How the alternatives of a variant are told apart: `key` is the member that has the word, `all`
// a tuple of Tag, `Unknown` the alternative for any other word.
template <class Variant>
struct Tags;

template <class T>
struct Tag {
  std::string_view word;
};

}  // namespace claude::wire
