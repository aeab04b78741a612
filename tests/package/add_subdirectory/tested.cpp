// Somebody else's test: a session on the simulated CLI that the target claude::sim names.
#include <claude/claude.h>
#include <claude/sim.h>

int main() {
  claude::Sim sim;
  sim.turn().text("Hi.");
  auto result = claude::query("hello", sim.options()).result();
  return result && result->message.result.value_or("") == "Hi." ? 0 : 1;
}
