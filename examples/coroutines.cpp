// The same operations with co_await: no thread waits while the model thinks.
#include <claude/claude.h>

#include <iostream>

claude::Task<int> talk(claude::Session session) {
  auto model = co_await session.set_model("haiku");
  if (!model) std::cerr << model.error().to_string() << '\n';

  claude::Turn turn = session.send("Name three rivers.");
  while (auto message = co_await claude::next(turn)) {
    if (auto* said = std::get_if<claude::AssistantMessage>(&*message)) std::cout << said->text();
  }
  std::cout << '\n';
  co_return 0;
}

int main() {
  auto session = claude::Session::start({});
  if (!session) {
    std::cerr << session.error().to_string() << '\n';
    return 1;
  }
  return claude::run(talk(*session));
}
