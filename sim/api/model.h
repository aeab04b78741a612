// The scripted model: decides which reply a request gets. Thread-safe; knows no HTTP.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "conversation.h"
#include "reply.h"

namespace claude::sim_api {

class Model {
 public:
  // Throws std::exception when the scenario makes no sense.
  explicit Model(const json& scenario);

  // `session` tells conversations apart that are held at the same time.
  // Throws when the prompt carries a script that makes no sense.
  Reply answer(const json& request, const std::string& session);

 private:
  struct Turn {
    json when = json::object();  // empty: fits every prompt
    bool repeat = false;
    std::vector<Reply> replies;
    bool used = false;
  };

  // What a tool call of the scenario leads to outside of its turn.
  struct Call {
    std::string name;
    json input;
    std::vector<Reply> agent;  // what the subagent says
    std::vector<Reply> then;   // the turn that its end starts
  };

  void add_calls(const json& steps);
  // The replies of a subagent with this prompt; nullptr when the prompt is no subagent's.
  const std::vector<Reply>* agent_for(const std::string& prompt) const;
  const std::vector<Reply>* then_for(const json& ended_call) const;
  const Turn* turn_for(const std::string& key, const std::string& prompt);
  Reply step(const std::string& key, std::size_t answered, const std::vector<Reply>& replies);
  Reply choose(const Position& at, const std::string& session);

  std::mutex lock_;
  std::vector<Turn> turns_;
  std::vector<Call> calls_;
  json usage_;                                   // of a reply that does not say
  std::map<std::string, const Turn*> assigned_;  // by prompt: a turn spans several requests
  std::map<std::string, std::map<std::size_t, int>> errors_given_;  // by prompt, then by step
};

}  // namespace claude::sim_api
