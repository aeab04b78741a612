// The steps of a random conversation. Ids are few, so that they meet: answers twice, late and to
// nothing, requests with the same id, results that name any prompts.
#include "core/schedule.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/describe.h"
#include "core/engine.h"
#include "core/judge.h"
#include "core/lines.h"
#include "wire/names.h"

namespace claude::core {
namespace {

using namespace std::chrono_literals;

constexpr const char* kIds[] = {"1", "2", "3", "4"};
constexpr const char* kPrompts[] = {"p1", "p2", "p3", "p4", "p5"};
constexpr const char* kBroken[] = {"",
                                   "\r",
                                   "{",
                                   "nonsense",
                                   "[1]",
                                   "{}",
                                   R"({"type":3})",
                                   R"({"type":"system","x":"\ud83d"})",
                                   "\xff\xfe"};
constexpr const char* kOdd[] = {
    R"({"type":"control_request","request":{"subtype":"hook_callback"}})",
    R"({"type":"control_request","request_id":7,"request":{"subtype":"can_use_tool","tool_name":"A","input":{}}})",
    R"({"type":"control_request","request_id":"2","request":{"subtype":"hook_callback","input":1}})",
    R"({"type":"control_request","request_id":"1","request":[]})",
    R"({"type":"control_request","message":{"type":"control_request","request_id":"3","request":{"subtype":"mcp_message","server_name":"calc","message":{}}}})",
    R"({"type":"control_response","response":{"subtype":"success"}})",
    R"({"type":"control_response"})",
    R"({"type":"control_cancel_request"})",
    R"({"type":"keep_alive"})",
    R"({"type":"hologram","n":1})",
    R"({"type":"conversation_reset","new_conversation_id":"n","uuid":"u","session_id":"s"})"};
// Values that make a line one that cannot be read.
constexpr const char* kUnreadable[] = {"1e999", "\"\xff\""};
constexpr std::size_t kLineBytes = 350;
constexpr const char* kSubtypes[] = {"make_coffee", "initialize", "request_user_dialog"};
constexpr const char* kCallbacks[] = {"hook_0", "hook_1", "hook_7"};
constexpr const char* kServers[] = {"calc", "weather"};
constexpr const char* kStates[] = {"queued", "started", "completed", "cancelled"};
constexpr const char* kCosts[] = {"0", "0.5", "0.25", "null"};

std::string names(Choices& choices) {
  std::string uuid = choices.of(kPrompts);
  switch (choices.below(4)) {
    case 0:
      return "";
    case 1:
      return with(R"("user_message_uuid":"$1",)", uuid);
    case 2:
      return with(R"("user_message_uuids":["$1","$2"],)", uuid, std::string(choices.of(kPrompts)));
    default:
      return R"("origin":{"kind":"task-notification"},)";
  }
}

std::string random_result(Choices& choices) {
  std::string named = names(choices);
  return choices.one_in(3) ? failed_result("boom", named)
                           : result("done", choices.of(kCosts), named);
}

std::string random_answer(Choices& choices) {
  std::string id = "req_" + std::to_string(1 + choices.below(8));
  if (!choices.one_in(8)) id += "_5e1f";
  if (choices.one_in(4)) return refusal(id, "no", "code");
  return choices.one_in(4) ? bare_success(id) : success(id, kServerInfo);
}

std::string random_ask(Choices& choices) {
  switch (choices.below(3)) {
    case 0:
      return hook_callback(choices.of(kIds), choices.of(kCallbacks));
    case 1:
      return can_use_tool(choices.of(kIds));
    default:
      return mcp_message(choices.of(kIds), choices.of(kServers));
  }
}

std::string random_bytes(Choices& choices) {
  std::string bytes(choices.below(30), '\0');
  for (char& byte : bytes) byte = static_cast<char>(choices.below(256));
  return bytes;
}

std::string random_text(Choices& choices) {
  switch (choices.below(12)) {
    case 0:
      return lifecycle(choices.of(kPrompts), choices.of(kStates));
    case 1:
      return assistant(std::string(choices.below(200), 'x'), choices.of(kPrompts));
    case 2:
      return assistant("x");
    case 3:
      return random_result(choices);
    case 4:
      return random_answer(choices);
    case 5:
      return hook_callback(choices.of(kIds), choices.of(kCallbacks));
    case 6:
      return can_use_tool(choices.of(kIds));
    case 7:
      return mcp_message(choices.of(kIds), choices.of(kServers));
    case 8:
      return cancel_request(choices.of(kIds));
    case 9:
      return any_request(choices.of(kIds), choices.of(kSubtypes));
    case 10:
      return random_bytes(choices);
    default:
      return choices.one_in(2) ? choices.of(kBroken) : choices.of(kOdd);
  }
}

Setup random_setup(Choices& choices) {
  Setup setup;
  setup.initialize = wire::request(wire::kInitialize);
  setup.hooks = {{.event = "PreToolUse", .timeout = 3s, .if_failed = R"({"continue":true})"},
                 {.event = "Stop", .timeout = 0s, .if_failed = R"({"decision":"block"})"}};
  setup.permissions = !choices.one_in(4);
  setup.mcp_servers = {"calc"};
  setup.id_suffix = "5e1f";
  setup.diagnostics = !choices.one_in(4);
  setup.limits.queued_operations = 1 + choices.below(3);
  setup.limits.pending_operations = 1 + choices.below(3);
  setup.limits.open_asks = 1 + choices.below(3);
  setup.limits.warn_line_bytes = 250;
  setup.limits.line_bytes = kLineBytes;
  setup.timeouts.initialize = 20s;
  if (choices.one_in(3)) setup.timeouts.permission = 4s;
  return setup;
}

class Schedule {
 public:
  explicit Schedule(Choices choices)
      : choices_(choices),
        setup_(random_setup(choices_)),
        engine_(watched(setup_)),
        judge_(engine_, setup_.limits) {}

