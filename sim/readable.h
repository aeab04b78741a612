// The conversation as people read it: prompts, words, and how many tools were used between them.
#pragma once

#include <string>

#include "json.h"

namespace claude::sim {

class Readable {
 public:
  void add_prompt(const std::string& prompt);
  // An assistant line.
  void add_message(const Json& line);

  // Tools since the last words are told, too.
  std::string text() const;
  const std::string& first_prompt() const { return first_prompt_; }

 private:
  std::string tools() const;
  void add(const std::string& paragraph);

  std::string text_;
  std::string first_prompt_;
  int files_read_ = 0;
  int commands_ = 0;
};

}  // namespace claude::sim
