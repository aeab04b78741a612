// No turns, hooks or tools here: only rows, in their order, as fast as the SDK does its part.
#include "replay.h"

#include "cassette.h"
#include "loop.h"
#include "output.h"
#include "world.h"

namespace claude::sim {
namespace {

Cassette::Match match_of(const Args& args) {
  const std::string name = args.value("--replay-match", variable("CLAUDE_SIM_REPLAY_MATCH"));
  if (name == "loose") return Cassette::Match::loose;
  if (name.empty() || name == "strict") return Cassette::Match::strict;
  throw CassetteError{"--replay-match: must be strict or loose"};
}

// Writes until it is the SDK's turn.
void play(Cassette& cassette, Output& output, bool input_ended) {
  for (const Cassette::Row* row = cassette.next(); row; row = cassette.next()) {
    if (row->kind == Cassette::Row::Kind::to_cli) {
      if (input_ended) output.exit_now(0);
      return;
    }
    if (row->kind == Cassette::Row::Kind::from_cli) output.put(cassette.text_of(*row) + "\n");
    if (row->kind == Cassette::Row::Kind::end && row->value == "failed") output.exit_now(1);
    cassette.pass();
  }
  if (input_ended) output.exit_now(0);
}

[[noreturn]] void mismatch(const CassetteError& error) {
  complain("claude-sim: " + error.text + "\n");
  throw Ended{.code = 2};
}

template <class Step>
void or_mismatch(Step step) {
  try {
    step();
  } catch (const CassetteError& error) {
    mismatch(error);
  }
}

}  // namespace

std::string cassette_path(const Args& args) {
  return args.value("--replay", variable("CLAUDE_SIM_REPLAY"));
}

void replay(const Args& args) {
  try {
    Cassette cassette(cassette_path(args), match_of(args), variable("HOME"));
    cassette.stands_for(cassette.session_id(), args.value("--session-id"));
    Output output;
    Loop loop(output);
    loop.on_line = [&](std::string_view line) {
      or_mismatch([&] {
        cassette.take(line);
        play(cassette, output, false);
      });
    };
    loop.on_end_of_input = [&] {
      or_mismatch([&] {
        cassette.end_of_input();
        play(cassette, output, true);
      });
    };
    loop.on_signal = [&](int number) { output.exit_now(128 + number); };
    play(cassette, output, false);
    loop.run();
  } catch (const CassetteError& error) {
    mismatch(error);
  }
}

}  // namespace claude::sim
