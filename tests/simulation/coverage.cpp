// The counts and their names.
#include "coverage.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace claude::simulation {
namespace {

// In the order of Reached.
constexpr std::string_view kReached[] = {
    "state: initializing",
    "state: running",
    "state: stopped",
    "state: failed",
    "a start failed",
    "closed: the end of its input was enough",
    "closed: by SIGTERM",
    "closed: by SIGKILL",
    "closed while users waited",
    "events() told the end",
    "turn: result",
    "turn: cancelled by the CLI",
    "turn: stopped by close()",
    "turn: its mailbox overflowed",
    "turn: refused, output is full",
    "turn: ended, the CLI asks and does not read",
    "turn: the CLI died",
    "turn: its result cannot be read",
    "turn: folded into another",
    "turn: then()",
    "turn: on_message()",
    "turn: next_later()",
    "turn: two threads share it",
    "turn: dropped",
    "turn: next(limit) to the end",
    "turn: next(limit) gave up",
    "messages() had one",
    "messages() taken to its end",
    "subscribe() had a message",
    "subscribe() had the end",
    "query: taken to its end",
    "query: dropped",
    "call: answered",
    "call: refused by the CLI",
    "call: timed out",
    "call: stopped by close()",
    "call: too many wait",
    "call: not supported",
    "call: the CLI died",
    "call: then()",
    "call: get(limit) gave up",
    "ask: withdrawn",
    "ask: withdrawn after its answer",
    "ask: callback threw",
    "ask: reply dropped",
    "ask: reply kept",
    "ask: reply given later",
    "ask: on_question()",
    "fault: woken for nothing",
    "fault: poll interrupted",
    "fault: read cut",
    "fault: write blocked",
    "a write beside another visit to the transport",
    "fault: initialize unanswered",
    "fault: initialize refused",
    "fault: answer late",
    "fault: answer missing",
    "fault: answer twice",
    "fault: asked twice",
    "fault: turn without a result",
    "fault: result that cannot be read",
    "fault: noise on stdout",
    "fault: text on stderr",
    "fault: death",
    "fault: death in a line",
    "fault: exit with pipes held open",
    "fault: stdout closed",
    "fault: stdin closed",
    "fault: stdin unread",
    "fault: long pause",
    "fault: end of input ignored",
    "fault: SIGTERM ignored",
    "fault: SIGKILL without effect",
};
static_assert(std::size(kReached) == static_cast<std::size_t>(Reached::count));

Coverage* counted = nullptr;

bool print_one(std::string_view group, std::string_view name, std::uint64_t count) {
  std::printf("%12llu  %.*s%.*s\n", static_cast<unsigned long long>(count),
              static_cast<int>(group.size()), group.data(), static_cast<int>(name.size()),
              name.data());
  return count > 0;
}

}  // namespace

void count_in(Coverage* coverage) {
  counted = coverage;
}

void reached(Reached what) {
  ++counted->reached[static_cast<std::size_t>(what)];
}

bool reached_note(std::string_view kind) {
  auto found = std::find(std::begin(kNotes), std::end(kNotes), kind);
  if (found == std::end(kNotes)) return false;
  ++counted->notes[static_cast<std::size_t>(found - kNotes)];
  return true;
}

bool print(const Coverage& coverage) {
  bool all = true;
  for (std::size_t i = 0; i < std::size(kReached); ++i) {
    all &= print_one("", kReached[i], coverage.reached[i]);
  }
  for (std::size_t i = 0; i < std::size(kNotes); ++i) {
    all &= print_one("noted: ", kNotes[i], coverage.notes[i]);
  }
  return all;
}

}  // namespace claude::simulation