  Played play() {
    engine_.start(now_);
    after_step();
    const std::size_t steps = 10 + choices_.below(60);
    for (std::size_t i = 0; i < steps && !choices_.used_up(); ++i) step();
    engine_.stop();
    after_step();
    step();
    judge_.all_over();
    return {std::move(events_), std::move(output_), judge_.problem()};
  }

 private:
  Setup watched(Setup setup) {
    setup.tap = [this](Direction direction, std::string_view line) {
      if (direction == Direction::from_cli) judge_.heard(line);
    };
    return setup;
  }

  void step() {
    switch (choices_.below(16)) {
      case 0:
        call();
        break;
      case 1:
        send();
        break;
      case 2:
      case 3:
        answer();
        break;
      case 4:
        now_ += std::chrono::milliseconds(choices_.below(4000));
        break;
      case 5:
        if (choices_.one_in(12)) engine_.stop();
        break;
      case 6:
        if (choices_.one_in(12)) die();
        break;
      case 7:
        feed(success("req_1_5e1f", kServerInfo) + "\n");
        break;
      case 8:
        cut();
        break;
      case 9:
        spoil();
        break;
      default:
        feed(random_line(choices_));
        break;
    }
    after_step();
  }

  void call() {
    auto timeout = std::chrono::milliseconds(choices_.below(5000));
    auto call = engine_.call(wire::mcp_status_request(), timeout, now_);
    if (call) judge_.call_accepted(*call);
  }

  void send() {
    if (prompts_ == std::size(kPrompts)) return;
    auto turn = engine_.send("hello", kPrompts[prompts_], {}, now_);
    if (turn) judge_.turn_accepted(*turn);
    if (turn) ++prompts_;
  }

  void answer() {
    AskId ask = choices_.below(12);
    expected_lines_ = judge_.is_open(ask) ? 1 : 0;
    if (choices_.one_in(3)) {
      engine_.answer_failed(ask, "thrown");
    } else {
      engine_.answer(ask, R"({"given":true})");
    }
  }

  void die() {
    Exit exit;
    if (choices_.one_in(2)) exit.code = static_cast<int>(choices_.below(3));
    if (choices_.one_in(3)) exit.signal = 9;
    engine_.peer_ended(exit, "stderr");
  }

  // A line in two reads, perhaps without its end.
  void cut() {
    std::string line = random_line(choices_);
    std::size_t at = choices_.below(line.size());
    feed(line.substr(0, at));
    after_step();
    if (!choices_.one_in(8)) feed(line.substr(at));
  }

