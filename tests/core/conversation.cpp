// The engine's input and output, driven by what a test says. JSON is read here by nlohmann: it
// shares no code with what it judges.
#include "core/conversation.h"

#include "wire/names.h"

namespace claude::core {

// ---- Handles -----------------------------------------------------------------------------------

bool Operation::waits() const {
  return !refused && !talk->calls_.contains(id);
}

std::optional<Error> Operation::error() const {
  if (refused || waits()) return refused;
  const Result<Answer>& result = talk->calls_.at(id);
  return result ? std::nullopt : std::optional(result.error());
}

std::optional<json> Operation::payload() const {
  if (waits() || error()) return std::nullopt;
  std::string_view text = talk->calls_.at(id)->payload.text();
  return text.empty() ? json() : json::parse(text);
}

bool Prompted::waits() const {
  return !refused && !ended();
}

std::optional<TurnEnded> Prompted::ended() const {
  auto found = talk->turns_.find(id);
  return found == talk->turns_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Error> Prompted::error() const {
  return ended() ? ended()->error : refused;
}

std::vector<std::string> Prompted::texts() const {
  std::vector<std::string> texts;
  for (const Event& event : talk->events()) {
    auto* arrived = std::get_if<MessageArrived>(&event);
    if (!arrived || arrived->turn != id) continue;
    if (auto* answer = std::get_if<AssistantMessage>(&arrived->message)) {
      texts.push_back(answer->text());
    }
  }
  return texts;
}

// ---- Setting up --------------------------------------------------------------------------------

Setup Conversation::usual() {
  Setup setup;
  setup.initialize = wire::request(wire::kInitialize);
  setup.hooks = {
      {.event = "PreToolUse", .if_failed = R"({"continue":true})"},
      {.event = "PreToolUse", .timeout = 2s, .if_failed = R"({"decision":"block"})"},
  };
  setup.permissions = true;
  setup.mcp_servers = {"calc"};
  setup.id_suffix = "5e1f";
  return setup;
}

Conversation::Conversation(NotReady, Setup setup) : engine_(std::move(setup)) {
  engine_.start(now_);
  pump();
}

Conversation::Conversation(Setup setup) : Conversation(not_ready, std::move(setup)) {
  cli.initializes();
}

// ---- The user ----------------------------------------------------------------------------------

Operation Conversation::User::calls(std::string_view request, std::chrono::milliseconds timeout) {
  Operation made{&talk};
  const Json asked = Json::parse(request).value();
  auto call = talk.engine_.call(wire::request(asked["subtype"].text(), asked), timeout, talk.now_);
  if (call) {
    made.id = *call;
    made.request_id = "req_" + std::to_string(*call) + "_5e1f";
  } else {
    made.refused = call.error();
  }
  talk.pump();
  return made;
}

Prompted Conversation::User::sends(std::string_view text, const std::string& uuid) {
  Prompted made{&talk};
  made.uuid = uuid.empty() ? "prompt-" + std::to_string(++talk.prompts_) : uuid;
  auto turn = talk.engine_.send(Json(text), made.uuid, {}, talk.now_);
  if (turn) {
    made.id = *turn;
  } else {
    made.refused = turn.error();
  }
  talk.pump();
  return made;
}

void Conversation::User::answers(AskId ask, std::string_view payload) {
  talk.engine_.answer(ask, payload);
  talk.pump();
}

void Conversation::User::fails(AskId ask, std::string_view why) {
  talk.engine_.answer_failed(ask, why);
  talk.pump();
}

void Conversation::User::stops() {
  talk.engine_.stop();
  talk.pump();
}

// ---- The CLI -----------------------------------------------------------------------------------

void Conversation::Cli::says(std::string_view line) {
  sends_bytes(std::string(line) + '\n');
}

void Conversation::Cli::sends_bytes(std::string_view bytes) {
  talk.engine_.feed(bytes);
  talk.pump();
}

void Conversation::Cli::reads(bool does) {
  talk.cli_reads_ = does;
  talk.pump();
}

void Conversation::Cli::initializes(const std::string& payload) {
  says(success("req_1_5e1f", payload));
}

void Conversation::Cli::answers(const Operation& call, const std::string& payload) {
  says(success(call.request_id, payload));
}

void Conversation::Cli::refuses(const Operation& call, const std::string& text,
                                const std::string& code) {
  says(refusal(call.request_id, text, code));
}

void Conversation::Cli::dies(exit_code code, std::string stderr_text) {
  talk.engine_.peer_ended({.code = code.value, .signal = {}}, std::move(stderr_text));
  talk.pump();
}

void Conversation::Cli::dies(by_signal signal, std::string stderr_text) {
  talk.engine_.peer_ended({.code = {}, .signal = signal.value}, std::move(stderr_text));
  talk.pump();
}

void Conversation::Cli::vanishes() {
  talk.engine_.peer_ended({}, {});
  talk.pump();
}

std::vector<json> Conversation::Cli::answers_to(const json& request_id) const {
  std::vector<json> found;
  for (const json& line : heard()) {
    if (line["type"] != "control_response") continue;
    if (line["response"]["request_id"] == request_id) found.push_back(line["response"]);
  }
  return found;
}

json Conversation::Cli::answer_to(const json& request_id) const {
  std::vector<json> answers = answers_to(request_id);
  EXPECT_EQ(answers.size(), 1u) << "answers to " << request_id;
  return answers.empty() ? json() : answers.front().value("response", json());
}

// ---- What comes out ----------------------------------------------------------------------------

void Conversation::passes(std::chrono::milliseconds time) {
  now_ += time;
  pump();
}

void Conversation::pump() {
  Event event;
  while (engine_.next(event, now_)) record(std::move(event));
  if (cli_reads_) take_output();
}

void Conversation::record(Event event) {
  EXPECT_EQ(ended(), nullptr) << "after the end came: " << describe(event);
  if (auto* call = std::get_if<CallEnded>(&event)) {
    EXPECT_TRUE(calls_.emplace(call->call, call->result).second) << "twice: " << describe(event);
  } else if (auto* turn = std::get_if<TurnEnded>(&event)) {
    EXPECT_TRUE(turns_.emplace(turn->turn, *turn).second) << "twice: " << describe(event);
  }
  events_.push_back(std::move(event));
}

void Conversation::take_output() {
  const std::string_view output = engine_.output();
  for (std::size_t begin = 0; begin < output.size();) {
    std::size_t end = output.find('\n', begin);
    heard_.push_back(json::parse(output.substr(begin, end - begin)));
    begin = end + 1;
  }
  engine_.written(output.size());
}

namespace {

template <class T>
std::vector<T> all(const std::vector<Event>& events) {
  std::vector<T> found;
  for (const Event& event : events) {
    if (auto* wanted = std::get_if<T>(&event)) found.push_back(*wanted);
  }
  return found;
}

}  // namespace

std::vector<Message> Conversation::messages() const {
  std::vector<Message> messages;
  for (const MessageArrived& arrived : all<MessageArrived>(events_)) {
    messages.push_back(arrived.message);
  }
  return messages;
}

std::vector<Asked> Conversation::asked() const {
  return all<Asked>(events_);
}

std::vector<AskId> Conversation::withdrawn() const {
  std::vector<AskId> ids;
  for (const AskWithdrawn& each : all<AskWithdrawn>(events_)) ids.push_back(each.ask);
  return ids;
}

AskId Conversation::last_ask() const {
  EXPECT_FALSE(asked().empty()) << "the CLI asked nothing";
  return asked().empty() ? 0 : asked().back().ask;
}

std::vector<std::string> Conversation::notes(LogLevel level, std::string_view kind) const {
  std::vector<std::string> texts;
  for (const Diagnostic& note : all<Diagnostic>(events_)) {
    if (note.level == level && note.kind == kind) texts.push_back(note.text);
  }
  return texts;
}

const SessionEnded* Conversation::ended() const {
  return events_.empty() ? nullptr : std::get_if<SessionEnded>(&events_.back());
}

std::optional<Error> Conversation::error() const {
  return ended() ? ended()->error : std::nullopt;
}

}  // namespace claude::core
