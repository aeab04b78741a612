// A simulated CLI for your own tests: say what the model does, run your agent on it, look at what
// your agent sent. No account, no network, no sleeps. Link claude::sim; claude.h leaves this out.
//
//   claude::Sim sim;
//   sim.turn().tool("Write", {{"file_path", "a.txt"}, {"content", "5"}}).text("Done.");
//   MyAgent agent(sim.options());
//   EXPECT_EQ(agent.run("add 2 and 3"), "Done.");
//   EXPECT_TRUE(sim.permissions().at(0).denied);
//
// docs/testing.md is the introduction, docs/simulator.md the reference of scenarios.
#pragma once

#include <claude/json.h>
#include <claude/options.h>

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// The target claude::sim says where the program is. Without CMake, give its path to Sim.
#ifndef CLAUDE_SIM_PROGRAM
#define CLAUDE_SIM_PROGRAM "claude-sim"
#endif

namespace claude {

// What the model does in one turn, step after step. Thinking, text and a tool call that follow each
// other are one message of it; one without a tool call is its last, as far as hooks allow.
class SimTurn {
 public:
  SimTurn& thinking(std::string_view words);
  SimTurn& text(std::string_view words);

  // A tool call. Read, Write and Edit act on the files of Sim::folder(); any other gives back what
  // the next call says.
  SimTurn& tool(std::string_view name, std::initializer_list<Json::Member> input = {});
  SimTurn& gives(std::string_view output);
  SimTurn& fails(std::string_view message);
  // A call of a tool that lives in your process.
  SimTurn& mcp_tool(std::string_view server, std::string_view name,
                    std::initializer_list<Json::Member> arguments = {});
  // Asks the user to choose one of these.
  SimTurn& question(std::string_view question, std::initializer_list<std::string_view> labels);

  // What goes wrong: the API refuses; the CLI dies; it falls silent until it is interrupted.
  SimTurn& api_error(int status, std::string_view message);
  SimTurn& exits(int code, std::string_view stderr_text = {});
  SimTurn& hangs();

  // Any other step of a scenario, as JSON: R"({"emit_text": "no JSON\n"})".
  SimTurn& step(std::string_view json);

 private:
  friend class Sim;
  SimTurn& add(Json step);
  SimTurn& say(std::string_view key, Json value);
  void set_on_last(std::string_view key, Json value);
  Json document() const;

  std::string when_;
  std::vector<Json> steps_;
  std::string mistake_;  // a step that is no JSON
};

// Something that the CLI asked of your code, and the answer.
struct SimAnswer {
  std::string about;    // the tool; of a hook without one the event; of an MCP message its method
  bool denied = false;  // refused, blocked or stopped; of MCP: answered with an error
  std::string reason;   // that your code gave
  Json request;         // both as they stand on the wire; the answer is null if none was sent
  Json answer;
};

enum class SimMatch : std::uint8_t { strict, loose };

class Sim {
 public:
  explicit Sim(std::string program = CLAUDE_SIM_PROGRAM);
  ~Sim();  // the folder goes with it
  Sim(const Sim&) = delete;
  Sim& operator=(const Sim&) = delete;

  // ---- What happens: before options() ----
  // The next prompt's turn; or that of the next prompt that contains these words.
  SimTurn& turn(std::string_view prompt_contains = {});
  // Further members of the scenario, as JSON: R"({"faults": {...}, "startup": [...]})".
  Sim& with(std::string_view json);
  // A scenario from a file, or a recorded session (claude::Recorder), instead of all that.
  Sim& scenario_file(const std::string& path);
  Sim& replay(const std::string& cassette, SimMatch match = SimMatch::strict);

  // Your options, but for a session that runs on claude-sim, in folder() unless they name a place.
  Options options(Options yours = {}) const;
  // The CLI's working directory, private and empty at first.
  const std::string& folder() const { return folder_; }
  // The scenario as it will be played.
  std::string scenario() const;

  // ---- What your code sent: afterwards ----
  std::vector<std::string> prompts() const;
  std::vector<SimAnswer> permissions() const;  // questions to the user among them
  std::vector<SimAnswer> hooks() const;
  std::vector<SimAnswer> mcp_messages() const;
  // Every line of the wire.
  std::vector<Json> sent() const;
  std::vector<Json> received() const;

 private:
  class Tap;
  std::vector<SimAnswer> answers_to(std::string_view kind) const;

  std::string program_;
  std::string root_;
  std::string folder_;
  std::deque<SimTurn> turns_;
  Json more_ = Json::object();
  std::string mistake_;
  std::map<std::string, std::string> instead_;  // variables that name a file to play
  std::shared_ptr<Tap> tap_;
};

}  // namespace claude
