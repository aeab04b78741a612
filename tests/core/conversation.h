// A conversation in memory: an engine between a user and a CLI, both played by the test, with a
// clock that stands still until the test moves it.
//
//   Conversation talk;
//   auto interrupt = talk.user.interrupts();
//   talk.cli.dies(exit_code{3}, "out of memory");
//   EXPECT_THAT(interrupt, ended_with(Errc::exited, "out of memory"));
//
// It watches the laws as it goes: an end that comes twice, or anything after the end of the
// session, fails the test.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/describe.h"
#include "core/engine.h"
#include "core/lines.h"

namespace claude::core {

using nlohmann::json;
using namespace std::chrono_literals;

struct exit_code {
  int value;
};
struct by_signal {
  int value;
};
// Given to a Conversation: the CLI has not answered initialize yet.
inline constexpr struct NotReady {
} not_ready;

class Conversation;

// An operation of the user, and how it ended.
struct Operation {
  Conversation* talk;
  CallId id = 0;
  std::string request_id{};        // as it stands on the wire
  std::optional<Error> refused{};  // before it was sent

  bool waits() const;
  std::optional<Error> error() const;
  std::optional<json> payload() const;  // of a success; null: it had none
};

// A prompt of the user, and its turn.
struct Prompted {
  Conversation* talk;
  TurnId id = 0;
  std::string uuid{};
  std::optional<Error> refused{};

  bool waits() const;
  std::optional<TurnEnded> ended() const;
  std::optional<Error> error() const;
  std::vector<std::string> texts() const;  // of the assistant, within this turn
};

class Conversation {
 public:
  explicit Conversation(Setup setup = usual());
  explicit Conversation(NotReady, Setup setup = usual());
  Conversation(const Conversation&) = delete;

  // Two hooks, hook_1 blocking when it fails, a permission callback, the MCP server "calc".
  static Setup usual();

  struct User {
    Conversation& talk;
    Operation calls(std::string_view request, std::chrono::milliseconds timeout = 5s);
    Operation interrupts() { return calls(R"({"subtype":"interrupt"})"); }
    Operation sets_model(const std::string& model) {
      return calls(with(R"({"subtype":"set_model","model":"$1"})", model));
    }
    Prompted sends(std::string_view text, const std::string& uuid = "");
    void answers(AskId ask, std::string_view payload);
    void fails(AskId ask, std::string_view why);
    void stops();
  } user{*this};

  struct Cli {
    Conversation& talk;
    void says(std::string_view line);  // one line, without its newline
    void sends_bytes(std::string_view bytes);
    void reads(bool does);  // what it is sent; it does unless it was told not to
    void initializes(const std::string& payload = kServerInfo);
    void answers(const Operation& call, const std::string& payload);
    void refuses(const Operation& call, const std::string& text, const std::string& code = "");
    void dies(exit_code code, std::string stderr_text = "");
    void dies(by_signal signal, std::string stderr_text = "");
    void vanishes();  // nobody knows how
    // What it was sent: all lines, and the answers to an id of its own.
    const std::vector<json>& heard() const { return talk.heard_; }
    std::vector<json> answers_to(const json& request_id) const;
    // The payload of the one answer; a failure if there is none or several.
    json answer_to(const json& request_id) const;
  } cli{*this};

  void passes(std::chrono::milliseconds time);
  Engine& engine() { return engine_; }
  TimePoint now() const { return now_; }

  // What came out, in order.
  const std::vector<Event>& events() const { return events_; }
  std::vector<Message> messages() const;
  std::vector<Asked> asked() const;
  std::vector<AskId> withdrawn() const;
  AskId last_ask() const;
  // The texts of the diagnostics of one kind at one level.
  std::vector<std::string> notes(LogLevel level, std::string_view kind) const;
  const SessionEnded* ended() const;
  std::optional<Error> error() const;  // of the session

 private:
  friend Operation;
  friend Prompted;
  void pump();
  void record(Event event);
  void take_output();

  TimePoint now_ = TimePoint() + 1h;
  Engine engine_;
  std::vector<Event> events_;
  std::map<CallId, Result<Answer>> calls_;
  std::map<TurnId, TurnEnded> turns_;
  std::vector<json> heard_;
  bool cli_reads_ = true;
  int prompts_ = 0;
};

// ---- Matchers ----------------------------------------------------------------------------------

// Of an operation, a prompt or the session itself.
MATCHER_P2(ended_with, code, text, "") {
  std::optional<Error> error = arg.error();
  *result_listener << (error ? describe(*error) : "which has no error");
  return error && error->code == code &&
         error->to_string().find(std::string(text)) != std::string::npos;
}

MATCHER_P(succeeded_with, payload, "") {
  if (auto error = arg.error()) *result_listener << describe(*error);
  return arg.payload() && *arg.payload() == json::parse(payload);
}

MATCHER(still_waits, "") {
  return arg.waits();
}

// A turn that has its result, with this text.
MATCHER_P(ended_with_result, text, "") {
  auto ended = arg.ended();
  *result_listener << (ended ? describe(Event(*ended)) : "which is not over");
  return ended && ended->result && ended->result->result.value_or("") == std::string_view(text);
}

}  // namespace claude::core
