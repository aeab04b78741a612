// A scenario: what the model does and what goes wrong, from one JSON document.
//
// docs/simulator.md describes the format. This knows nothing of lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document.h"
#include "json.h"
#include "output.h"

namespace claude::sim {

// A list of steps and how far it has been played.
class Script {
 public:
  Script() = default;
  Script(Json steps, std::string path) : steps_(std::move(steps)), path_(std::move(path)) {}

  bool done() const { return next_ >= steps_.size(); }
  const Json& peek() const { return steps_[next_]; }
  Json take() { return steps_[next_++]; }
  // Where the step that was taken last stands in the document.
  std::string path() const { return path_ + "[" + std::to_string(next_ - 1) + "]"; }

 private:
  Json steps_ = Json::array();
  std::string path_;
  std::size_t next_ = 0;
};

struct TurnScript {
  Script steps;
  Script after;                           // played when the result is out
  bool raw = false;                       // no init, no hooks, no result: only what the steps write
  std::optional<std::size_t> index = {};  // among the scenario's turns
};

class Scenario {
 public:
  std::string version = "2.1.325";
  Output::Cut cut = Output::Cut::whole;
  bool ignores_eof = false;
  bool ignores_sigterm = false;
  bool watches_input = false;  // some step looks at the SDK's lines

  // Reads the document that the flag or the environment names. None: the built-in behaviour.
  static Scenario load(const std::string& path_from_flag);

  const Json& top(const char* key) const { return member(document_, key); }
  const Json& fault(const char* key) const { return member(member(document_, "faults"), key); }
  Script startup() const;
  // The turn that answers this prompt; it is used up unless it repeats.
  TurnScript turn_for(const std::string& prompt);
  // The model was never called: the turn is there for the next prompt.
  void give_back(const TurnScript& script);

 private:
  explicit Scenario(Json document);

  Json document_ = Json::object();
  std::vector<bool> used_;
};

// The steps between @@ and @@ in a prompt, or of an answer that quotes it.
Script built_in_script(const std::string& prompt);

// Does the step make the model speak (and not just the simulator act)?
bool is_message_step(const Json& step);

}  // namespace claude::sim
