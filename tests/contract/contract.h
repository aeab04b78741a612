// The contract: what the library promises, whatever it talks with (peer.h). Each promise is a test
// that runs unchanged on every peer.
//
//   TEST_P(Contract, ATurnEndsWithItsResult) {
//     Session session = play(R"({"turns": [{"model": [{"text": "Hi."}]}]})");
//     EXPECT_EQ(session.send("hello").result()->message.result, "Hi.");
//   }
//
// Change `options` before play(). Files stand in `project`.
#pragma once

#include <claude/claude.h>
#include <gmock/gmock.h>

#include "contract/peer.h"
#include "support/temp_dir.h"

namespace claude::test {

// What a whole turn brought.
struct Played {
  std::vector<Message> messages;
  TurnResult result;

  // By the model: its texts, and those of its stream.
  std::string said() const;
  std::string streamed() const;
  // What the tools gave back to it, refusals as well.
  std::vector<std::string> tool_results() const;
};

struct PeerKind {
  const char* name;
  std::unique_ptr<Peer> (*make)();
  friend void PrintTo(const PeerKind& kind, std::ostream* out) { *out << kind.name; }
};

class Contract : public testing::TestWithParam<PeerKind> {
 protected:
  Contract();
  // Skips where the real CLI is not there; with CI=true that is a failure.
  void SetUp() override;

  // From now on `options` lead to a CLI whose model does what the scenario says.
  void set_scenario(const std::string& scenario) { peer_->play(scenario, options); }
  // A session with such a CLI. A second one finds what the first has kept on disk.
  Session play(const std::string& scenario);
  Result<Session> try_to_play(const std::string& scenario);

  // Plays a turn to its end.
  static Played run(Session& session, Prompt prompt = "go");

  void terminate(const Session& session) { peer_->terminate(session); }

  bool exists(const std::string& name) const { return std::filesystem::exists(at(name)); }
  std::filesystem::path at(const std::string& name) const { return project.path() / name; }

  TempDir project;
  Options options;

 private:
  TempDir home_;
  std::unique_ptr<Peer> peer_;
};

// A scenario whose only turn writes made.txt and says "Done."
inline constexpr const char* kWritesAFile = R"({"turns": [{"model": [
    {"tool": "Write", "input": {"file_path": "made.txt", "content": "1\n"}},
    {"text": "Done."}]}]})";

}  // namespace claude::test
