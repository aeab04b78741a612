// What a session may talk with. A promise of the library holds with each of them.
//
// Each plays the same scenario, in a home and a project folder of its own, with nothing of this
// machine's configuration.
#pragma once

#include <claude/options.h>
#include <claude/session.h>

#include <memory>
#include <string>

namespace claude::test {

class Peer {
 public:
  virtual ~Peer() = default;
  // Points the options at this peer, which will play the scenario.
  virtual void play(const std::string& scenario, Options& options) = 0;
  // Sends SIGTERM to the CLI of this session.
  virtual void terminate(const Session& session);
};

// A simulated CLI on a thread of this process; claude-sim as a child; the real CLI, whose model is
// claude-sim-api. Null where there is no such CLI.
std::unique_ptr<Peer> peer_in_memory();
std::unique_ptr<Peer> peer_over_pipes();
std::unique_ptr<Peer> peer_real_cli();

}  // namespace claude::test
