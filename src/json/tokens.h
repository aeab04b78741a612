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
  explicit Tokens(std::string_view text);
  ~Tokens();
  Tokens(const Tokens&) = delete;

  // The byte offset of each token, and one more: text.size(). Null when the text is no JSON.
  const std::uint32_t* first() const { return first_; }
  // Then this says why and at which byte.
  const std::string& problem() const { return problem_; }

 private:
  struct Stage;
  static std::unique_ptr<Stage>& spare_of_thread();

  std::unique_ptr<Stage> stage_;
  const std::uint32_t* first_ = nullptr;
  std::string problem_;
};

}  // namespace claude::json
