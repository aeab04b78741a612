// A session with claude-sim over real pipes, for tests that look at the library as its users do.
//
//   class Turns : public SimTest {};
//   TEST_F(Turns, EndWithTheirResult) {
//     play(R"({"turns": [{"model": [{"text": "Hi"}]}]})");
//     Session session = start();
//     EXPECT_EQ(said(session.send("Hello")), "Hi");
//   }
//
// Change `options` before start(). docs/simulator.md describes scenarios.
#pragma once

#include <claude/claude.h>
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "session/watch.h"
#include "support/child_process.h"
#include "support/temp_dir.h"

namespace claude::test {

// Steps for play_turn() that many tests have: one tool, and a word at the end.
inline constexpr const char* kMakeThenDone =
    R"([{"tool": "Bash", "input": {"command": "make"}, "output": "made"}, {"text": "Done."}])";

class SimTest : public ::testing::Test {
 protected:
  SimTest();

  // The scenario that the CLI plays: JSON text.
  void play(const std::string& scenario);
  // A scenario of one turn: these steps, as JSON text of a list.
  void play_turn(const std::string& steps);

  Session start();
  // The error of a start that must fail.
  Error start_error();

  TempDir project;  // the CLI's working directory
  TempDir home;     // where it keeps its sessions
  std::shared_ptr<Watch> wire = std::make_shared<Watch>();
  Log log;
  Options options;
};

// What a whole turn brought.
struct Seen {
  std::vector<Message> messages;
  Result<TurnResult> result;

  std::string said() const;                       // by the model, all its texts
  std::vector<std::string> tool_results() const;  // their texts
  template <class T>
  std::vector<T> all() const {
    std::vector<T> found;
    for (const Message& message : messages) {
      if (auto* wanted = std::get_if<T>(&message)) found.push_back(*wanted);
    }
    return found;
  }
};
Seen watch(Turn turn);

// The answer text of a turn, from its result.
std::string said(Turn turn);
// What the model says in all of a query.
std::string all_said(Query& query);

}  // namespace claude::test
