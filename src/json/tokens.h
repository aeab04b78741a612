// Where in a text its tokens are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace claude::json {

// The tokens of a text. Their memory goes from text to text on the same thread, but for that of a
// huge text, which is given back.
class Tokens {
 public:
  // The text has kPaddingBytes readable bytes behind it.
  explicit Tokens(std::string_view text) : Tokens(text, 0) {}
  // Of a part of a text that was read before and still stands where it stood. Its tokens are taken
  // from there if this thread has read no other text since; `whole` is the number() of that
  // reading.
  [[gnu::hot]] Tokens(std::string_view part, std::uint64_t whole);
  [[gnu::hot]] ~Tokens();
  Tokens(const Tokens&) = delete;

  // The byte offset of each token, and of one more: where the text ends, or behind that. Null when
  // the text is no JSON.
  const std::uint32_t* first() const { return first_; }
  // Then this says why and at which byte.
  const std::string& problem() const { return problem_; }
  // What the offsets count from.
  const char* begin() const;
  // Names this reading, to find the tokens of a part again. Never 0.
  std::uint64_t number() const;

 private:
  struct Stage;
  struct Spare;
  [[gnu::hot]] void read(std::string_view text);

  std::unique_ptr<Stage> stage_;
  const std::uint32_t* first_ = nullptr;
  std::string problem_;
};

}  // namespace claude::json
