// The script of the CLI. Its pipes and its misfortunes are in cli_pipes.cpp.
#include "cli.h"

#include "core/lines.h"

namespace claude::simulation {

using namespace std::chrono_literals;
using core::with;

namespace {

constexpr std::size_t kTrouble[] = {0, 0, 60, 25, 12};
constexpr std::size_t kPipeBytes[] = {65536, 65536, 4096, 100};
constexpr Duration kPauses[] = {0ms, 0ms, 0ms, 1ms, 4ms, 40ms, 2s};
// Each carries its id also where its callback can read it.
constexpr const char* kAsks[] = {
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"hook_callback","callback_id":"hook_0","input":{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}},"tool_use_id":"$1"}})",
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"$1"}})",
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":7,"method":"$1"}}})",
    R"({"type":"control_request","request_id":"$1","request":{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":{"questions":[{"question":"Which?","header":"h","options":[{"label":"this","description":"d"}],"multiSelect":false}]},"tool_use_id":"$1"}})"};
// How long it waits for the answer to what it asked: longer than a hook has.
constexpr Duration kPatience = 100s;

}  // namespace

Character::Character(Decisions& decide)
    : trouble(decide.of(kTrouble)),
      is_process(!decide.one_in(5)),
      tells_exit(!decide.one_in(8)),
      names_prompts(!decide.one_in(4)),
      carries_control(!decide.one_in(40)),
      writes_apart(decide.one_in(2)),
      ignores_end(decide.one_in(8)),
      ignores_terminate(decide.one_in(6)),
      ignores_kill(decide.one_in(12)),
      input_bytes(decide.of(kPipeBytes)),
      output_bytes(decide.of(kPipeBytes)) {}

Cli::Cli(World& world, Laws& laws, const Character& character)
    : world_(world),
      laws_(laws),
      character_(character),
      in_(world, character.input_bytes),
      out_(world, character.output_bytes),
      errors_(world, 65536),
      exit_fd_(world.open_descriptor()) {}

// ---- Its life ----------------------------------------------------------------------------------

void Cli::live() {
  try {
    begin();
    while (!in_.at_end() || !prompts_.empty()) {
      if (prompts_.empty()) {
        between_turns();
      } else {
        play_turn();
      }
    }
    while (character_.ignores_end) {
      reached(Reached::end_ignored);
      pass(1h);
    }
    leave({.code = 0, .signal = {}});
  } catch (const Died& death) {
    leave(death.exit);
  }
}

void Cli::begin() {
  while (!initialized_ && character_.carries_control && !in_.at_end()) pass(1h);
}

void Cli::between_turns() {
  if (!late_answers_.empty()) {
    answer(late_answers_.front());
    late_answers_.pop_front();
  } else if (character_.names_prompts && world_.decide.one_in(8)) {
    say_message("");
  }
  pass(late_answers_.empty() && prompts_.empty() ? 1h : world_.decide.of(kPauses));
}

void Cli::play_turn() {
  std::string uuid = std::move(prompts_.front());
  prompts_.pop_front();
  if (character_.names_prompts) {
    if (world_.decide.one_in(10)) {
      if (say(core::lifecycle(uuid, "cancelled"))) laws_.turn(uuid).over = true;
      return;
    }
    say(core::lifecycle(uuid, "started"));
  }
  std::string folded;
  for (std::size_t steps = world_.decide.below(8); steps > 0; --steps) {
    pass(world_.decide.of(kPauses));
    switch (world_.decide.below(6)) {
      case 4:
        ask();
        break;
      case 5:
        if (!late_answers_.empty()) {
          answer(late_answers_.front());
          late_answers_.pop_front();
        } else if (character_.names_prompts && !prompts_.empty() && folded.empty()) {
          folded = std::move(prompts_.front());
          prompts_.pop_front();
          say(core::lifecycle(folded, "started"));
        }
        break;
      default:
        say_message(uuid);
    }
  }
  if (trouble()) {
    reached(Reached::turn_without_result);
    // Without names the next turn's messages would be taken for this one's.
    while (!character_.names_prompts) pass(1h);
    return;
  }
  finish_turn(uuid, folded);
}

void Cli::finish_turn(const std::string& uuid, const std::string& folded) {
  std::string names = with(R"("user_message_uuid":"$1","user_message_uuids":["$1"],)", uuid);
  if (!folded.empty()) {
    reached(Reached::turn_folded);
    names = with(R"("user_message_uuid":"$1","user_message_uuids":["$1","$2"],)", uuid, folded);
  }
  if (!character_.names_prompts) names.clear();
  TurnRecord& turn = laws_.turn(uuid);
  const bool is_lost = trouble();
  if (is_lost) {
    reached(Reached::result_unreadable);
    if (!say(core::result("", "1e999", names))) return;
  } else {
    std::string mark = next_mark(&turn, uuid);
    bool well = !world_.decide.one_in(5);
    if (!say(well ? core::result(mark, "0.5", names) : core::failed_result(mark, names))) return;
    ++turn.said;
  }
  for (const std::string& each : {uuid, folded}) {
    if (each.empty()) continue;
    laws_.turn(each).over = true;
    laws_.turn(each).lost = is_lost;
  }
}

