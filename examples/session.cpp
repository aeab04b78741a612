// A conversation: several prompts, text as it is written, operations in between.
#include <claude/claude.h>

#include <iostream>

int main() {
  auto session = claude::Session::start({.partial_messages = true});
  if (!session) {
    std::cerr << session.error().to_string() << '\n';
    return 1;
  }

  for (const char* prompt : {"Name three rivers.", "Which of them is the longest?"}) {
    claude::Turn turn = session->send(prompt);
    for (const claude::Message& message : turn) {
      if (auto* piece = std::get_if<claude::StreamEvent>(&message)) {
        std::cout << piece->text() << std::flush;
      }
    }
    auto result = turn.result();
    if (!result || !result->ok()) {
      std::cerr << (result ? *result->error() : result.error()).to_string() << '\n';
      return 1;
    }
    std::cout << "\n(" << result->cost_usd.value_or(0) << " USD)\n";

    auto changed = session->set_model("haiku").get();  // waits for the CLI's answer
    if (!changed) std::cerr << changed.error().to_string() << '\n';
  }
  session->close();
}
