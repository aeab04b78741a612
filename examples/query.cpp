// One question, all its messages: the shortest use of the library.
#include <claude/claude.h>

#include <iostream>

int main() {
  claude::Query query = claude::query("What is 2 + 2?");
  for (const claude::Message& message : query) {
    if (auto* said = std::get_if<claude::AssistantMessage>(&message)) std::cout << said->text();
  }
  std::cout << '\n';

  // The loop ends on an error too: the result tells.
  auto result = query.result();
  if (!result) {
    std::cerr << result.error().to_string() << '\n';
    return 1;
  }
  return result->ok() ? 0 : 1;
}
