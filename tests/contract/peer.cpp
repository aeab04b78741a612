// The three peers.
#include "contract/peer.h"

#include <signal.h>

#include "contract/thread_cli.h"
#include "support/real_cli.h"

namespace claude::test {
namespace {

void set_scenario(const std::string& scenario, Options& options) {
  options.cli_path = CLAUDE_SIM;
  options.environment.set["CLAUDE_SIM_SCENARIO_JSON"] = scenario;
}

class InMemory : public Peer {
 public:
  void play(const std::string& scenario, Options& options) override {
    set_scenario(scenario, options);
    options.transport = [this](const Command& command) {
      auto cli = start_thread_cli(command);
      last_ = cli->get();
      return cli;
    };
  }
  void terminate(const Session&) override { last_->terminate(); }

 private:
  Transport* last_ = nullptr;
};

class OverPipes : public Peer {
 public:
  void play(const std::string& scenario, Options& options) override {
    set_scenario(scenario, options);
  }
};

class RealCli : public Peer {
 public:
  explicit RealCli(std::string program) : program_(std::move(program)) {}

  void play(const std::string& scenario, Options& options) override {
    model_ = std::make_unique<SimApi>(scenario);
    options.cli_path = program_;
    options.environment.set["ANTHROPIC_BASE_URL"] = model_->base_url();
  }

 private:
  std::string program_;
  std::unique_ptr<SimApi> model_;
};

}  // namespace

void Peer::terminate(const Session& session) {
  kill(session.pid().value(), SIGTERM);
}

std::unique_ptr<Peer> peer_in_memory() {
  return std::make_unique<InMemory>();
}

std::unique_ptr<Peer> peer_over_pipes() {
  return std::make_unique<OverPipes>();
}

std::unique_ptr<Peer> peer_real_cli() {
  std::optional<std::string> program = real_cli_path();
  if (!program) return nullptr;
  return std::make_unique<RealCli>(*program);
}

}  // namespace claude::test
