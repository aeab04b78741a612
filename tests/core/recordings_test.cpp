// Recordings of the real CLI, played to the engine: what the user did is done again, what the CLI
// said is said again.
#include <filesystem>
#include <fstream>

#include "core/conversation.h"

namespace claude::core {
namespace {

using ::testing::ElementsAre;

using Lines = std::vector<json>;  // {"dir": "in" | "out", "line": ...}

std::filesystem::path folder() {
  return std::filesystem::path(PROJECT_SOURCE_DIR) / "tests/data/transcripts";
}

Lines read(const std::filesystem::path& path) {
  Lines lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  return lines;
}

bool is(const json& line, const char* type) {
  return line.is_object() && line.value("type", "") == type;
}

// Whether the recording begins as we begin, with ids that ours can stand for, and whether all that
// was sent makes sense.
bool can_be_played(const Lines& lines) {
  int requests = 0;
  for (const json& each : lines) {
    const json& line = each["line"];
    if (each["dir"] != "in") continue;
    if (!line.is_object()) return false;
    if (requests == 0 && !is(line, "control_request")) return false;
    if (!is(line, "control_request")) continue;
    if (!line.contains("request") || !line["request"].is_object()) return false;
    if (line.value("request_id", json()) != "req_" + std::to_string(++requests)) return false;
  }
  return requests > 0;
}

class Player {
 public:
  explicit Player(const Lines& lines) : talk(not_ready) {
    for (const json& each : lines) {
      if (each["dir"] == "in") {
        in(each["line"]);
      } else {
        out(each["line"]);
      }
    }
  }

  Conversation talk;
  std::vector<Operation> calls{};
  std::vector<Prompted> prompts{};
  std::size_t unnamed = 0;  // prompts that were sent without a uuid
  std::size_t prompted_results = 0;
  std::size_t answered_calls = 0;

 private:
  void in(const json& line) {
    if (is(line, "control_request")) {
      // The first one was sent by the start itself.
      if (line["request_id"] != "req_1") calls.push_back(talk.user.calls(line["request"].dump()));
    } else if (is(line, "control_response")) {
      answer(line.value("response", json::object()));
    } else if (is(line, "user")) {
      std::string uuid = line.value("uuid", "");
      if (uuid.empty()) ++unnamed;
      prompts.push_back(talk.user.sends(line.dump(), uuid));
    }
  }

  void answer(const json& response) {
    for (const Asked& asked : talk.asked()) {
      if (json::parse(asked.request.id.json.text()) != response.value("request_id", json()))
        continue;
      talk.user.answers(asked.ask, response.value("response", json::object()).dump());
    }
  }

  void out(json line) {
    if (!line.is_object()) return;  // a note in place of a line that was too long to keep
    if (is(line, "result") && !line.contains("origin")) ++prompted_results;
    if (is(line, "control_response")) {
      json& id = line["response"]["request_id"];
      if (id != "req_1") ++answered_calls;
      if (id.is_string()) id = id.get<std::string>() + "_5e1f";
    }
    talk.cli.says(line.dump());
  }
};

TEST(Recordings, EachIsUnderstood) {
  std::size_t played = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder())) {
    if (file.path().extension() != ".ndjson") continue;
    SCOPED_TRACE(file.path().filename().string());
    Lines lines = read(file.path());
    if (!can_be_played(lines)) continue;
    Player player(lines);
    ++played;

    EXPECT_EQ(player.talk.engine().counts().bad_lines, 0u);
    if (player.talk.engine().state() == SessionState::running) {
      auto ended =
          std::ranges::count_if(player.calls, [](const auto& call) { return !call.waits(); });
      EXPECT_EQ(static_cast<std::size_t>(ended), player.answered_calls);
    }
    // Where all prompts had a uuid, or none had, each result that was prompted ends one.
    if (player.unnamed == 0 || player.unnamed == player.prompts.size()) {
      auto ended =
          std::ranges::count_if(player.prompts, [](const auto& each) { return !each.waits(); });
      EXPECT_EQ(static_cast<std::size_t>(ended),
                std::min(player.prompted_results, player.prompts.size()));
    }
  }
  EXPECT_GT(played, 150u);
}

// F16
TEST(Recordings, TwoPromptsAtOnce) {
  Player player(read(folder() / "02c_two_prompts_at_once.ndjson"));
  ASSERT_EQ(player.prompts.size(), 2u);
  EXPECT_THAT(player.prompts[0], ended_with_result("a1"));
  EXPECT_THAT(player.prompts[1], ended_with_result("b1"));
  EXPECT_THAT(player.prompts[0].texts(), ElementsAre("a1"));
  EXPECT_THAT(player.prompts[1].texts(), ElementsAre("b1"));
}

// F16
TEST(Recordings, TheNewsOfABackgroundAgentBelongToNoPrompt) {
  Player player(read(folder() / "13b_subagent_background.ndjson"));
  ASSERT_EQ(player.prompts.size(), 1u);
  EXPECT_THAT(player.prompts[0], ended_with_result("launched."));
  EXPECT_FALSE(player.talk.engine().has_open_turns());
}

TEST(Recordings, AnInterruptWithAQueuedPrompt) {
  Player player(read(folder() / "07c_interrupt_idle_and_queue.ndjson"));
  ASSERT_EQ(player.prompts.size(), 5u);
  const auto& prompts = player.prompts;
  EXPECT_TRUE(prompts[1].ended()->result->is_error);         // interrupted
  EXPECT_THAT(prompts[2], ended_with_result("b-answer"));    // survived in the queue
  EXPECT_TRUE(prompts[3].ended()->result->is_error);         // interrupted
  EXPECT_THAT(prompts[4], ended_with(Errc::cancelled, ""));  // dropped by cancel_queued
}

}  // namespace
}  // namespace claude::core