// ---- What it hears -----------------------------------------------------------------------------

// Time passes; what comes meanwhile is heard.
void Cli::pass(Duration time) {
  bool hears = !deaf_ && !in_.at_end();
  auto called = [&] {
    return disconnected_ || killed_ || terminated_ || (hears && (in_.size() > 0 || in_.at_end()));
  };
  world_.wait(called, world_.now() + time);
  obey_signals();
  if (trouble()) misfortune();
  listen();
}

void Cli::listen() {
  if (deaf_ || in_.size() == 0) return;
  char bytes[512];
  std::size_t most = world_.decide.one_in(3) ? 1 + world_.decide.below(200) : sizeof bytes;
  heard_.append(bytes, in_.take(bytes, most));
  for (std::size_t end; (end = heard_.find('\n')) != heard_.npos;) {
    std::string line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    hear(line);
  }
}

void Cli::hear(std::string_view line) {
  std::string_view type = member(line, "type");
  if (type == "user") prompts_.emplace_back(member(line, "uuid"));
  if (type == "control_request") hear_request(line);
}

void Cli::hear_request(std::string_view line) {
  std::string id(member(line, "request_id"));
  if (member(line, "subtype") == "initialize") {
    initialized_ = true;
    if (trouble()) return reached(Reached::initialize_unanswered);
    if (trouble()) {
      reached(Reached::initialize_refused);
      if (say(core::refusal(id, "no", "x"))) laws_.call(0).due = world_.now();
    } else {
      CallRecord& initialize = laws_.call(0);
      std::string info = world_.decide.one_in(16) ? "{}" : core::kServerInfo;
      initialize.answered = say(core::success(id, info)) && world_.now() < initialize.due;
    }
    return;
  }
  std::string_view subtype = member(line, "subtype");
  std::string_view name = subtype == "set_model" ? member(line, "model") : subtype;
  int number = name.starts_with("op") ? std::stoi(std::string(name.substr(2))) : kInterrupts;
  bool refusal = world_.decide.one_in(6);
  std::string payload = with(R"({"number":"$1","model":"op$1"})", std::to_string(number));
  LateAnswer reply{refusal ? core::refusal(id, "no", "x") : core::success(id, payload), number,
                   refusal};
  switch (world_.decide.below(8)) {
    case 4:
    case 5:
      late_answers_.push_back(std::move(reply));
      return reached(Reached::answer_delayed);
    case 6:
      return reached(Reached::answer_missing);
    case 7:
      reached(Reached::answer_double);
      answer(reply);
      say(reply.line);
      return;
    default:
      answer(reply);
  }
}

void Cli::answer(const LateAnswer& late) {
  CallRecord& call = laws_.call(late.call);
  if (!say(late.line)) return;
  (late.refusal ? call.refused : call.answered) = true;
}

// ---- What it says ------------------------------------------------------------------------------

std::string Cli::next_mark(TurnRecord* turn, const std::string& uuid) {
  std::string number = turn ? std::to_string(turn->said + 1) : "0";
  return with("mark:$1#$2@$3", uuid, number, std::to_string(++messages_));
}

void Cli::say_message(const std::string& uuid) {
  TurnRecord* turn = uuid.empty() ? nullptr : &laws_.turn(uuid);
  std::string mark = next_mark(turn, uuid.empty() ? kBackground : uuid);
  if (!say(core::assistant(mark, character_.names_prompts ? uuid : ""))) return;
  if (turn) ++turn->said;
}

void Cli::ask() {
  if (!character_.carries_control) return;
  std::string id = "a" + std::to_string(++asks_);
  AskRecord& ask = laws_.ask(id);
  ask.kind = static_cast<AskKind>(world_.decide.below(std::size(kAsks)));
  std::string line = with(kAsks[static_cast<std::size_t>(ask.kind)], id);
  if (!say(line)) return;
  ask.said_at = world_.now();
  if (world_.decide.one_in(6)) {
    reached(Reached::ask_double);
    ++ask.asked;
    say(line);
  }
  if (world_.decide.one_in(5)) withdraw(id, ask);
  if (world_.decide.one_in(3)) return;
  for (TimePoint until = world_.now() + kPatience;
       ask.answers == 0 && !ask.withdrawn && world_.now() < until && !in_.at_end();) {
    pass(2s);
  }
  if (ask.answers == 0) withdraw(id, ask);
}

void Cli::withdraw(const std::string& id, AskRecord& ask) {
  if (!say(core::cancel_request(id))) return;
  ask.withdrawn = true;
  reached(ask.answers > 0 ? Reached::withdrawn_late : Reached::withdrawn);
}

}  // namespace claude::simulation