  // A request that cannot be read, or is too long.
  void spoil() {
    std::string line = random_ask(choices_);
    const bool is_long = choices_.one_in(3);
    const std::string value =
        is_long ? '"' + std::string(kLineBytes, 'x') + '"' : choices_.of(kUnreadable);
    line.insert(line.size() - 1, R"(,"new":)" + value);
    if (is_long && at_line_start_ && !engine_.ended()) judge_.heard(line);
    feed(line + '\n');
  }

  void feed(const std::string& bytes) {
    if (bytes.empty()) return;
    if (!at_line_start_) judge_.heard_pieces();
    at_line_start_ = bytes.back() == '\n';
    engine_.feed(bytes);
  }

  void after_step() {
    judge_.wrote(take_lines(), std::exchange(expected_lines_, std::nullopt));
    Event event;
    while (engine_.next(event, now_)) {
      judge_.wrote(take_lines());
      judge_.saw(event);
      events_.push_back(describe(event));
    }
    judge_.wrote(take_lines());
    judge_.step_over(now_);
  }

  std::vector<std::string> take_lines() {
    std::vector<std::string> lines;
    const std::string_view output = engine_.output();
    output_ += output;
    for (std::size_t begin = 0; begin < output.size();) {
      std::size_t end = output.find('\n', begin);
      lines.emplace_back(output.substr(begin, end - begin));
      begin = end + 1;
    }
    engine_.written(output.size());
    return lines;
  }

  Choices choices_;
  Setup setup_;
  Engine engine_;
  Judge judge_;
  TimePoint now_ = TimePoint() + 1h;
  std::size_t prompts_ = 0;
  bool at_line_start_ = true;
  std::optional<std::size_t> expected_lines_;  // in answer to this step
  std::vector<std::string> events_;
  std::string output_;
};

// Whoever listens to a stream of bytes.
class Listener {
 public:
  explicit Listener(std::size_t line_bytes) : engine_(setup(line_bytes)) {
    engine_.start(now_);
    for (const char* uuid : {"p1", "p2", "p3"}) engine_.send("hello", uuid, {}, now_).value();
    react();
  }

  void hear(std::string_view bytes) {
    engine_.feed(bytes);
    react();
  }

  Played played() { return {std::move(events_), std::string(engine_.output()), ""}; }

 private:
  static Setup setup(std::size_t line_bytes) {
    Choices first(std::string_view{});
    Setup setup = random_setup(first);
    setup.hooks[1].timeout = 3s;  // no time passes here
    setup.limits.queued_operations = 3;
    setup.limits.open_asks = 2;
    setup.limits.line_bytes = line_bytes;
    return setup;
  }

  void react() {
    Event event;
    while (engine_.next(event, now_)) {
      events_.push_back(describe(event));
      if (auto* asked = std::get_if<Asked>(&event)) {
        if (asked->ask % 3 == 0) engine_.answer(asked->ask, "{}");
        if (asked->ask % 3 == 1) engine_.answer_failed(asked->ask, "no");
      } else if (std::holds_alternative<TurnEnded>(event)) {
        // Refused or not, it goes into the comparison.
        auto call = engine_.call(wire::interrupt_request(false), 5s, now_);
        events_.push_back(call ? "called" : describe(call.error()));
      }
    }
  }

  Engine engine_;
  TimePoint now_ = TimePoint() + 1h;
  std::vector<std::string> events_;
};

}  // namespace

Played listen(std::string_view bytes, const std::function<std::size_t()>& next_size,
              std::size_t line_bytes) {
  Listener listener(line_bytes);
  while (!bytes.empty()) {
    std::string_view piece = bytes.substr(0, next_size());
    listener.hear(piece);
    bytes.remove_prefix(piece.size());
  }
  return listener.played();
}

std::string difference(const Played& a, const Played& b) {
  for (std::size_t i = 0; i < std::max(a.events.size(), b.events.size()); ++i) {
    std::string one = i < a.events.size() ? a.events[i] : "nothing";
    std::string other = i < b.events.size() ? b.events[i] : "nothing";
    if (one != other) return one + "\nagainst\n" + other;
  }
  return a.output == b.output ? "" : a.output + "\nagainst\n" + b.output;
}

std::string random_line(Choices& choices) {
  return random_text(choices) + '\n';
}

Played play(Choices choices) {
  return Schedule(choices).play();
}

}  // namespace claude::core
